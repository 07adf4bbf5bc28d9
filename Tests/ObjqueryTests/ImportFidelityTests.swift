import Foundation
import Testing

/// What an import must not change, lose or guess without a word.
@Suite struct ImportFidelityTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  private func bring(_ file: String, _ text: String, _ entity: String = "A", _ words: String...) throws
    -> Command.Outcome
  { try Command.run(["import", store, try workshop.file(file, text), entity] + words) }

  private func rows(_ entity: String = "A") throws -> String {
    try Command.run([store, "-m", "jsonl", "-c", entity]).output
  }

  // MARK: A file opened as a store

  @Test func anOpenedFileTellsWhatIsLeftOut() throws {
    let file = try workshop.file("list.jsonl", "{\"a\":1,\"l\":[{\"x\":1}]}\n")
    let outcome = try Command.run([file, "-c", "COUNT list"])
    #expect(outcome.status == 0 && outcome.output == "1\n", "\(outcome)")
    #expect(outcome.errors.contains("note: l left out: its lists hold objects"), "\(outcome)")
    for words in [["export", file, "-"], ["describe", file], ["schema", file]] {
      #expect(try Command.run(words).errors.contains("note: l left out"), "\(words)")
    }
  }

  @Test func badRowsOfAnOpenedFileAreAFailure() throws {
    let file = try workshop.file("bad.csv", "a,b\n1,2\n3\n5,6\n")
    let outcome = try Command.run([file, "-c", "COUNT bad"])
    #expect(outcome.status == 1 && outcome.output == "2\n", "\(outcome)")
    #expect(outcome.errors.contains("bad.csv:3: 1 field where the first line has 2"), "\(outcome)")
    #expect(outcome.errors.contains("not all of \(file) is there; with --allow-errors"), "\(outcome)")
    #expect(try Command.run([file, "--allow-errors", "-c", "COUNT bad"]).status == 0)
    #expect(try Command.run(["-c", ".open \(file)"]).status == 1)
    #expect(try Command.run(["--allow-errors", "-c", ".open \(file)", "-c", "COUNT bad"]).output == "2\n")
    #expect(try Command.run(["export", file, "-"]).status == 1)
    #expect(try Command.run(["-c", ".open \(workshop.path)/bad.csv", "-c", "COUNT bad"]).output.isEmpty)
  }

  // MARK: Numbers

  @Test(arguments: [
    "9223372036854775808", "18446744073709551615", "-9223372036854775809", "99999999999999999999999999999999999999",
  ]) func wideIntegersAreKept(_ number: String) throws {
    for (name, text) in [("n.jsonl", "{\"n\":\(number)}\n{\"n\":1}\n"), ("n.csv", "n\n\(number)\n1\n")] {
      let outcome = try bring(name, text, name == "n.csv" ? "B" : "A")
      #expect(outcome.errors.contains("n read as Decimal: \(number) on line"), "\(outcome)")
    }
    #expect(try rows() == "{\"n\":\(number)}\n{\"n\":1}\n" && rows("B") == rows())
  }

  @Test func whatNoNumberKeepsIsText() throws {
    let long = String(repeating: "1234567890", count: 5)
    let outcome = try bring("n.jsonl", "{\"n\":\(long)}\n{\"n\":7}\n")
    #expect(outcome.errors.contains("n read as String: \(long) on line 1 does not fit Int"), "\(outcome)")
    #expect(try rows() == "{\"n\":\"\(long)\"}\n{\"n\":\"7\"}\n")
  }

  @Test func roundingIsTold() throws {
    let mixed = try bring("n.csv", "n,m\n18446744073709551615,9007199254740993\n0.5,0.5\n")
    #expect(
      mixed.errors.contains("n read as Double, which rounds whole numbers such as 18446744073709551615"), "\(mixed)")
    #expect(mixed.errors.contains("m read as Double, which rounds whole numbers such as 9007199254740993"), "\(mixed)")
  }

  @Test func anIntTakesNoOtherNumber() throws {
    let schema = try workshop.file("s.swift", "@Model struct A { var n: Int }\n")
    let numbers = [
      "-9223372036854775809", "18446744073709551615", "9007199254740993.0", "1e18", "-9223372036854775808", "2.5",
    ]
    let outcome = try bring(
      "n.jsonl", numbers.map { "{\"n\":\($0)}\n" }.joined(), "A", "--schema", schema)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(":1: n: -9223372036854775809 does not fit Int"), "\(outcome)")
    #expect(outcome.errors.contains(":2: n: 18446744073709551615 does not fit Int"), "\(outcome)")
    #expect(outcome.errors.contains(":6: n: '2.5' is not a whole number"), "\(outcome)")
    #expect(
      try rows()
        == "{\"n\":9007199254740993}\n{\"n\":1000000000000000000}\n{\"n\":-9223372036854775808}\n")
  }

  // MARK: Structs of columns

  @Test func halfEmptyStructsTakeTheirOwnRows() throws {
    let text = "id,at.lat,at.lon\n1,2,\n2,,3\n3,,\n4,5,6\n"
    let outcome = try bring("h.csv", text)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try rows() == """
        {"id":1,"at":{"lat":2,"lon":null}}
        {"id":2,"at":{"lat":null,"lon":3}}
        {"id":3,"at":null}
        {"id":4,"at":{"lat":5,"lon":6}}

        """)
    // Each row has one of them: the struct is always there, its properties are not.
    #expect(try bring("g.csv", "at.lat,at.lon\n2,\n,3\n", "B").status == 0)
    #expect(try rows("B") == "{\"at\":{\"lat\":2,\"lon\":null}}\n{\"at\":{\"lat\":null,\"lon\":3}}\n")
  }

  // MARK: Dates

  @Test func datesOfAllYearsAreReadBack() throws {
    let schema = try workshop.file("d.swift", "@Model struct A { var n: Int; var at: Date? }\n")
    let dates = [
      "+010000-01-01T00:00:00Z", "-000044-03-15T12:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.5Z",
      "+123456-07-08T09:10:11Z", "1e+300", "-1e+20",
    ]
    let text = dates.enumerated().map { "{\"n\":\($0),\"at\":\"\($1)\"}\n" }.joined()
    let outcome = try bring("d.jsonl", text, "A", "--schema", schema)
    #expect(outcome.status == 0, "\(outcome)")
    for mode in ["jsonl", "csv", "json", "tsv"] {
      let (file, copy) = (workshop.path + "/d2." + mode, workshop.path + "/copy-" + mode)
      #expect(try Command.run(["export", store, file, "A"]).status == 0)
      let back = try Command.run(["import", copy, file, "A", "--schema", schema])
      #expect(back.status == 0, "\(back)")
      #expect(try Command.run([copy, "-m", "jsonl", "-c", "A"]).output == rows())
    }
    // Also found to be dates.
    #expect(try bring("e.csv", "at\n+010000-01-01T00:00:00Z\n2018-02-07\n", "B").errors.contains("var at: Date"))
  }

  // MARK: Options

  @Test func errorsOfAnotherImportStay() throws {
    let errors = try workshop.file("errors", "kept\n")
    let refused = try bring("x.csv", "a,b\n1,2\n3\n", "A", "--errors", errors)
    #expect(refused.status == 1 && refused.errors.contains("exists and is not empty; --overwrite"), "\(refused)")
    #expect(try workshop.text("errors") == "kept\n" && !FileManager.default.fileExists(atPath: store))
    #expect(try bring("x.csv", "a,b\n1,2\n3\n", "A", "--errors", errors, "--overwrite", "--allow-errors").status == 0)
    #expect(try workshop.text("errors").contains("x.csv:3"))
  }

  @Test(arguments: [
    (["--rows", "a"], "x.csv", "--rows is not for csv"), (["--rows", "a"], "x.jsonl", "--rows is not for jsonl"),
    (["--delimiter", ";"], "x.json", "--delimiter is not for json"),
    (["--no-header"], "x.jsonl", "--no-header is not for jsonl"),
    (["--null", "NA"], "x.geojson", "--null is not for geojson"),
    (["--map", "a=b", "--map", "c=d"], "x.csv", "--map c=d: A has no property 'd', and no record has 'c'"),
  ]) func optionsOfAnotherFormatAreRefused(_ words: [String], _ file: String, _ message: String) throws {
    let text = file.hasSuffix("csv") ? "a\n1\n" : "{\"a\":1}\n"
    let outcome = try Command.run(["import", store, try workshop.file(file, text), "A"] + words)
    #expect(outcome.status == 64 || outcome.errors.contains("error: " + message), "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome)")
  }

  @Test func mappedNamesAreFound() throws {
    let schema = try workshop.file(
      "m.swift", "@Model struct P { var x: Int?; var y: Int? }\n@Model struct A { var n: Int; var at: P? }\n")
    let outcome = try bring(
      "m.jsonl", "{\"n\":1,\"where\":{\"x\":2,\"y\":3}}\n", "A", "--schema", schema, "--map", "where=at", "--map", "m=n"
    )
    #expect(outcome.status == 0 && outcome.errors.contains("--map m=n: no record has 'm'"), "\(outcome)")
    #expect(try rows() == "{\"n\":1,\"at\":{\"x\":2,\"y\":3}}\n")
    let wrong = try bring("w.jsonl", "{\"n\":1}\n", "A", "--map", "n=nn")
    #expect(wrong.errors.contains("--map n=nn: A has no property 'nn'"), "\(wrong)")
  }
}
