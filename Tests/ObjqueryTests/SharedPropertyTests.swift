import Testing

/// Several names of the data that fill one property: which one counts does not depend on the order of names or rows, and
/// nothing is left out without a word.
@Suite struct SharedPropertyTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  /// Imports rows to an entity with the properties `n` and `rootMean`.
  private func load(_ name: String, _ rows: [String], _ words: String...) throws -> Command.Outcome {
    let schema = try workshop.file(
      "models.swift",
      """
      @Model struct A { var n: Int; var rootMean: Int?; var at: Place?; var parts: [Part] }
      @Model(.embedded) struct Place { var x: Int?; var é: Int? }
      @Model(.embedded) struct Part { var é: Int? }

      """)
    let file = try workshop.file(name, rows.joined(separator: "\n") + "\n")
    return try Command.run(["import", store, file, "A", "--schema", schema] + words)
  }

  private func ask(_ statement: String) throws -> [String] {
    try Command.run([store, "-m", "jsonl", "-c", statement]).output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [false, true]) func thePropertysOwnNameCounts(backwards: Bool) throws {
    let rows = [
      #"{"n":1,"root mean":10}"#, #"{"n":2,"rootMean":20}"#, #"{"n":3,"root mean":0,"rootMean":30}"#,
      #"{"rootMean":40,"root mean":"no number","n":4}"#, #"{"n":5,"root mean":50,"rootMean":null}"#, #"{"n":6}"#,
    ]
    let outcome = try load("x.jsonl", backwards ? rows.reversed() : rows)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "note: rootMean is filled from 'rootMean', else 'root mean'; left out in rows with several of them: 'root mean'\n"
      ),
      "\(outcome)")
    let found = try ask("A WHERE rootMean == n * 10 OR n == 6 AND rootMean == nil SORT BY n SELECT n")
    #expect(found == (1...6).map { "{\"n\":\($0)}" })
  }

  @Test func nothingIsSaidToBeLeftOutThatIsNot() throws {
    let outcome = try load("x.jsonl", [#"{"n":1,"root mean":10}"#, #"{"n":2,"rootMean":20}"#])
    #expect(outcome.errors.contains("note: rootMean is filled from 'rootMean', else 'root mean'\n"), "\(outcome)")
    #expect(!outcome.errors.contains("left out"), "\(outcome)")
  }

  @Test(arguments: [false, true]) func whatMapNamesCountsFirst(isCSV: Bool) throws {
    let rows =
      isCSV
      ? ["n,rootMean,q,root mean", "1,0,10,0", "2,20,,0", "3,,,30"]
      : [
        #"{"n":1,"rootMean":0,"q":10,"root mean":0}"#, #"{"n":2,"root mean":0,"rootMean":20}"#,
        #"{"n":3,"root mean":30}"#,
      ]
    let outcome = try load(isCSV ? "x.csv" : "x.jsonl", rows, "--map", "q=rootMean")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.errors.contains("rootMean is filled from 'q', else 'rootMean', else 'root mean'; left out ")
        && outcome.errors.contains("of them: 'rootMean', 'root mean'\n"), "\(outcome)")
    #expect(try ask("COUNT A WHERE rootMean == n * 10") == ["3"])
  }

  @Test(arguments: [false, true]) func namesOfEqualStandingMakeABadRow(backwards: Bool) throws {
    let rows = [#"{"n":1,"root mean":1}"#, #"{"n":2,"root-mean":2}"#, #"{"n":3,"root mean":3,"root-mean":4}"#]
    let outcome = try load("x.jsonl", backwards ? rows.reversed() : rows)
    #expect(outcome.status == 1 && outcome.errors.contains("2 objects imported"), "\(outcome)")
    #expect(
      outcome.errors.contains(
        "x.jsonl:\(backwards ? 1 : 3): rootMean: both 'root mean' and 'root-mean' fill it; "
          + "--map NAME=rootMean says which of them counts\n"), "\(outcome)")
    let chosen = try load("y.jsonl", [rows[2]], "--map", "root-mean=rootMean")
    #expect(try chosen.status == 0 && ask("A WHERE n == 3 SELECT rootMean") == [#"{"rootMean":4}"#], "\(chosen)")
    let both = try load("y.jsonl", [rows[2]], "--map", "root-mean=rootMean", "--map", "root mean=rootMean")
    #expect(both.status == 1 && both.errors.contains("fill it; give --map for one of them only\n"), "\(both)")
  }

  @Test func namesInTwoNormalFormsAreOne() throws {
    let (decomposed, composed) = ("e\u{301}", "\u{E9}")
    let rows = [
      "{\"n\":1,\"at\":{\"\(composed)\":1}}", "{\"n\":2,\"at\":{\"\(decomposed)\":1}}",
      "{\"n\":3,\"at\":{\"\(composed)\":1,\"\(decomposed)\":2}}",
      "{\"n\":4,\"parts\":[{},{\"\(composed)\":1,\"\(decomposed)\":2}]}",
    ]
    let outcome = try load("x.jsonl", rows)
    #expect(outcome.status == 1 && outcome.errors.contains("2 bad rows"), "\(outcome)")
    for place in ["3: at.\(composed): ", "4: parts[1].\(decomposed): "] {
      #expect(outcome.errors.contains("\(place)the name is there twice, in two Unicode normal forms\n"), "\(outcome)")
    }
    #expect(try ask("COUNT A WHERE at.\(composed) == 1") == ["2"])
    // Also where the types are found from the data.
    let file = try workshop.file("y.jsonl", "{\"\(composed)\":1}\n{\"\(decomposed)\":2}\n{\"k\":1}\n")
    let found = try Command.run(["import", store, file, "B"])
    #expect(found.status == 0 && found.errors.contains("var \(composed): Int?"), "\(found)")
    #expect(try ask("COUNT B WHERE \(decomposed) > 0") == ["2"])
  }

  @Test func aNameThatIsTwiceInAStructOfAListIsNamedSo() throws {
    let outcome = try load("x.jsonl", [#"{"n":1,"parts":[{"é":1,"é":2}]}"#, #"{"n":1,"parts":[5]}"#])
    #expect(outcome.errors.contains(":1: parts[0]: a name is there twice in one object\n"), "\(outcome)")
    #expect(outcome.errors.contains(":2: parts[0]: a struct is an object with its properties\n"), "\(outcome)")
  }

  /// Where the types are found from the data, no name is left out: the weaker one has another property.
  @Test(arguments: [[#"{"i":1,"j":2}"#, #"{"k":1}"#], [#"{"j":2}"#, #"{"i":1,"k":1}"#]])
  func foundTypesKeepBothNames(_ rows: [String]) throws {
    let file = try workshop.file("x.jsonl", rows.joined(separator: "\n") + "\n")
    let outcome = try Command.run(["import", store, file, "A", "--map", "j=i"])
    #expect(outcome.status == 0 && outcome.errors.contains("note: 'i' is named i2\n"), "\(outcome)")
    #expect(try ask("COUNT A WHERE i == 2") == ["1"] && ask("COUNT A WHERE i2 == 1") == ["1"])
    let both = try Command.run(["import", store, file, "B", "--map", "j=i", "--map", "i=i"])
    #expect(both.errors.contains(rows[0].contains("i") ? "i: both " : "i is filled from "), "\(both)")
    #expect(try ask("COUNT B WHERE i IN {1, 2} OR k == 1") == [rows[0].contains("i") ? "1" : "2"])
  }
}
