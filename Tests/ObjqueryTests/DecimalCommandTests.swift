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

  /// A number is not rounded and not replaced: what cannot be kept is refused, with its digits and its property.
  @Test func digitsThatCannotBeKeptAreRefused() throws {
    let long = "1234567890123456789012345678901234567890.5"
    let outcome = try bring(
      "long.jsonl", [long, "1e400", "1e-400"].map { "{\"code\":\"x\($0)\",\"amount\":\($0)}\n" }.joined(), to: store)
    for text in [long, "1e400", "1e-400"] {
      #expect(outcome.errors.contains("amount: '\(text)' is not a decimal number"), "\(outcome.errors)")
    }
    let inserted = try Command.run([store, "-c", #"INSERT Price {"code": "x", "amount": \#(long)}"#])
    #expect(inserted.status == 1)
    #expect(inserted.errors.contains("'amount' is a Decimal, which has 38 digits"), "\(inserted.errors)")
    let called = try Command.run([store, "-c", #"INSERT Price {"code": "x", "amount": decimal('4.50')}"#])
    #expect(called.errors.contains("fix: write \"4.50\""), "\(called.errors)")
    #expect(try ask("COUNT Price") == "4\n")
  }

  /// Also deep in a statement.
  @Test(arguments: [
    (
      #"INSERT Bill {"code": "a", "lines": [{"what": 0.5, "price": 1.5}, {"what": 2, "price": LONG}]}"#,
      "lines[1].price"
    ),
    (#"INSERT Bill {"code": "a", "rates": {"x": 1.5, "y": LONG}}"#, "rates"),
    (#"UPDATE Bill SET lines = [{"what": LONG, "price": 1.5}, {"what": 2, "price": LONG}]"#, "lines[1].price"),
    (#"UPDATE Bill SET rates = {"x": 1.5, "y": LONG}"#, "rates"),
    (#"UPDATE Bill SET rates['x'] = LONG"#, "these are more"),
  ])
  func digitsDeepInAStatementAreRefused(_ statement: String, _ place: String) throws {
    let schema = """
      @Model struct Line { var what: Double; var price: Decimal }
      @Model struct Bill { @Attribute(.unique) var code: String; var lines: [Line]; var rates: [String: Decimal] }

      """
    let bills = workshop.path + "/bills"
    let first = #"{"code": "z", "lines": [{"what": 12345678901234567890.123456789, "price": 1}], "rates": {"x": 1}}"#
    let outcome = try Command.run([
      "import", bills, try workshop.file("b.jsonl", first + "\n"), "Bill", "--schema",
      try workshop.file("b.swift", schema),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let long = "1234567890123456789012345678901234567890.5"
    let statement = statement.replacing("LONG", with: long)
    let refused = try Command.run([bills, "-c", statement])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Decimal") && refused.errors.contains(place), "\(refused.errors)")
    let shorter = statement.replacing("\"price\": \(long)", with: "\"price\": 4.25").replacing(
      "\"y\": \(long)", with: "\"y\": 4.25"
    ).replacing("= \(long)", with: "= 4.25")
    let done = try Command.run([bills, "--yes", "-c", shorter])
    #expect(done.status == 0, "\(done.errors)")
  }

  @Test func numbersBeyondTheTypeAreRefused() throws {
    let schema = "@Model struct M { var code: String; var d: Double?; var f: Float? }\n"
    let copy = workshop.path + "/real"
    let lines = #"{"code":"a","f":1e60}"# + "\n" + #"{"code":"b","d":1e400}"# + "\n" + #"{"code":"c","d":1,"f":"inf"}"#
    let outcome = try Command.run([
      "import", copy, try workshop.file("m.jsonl", lines), "M", "--schema", try workshop.file("m.swift", schema),
    ])
    #expect(outcome.errors.contains("f: 1e60 does not fit Float"), "\(outcome.errors)")
    #expect(outcome.errors.contains("d: 1e400 does not fit Double"), "\(outcome.errors)")
    #expect(
      try Command.run([copy, "-m", "jsonl", "-c", "M SELECT code, f"]).output == "{\"code\":\"c\",\"f\":\"inf\"}\n")
  }

  /// As Swift reads the same digits.
  @Test func realNumbersOfManyDigitsAreRead() throws {
    let texts = [
      "3.141592653589793238", "1.0000000000000000000", "0.1000000000000000055511151231257827021181583404541015625",
      "123456789012345678901234567890.5", "-2.50000000000000000000000000000", "1.7976931348623157081452742373e308",
      "4.9406564584124654417656879286822e-324", "9007199254740993.00000000000000000001",
    ]
    let copy = workshop.path + "/reals"
    let lines = texts.map { "{\"d\":\($0),\"list\":[\($0),1],\"f\":\($0.contains("e") ? "1" : $0)}\n" }.joined()
    let schema = "@Model struct R { var d: Double; var list: [Double]; var f: Float }\n"
    let outcome = try Command.run([
      "import", copy, try workshop.file("r.jsonl", lines), "R", "--schema", try workshop.file("r.swift", schema),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for (place, text) in texts.enumerated() {
      let number = try #require(Double(text))
      let question = "COUNT R WHERE d == \(number) AND list[0] == \(number)"
      #expect(try Command.run([copy, "-c", question]).output == "1\n", "\(place): \(text)")
    }
    #expect(try Command.run([copy, "-c", "COUNT R WHERE f == 0"]).output == "0\n")
  }
}
