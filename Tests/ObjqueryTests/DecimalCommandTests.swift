import Testing

/// Decimal numbers in and out of a store, with all their digits.
@Suite struct DecimalCommandTests {
  private let workshop: Workshop
  private let store: String

  private static let schema =
    "@Model struct Price { @Attribute(.unique) var code: String; var amount: Decimal; var rebate: Decimal? }\n"
  private static let lines = """
    {"code":"a","amount":12345678901234567890.125,"rebate":0.1}
    {"code":"b","amount":123456789012345678901234567890,"rebate":null}
    {"code":"c","amount":-5,"rebate":1.5e-30}
    {"code":"d","amount":0,"rebate":"nan"}

    """

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let outcome = try bring("x.jsonl", Self.lines, to: store)
    #expect(outcome.status == 0 && outcome.errors.contains("4 objects imported"), "\(outcome.errors)")
  }

  private func bring(_ name: String, _ text: String, to store: String) throws -> Command.Outcome {
    try Command.run([
      "import", store, try workshop.file(name, text), "Price", "--schema", try workshop.file("s.swift", Self.schema),
    ])
  }

  private func ask(_ statement: String, _ words: String...) throws -> String {
    try Command.run([store, "-c", statement] + words).output
  }

  @Test(arguments: ["jsonl", "json", "csv"]) func digitsComeBack(_ mode: String) throws {
    #expect(try ask("Price", "-m", "jsonl") == Self.lines)
    let copy = workshop.path + "/copy"
    let outcome = try bring("y.\(mode)", try ask("Price", "-m", mode), to: copy)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Command.run([copy, "-m", "jsonl", "-c", "Price"]).output == Self.lines)
    #expect(try Command.run(["check", copy]).status == 0)
    #expect(try Command.run(["schema", copy]).output == Command.run(["schema", store]).output)
    #expect(try Command.run(["schema", copy]).output.contains("amount: Decimal"))
  }

  @Test func aDumpBringsThemBack() throws {
    let dump = workshop.path + "/dump"
    _ = try ask(".dump \(dump)")
    let copy = workshop.path + "/copy"
    let outcome = try Command.run(["import", copy, dump])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Command.run([copy, "-m", "jsonl", "-c", "Price"]).output == Self.lines)
  }

  @Test func textThatIsNoneIsABadRow() throws {
    let outcome = try bring(
      "bad.jsonl", #"{"code":"x","amount":"1,5"}"# + "\n" + #"{"code":"y","amount":"0.50"}"#, to: store)
    #expect(outcome.errors.contains("decimal number"), "\(outcome.errors)")
    #expect(try ask("Price WHERE code == 'y' SELECT amount", "-m", "jsonl") == "{\"amount\":0.5}\n")
  }

  @Test func parametersAndSums() throws {
    #expect(try ask("COUNT Price WHERE rebate == $r", "-p", "r=0.10") == "1\n")
    #expect(try ask("COUNT Price WHERE amount == $a", "-p", "a:decimal=12345678901234567890.125") == "1\n")
    #expect(try ask("COUNT Price WHERE amount == %@", "--arg", "12345678901234567890.125") == "1\n")
    #expect(
      try ask("Price WHERE amount < 1e25 SELECT @sum.amount AS total, @avg.rebate AS mean", "-m", "jsonl")
        == "{\"total\":12345678901234567885.125,\"mean\":0.05000000000000000000000000000075}\n")
  }
}
