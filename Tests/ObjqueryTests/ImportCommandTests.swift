import Foundation
import Testing

/// Imports from the command line: what is kept, what is told, and what a damaged file does.
@Suite struct ImportCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  private func load(_ name: String, _ text: String, _ words: String...) throws -> Command.Outcome {
    try Command.run(["import", store, try workshop.file(name, text), "Thing"] + words)
  }

  private func ask(_ statement: String) throws -> String { try Command.run([store, "-c", statement]).output }

  @Test func badRowsAreCountedAndKept() throws {
    let errors = workshop.path + "/errors"
    let outcome = try load(
      "x.csv", "code,n\na,1\nb\nc,3\nd,\"x\"y\ne,5\n", "--errors", errors, "--key", "code")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("Thing: 3 objects imported") && outcome.errors.contains("2 bad rows left out"))
    let told = try workshop.text("errors").split(separator: "\n")
    #expect(told.count == 2 && told[0].hasSuffix("x.csv:3: 1 field where the first line has 2"))
    #expect(try ask("Thing SELECT n") == "{\"n\":1}\n{\"n\":3}\n{\"n\":5}\n")
  }

  /// A text that gives a stored property another type is refused, and nothing is imported.
  @Test(arguments: [("Double", "Int"), ("String", "Int"), ("Link<Other>?", "Box?"), ("Int", "String")])
  func anotherTypeIsRefused(_ types: (stored: String, declared: String)) throws {
    func text(_ type: String) -> String {
      "@Model struct Thing { var k: Int; var n: \(type) }; @Model(.entity) struct Other { var x: Int }; "
        + "@Model(.embedded) struct Box { var x: Int }"
    }
    let row =
      types.stored == "String" ? #"{"k":1,"n":"a"}"# : types.stored == "Link<Other>?" ? #"{"k":1}"# : #"{"k":1,"n":1}"#
    let first = try load("x.jsonl", row + "\n", "--schema", try workshop.file("a.swift", text(types.stored)))
    #expect(first.status == 0, "\(first)")
    let before = try Command.run(["schema", store]).output
    let again = try load("y.jsonl", "{\"k\":2}\n", "--schema", try workshop.file("b.swift", text(types.declared)))
    #expect(again.status == 1, "\(again)")
    #expect(
      again.errors.contains("Thing.n is \(types.stored.replacingOccurrences(of: "?", with: ""))")
        && again.errors.contains("in the file and \(types.declared.replacingOccurrences(of: "?", with: ""))"),
      "\(again)")
    #expect(try ask("COUNT Thing") == "1\n")
    #expect(try Command.run(["schema", store]).output == before)
  }

  /// Rows are read ahead of those that are stored; what is told of them is in their order all the same.
  @Test(arguments: ["csv", "jsonl"]) func badRowsAmongManyKeepTheirLines(_ format: String) throws {
    let errors = workshop.path + "/errors"
    let schema = try workshop.file(
      "thing.swift", "@Model struct Thing {\n  @Attribute(.unique) var code: String\n  var n: Int\n}\n")
    var text = format == "csv" ? "code,n\n" : ""
    var expected: [String] = []
    for index in 1...9000 {
      let line = index + (format == "csv" ? 1 : 0)
      var (code, number) = ("code \(index)", "\(index)")
      if index % 700 == 0 {
        number = "1.5"
        expected.append("\(line): n: '1.5' is not a whole number")
      } else if index % 1100 == 0 {
        code = "code 1"
        expected.append("\(line): code: there is already an object with 'code 1'")
      }
      text += format == "csv" ? "\(code),\(number)\n" : "{\"code\":\"\(code)\",\"n\":\(number)}\n"
    }
    let outcome = try load("x.\(format)", text, "--schema", schema, "--errors", errors)
    #expect(outcome.errors.contains("8,981 objects imported"), "\(outcome.errors.prefix(500))")
    let told = try workshop.text("errors").split(separator: "\n").compactMap { line in
      line.range(of: "x.\(format):").map { String(line[$0.upperBound...]) }
    }
    #expect(told == expected)
    #expect(try ask("COUNT Thing") == "\(9000 - expected.count)\n")
  }

  /// Indexes of kinds that are not built yet are said to have no effect, and everything else works.
  @Test func unbuiltIndexesAreNoted() throws {
    let schema = try workshop.file(
      "site.swift",
      "@Model(.embedded) struct Spot { var longitude: Double; var latitude: Double }\n"
        + "@Model struct Thing { @Attribute(.fullText) var text: String; @Attribute(.geo) var spot: Spot }")
    let row = #"{"text":"old town","spot":{"longitude":10,"latitude":48.4}}"# + "\n"
    let outcome = try load("site.jsonl", row, "--schema", schema)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("warning: Thing.text: there are no '.fullText' indexes yet"), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: Thing.spot: there are no '.geo' indexes yet"), "\(outcome.errors)")
  }

  @Test func valuesThatDoNotFitADeclaredSchema() throws {
    let schema = try workshop.file(
      "thing.swift",
      "@Model struct Thing {\n  @Attribute(.unique) var code: String\n  var n: Int8?\n  var t: Date?\n}\n")
    let outcome = try load(
      "x.jsonl",
      "{\"code\":\"a\",\"n\":1}\n{\"code\":\"b\",\"n\":300}\n{\"n\":1}\n{\"code\":\"d\",\"t\":\"2018-13-01\"}\n{\"code\":\"e\",\"z\":1}\n",
      "--schema", schema)
    #expect(outcome.status == 1 && outcome.errors.contains("2 objects imported"), "\(outcome.errors)")
    #expect(outcome.errors.contains("n: 300 does not fit Int8"))
    #expect(outcome.errors.contains("code has no value, and may not be nil"))
    #expect(outcome.errors.contains("t: '2018-13-01' is not a date"))
    #expect(outcome.errors.contains("left out, because Thing has no such property: z"))
    let other = try workshop.file("other.swift", "@Model struct Thin { var a: Int }")
    #expect(try load("x.jsonl", "{}", "--schema", other).errors.contains("did you mean Thin?"))
    let broken = try workshop.file("broken.swift", "@Model struct Thing { var a Int }")
    let refused = try load("x.jsonl", "{}", "--schema", broken)
    #expect(refused.status == 1 && refused.errors.contains("broken.swift"), "\(refused.errors)")
  }

  /// What is declared is there, also without objects.
  @Test func anEmptyFileWithASchemaMakesTheStore() throws {
    let schema = try workshop.file(
      "thing.swift", "@Model struct Thing { var code: String }\n@Model struct Other { var n: Int }\n")
    for (name, text) in [("x.jsonl", ""), ("x.json", "[]"), ("x.csv", "code\n")] {
      let place = workshop.path + "/" + name + ".store"
      let file = try workshop.file(name, text)
      let outcome = try Command.run(["import", place, file, "Thing", "--schema", schema])
      #expect(outcome.status == 0 && outcome.errors.contains("0 objects imported"), "\(name): \(outcome.errors)")
      #expect(try Command.run([place, "-c", "COUNT Thing", "-c", "COUNT Other"]).status == 0, "\(name)")
    }
    // Where something is wrong nothing is made, as before.
    let place = workshop.path + "/none"
    let outcome = try Command.run(["import", place, try workshop.file("y.jsonl", "{}\n"), "Thing", "--schema", schema])
    #expect(outcome.errors.contains("code has no value"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func inversesOfTheDataAreNamedAsComputed() throws {
    let schema = try workshop.file(
      "thing.swift",
      #"""
      @Model struct Thing { var n: Int; var inside: Link<Box>?; @Inverse(\Box.top) var boxes: LinkingObjects<Box> }
      @Model struct Box { @Attribute(.unique) var name: String; var top: Link<Thing>?
        @Inverse(\Thing.inside) var things: LinkingObjects<Thing> }
      """#)
    let outcome = try load(
      "x.jsonl", #"{"n":1,"boxes":["a"],"z":1,"inside":{"name":"b","things":[1],"y":2}}"# + "\n", "--schema", schema)
    #expect(outcome.status == 0 && outcome.errors.contains("1 object imported"), "\(outcome.errors)")
    #expect(outcome.errors.contains("left out, because it is computed: Thing.boxes, from Box.top"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("left out, because it is computed: Box.things, from Thing.inside"), "\(outcome.errors)")
    #expect(outcome.errors.contains("left out, because Thing has no such property: z\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("left out, because there is no such property: Box.y\n"), "\(outcome.errors)")
  }

  @Test func twoObjectsWithOneKey() throws {
    let outcome = try load("x.jsonl", "{\"k\":1,\"n\":1}\n{\"k\":2,\"n\":1}\n{\"k\":1,\"n\":2}\n", "--key", "k")
    #expect(outcome.status == 1 && outcome.errors.contains("2 objects imported"), "\(outcome.errors)")
    #expect(outcome.errors.contains("x.jsonl:3:") && outcome.errors.contains("1 bad row left out"))
    let again = try load("y.jsonl", "{\"k\":1,\"n\":7}\n{\"k\":3,\"n\":1}\n", "--upsert")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try ask("Thing SORT BY k SELECT k, n") == "{\"k\":1,\"n\":7}\n{\"k\":2,\"n\":1}\n{\"k\":3,\"n\":1}\n")
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func mostRowsBadIsAWarning() throws {
    let few = try load("x.jsonl", "{\"k\":1}\n{\"k\":2}\n{\"k\":1}\n", "--key", "k")
    #expect(few.status == 1 && !few.errors.contains("warning"), "\(few)")
    let most = try load("y.jsonl", "{\"k\":1}\n{\"k\":2}\n{\"k\":3}\n", "--key", "k")
    #expect(
      most.status == 1 && most.errors.contains("warning: most of the data is left out: 2 of 3 rows are bad\n"),
      "\(most)")
    let all = try load("z.jsonl", "{\"k\":1}\n{\"k\":2}\n", "--key", "k")
    #expect(
      all.status == 1 && all.errors.contains("2 bad rows left out") && all.errors.contains("every row was bad"),
      "\(all)")
  }

  @Test func whyNoRecordCanBeRead() throws {
    let outcome = try load("x.json", "[1, 2]")
    #expect(outcome.status == 1 && outcome.errors.contains("types from: line 1: "), "\(outcome.errors)")
  }

  @Test func whatIsLeftOutIsSaidOnce() throws {
    let outcome = try load("x.json", "[{\"n\":1,\"l\":[[1]],\"o\":{\"m\":[null]}}]")
    #expect(outcome.errors.contains("note: l left out: its lists hold lists, the first on line 1"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("no such property"), "\(outcome.errors)")
  }

  private static let collections = """
    @Model struct Inner { var list: [Double]; var set: Set<Int>? }
    @Model struct Thing {
      @Attribute(.unique) var code: String
      var list: [Int8]; var set: Set<String>; var days: [Date]?
      var by: [String: Double]; var inner: Inner?
    }

    """

  private static let collectionLines = [
    #"{"code":"a","list":[],"set":[],"days":null,"by":{},"inner":null}"#,
    #"{"code":"b","list":[-1,5,5],"set":["","x","é"],"days":["2018-02-07T01:02:03Z"],"by":{"":0.5,"a.b":"inf","c \"":1.5},"inner":{"list":[0.1],"set":[1,2]}}"#,
    #"{"code":"c","list":[1],"set":["a,b"],"days":[],"by":{"k":2.5},"inner":{"list":[],"set":null}}"#,
  ]

  @Test(arguments: ["jsonl", "json", "csv"]) func collectionsComeBack(mode: String) throws {
    let schema = try workshop.file("thing.swift", Self.collections)
    let lines = Self.collectionLines.joined(separator: "\n") + "\n"
    let outcome = try load("x.jsonl", lines, "--schema", schema)
    #expect(outcome.status == 0 && outcome.errors.contains("3 objects imported"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("left out"), "\(outcome.errors)")
    let text = try Command.run([store, "-m", mode, "-c", "Thing"]).output
    if mode == "jsonl" { #expect(text == lines) }
    let copy = workshop.path + "/copy"
    let again = try Command.run(["import", copy, try workshop.file("y.\(mode)", text), "Thing", "--schema", schema])
    #expect(again.status == 0 && again.errors.contains("3 objects imported"), "\(again.errors)")
    let back = try Command.run([copy, "-m", "jsonl", "-c", "Thing"]).output
    // A cell of CSV cannot say that a struct is there of which everything is empty or nil; it has a list here.
    #expect(back == lines)
    #expect(try Command.run(["schema", copy]).output == Command.run(["schema", store]).output)
    #expect(try Command.run(["check", copy]).status == 0)
  }

  @Test func collectionsThatDoNotFit() throws {
    let schema = try workshop.file("thing.swift", Self.collections)
    let outcome = try load(
      "x.jsonl",
      #"{"code":"a","list":[1,300]}"# + "\n" + #"{"code":"b","list":7}"# + "\n" + #"{"code":"c","set":["a",null]}"#
        + "\n"
        + #"{"code":"d","by":{"k":"x"}}"# + "\n" + #"{"code":"e","by":[1]}"# + "\n" + #"{"code":"f","list":{"a":1}}"#
        + "\n"
        + #"{"code":"g","list":null}"# + "\n" + #"{"code":"h","inner":{}}"# + "\n",
      "--schema", schema, "--errors", workshop.path + "/errors")
    #expect(outcome.status == 1 && outcome.errors.contains("2 objects imported"), "\(outcome.errors)")
    let told = try workshop.text("errors")
    for reason in [
      "list: element 2: 300 does not fit Int8", "list: a single value where a list of values is wanted",
      "set: element 2: nil, which no element may be", "by: the value of 'k': 'x' is not a number",
      "by: a list where an object of values by key is wanted", "list: an object where a list of values is wanted",
    ] { #expect(told.contains(reason), "\(reason) in \(told)") }
    #expect(try ask("Thing SELECT code, inner").hasSuffix("{\"code\":\"h\",\"inner\":{\"list\":[],\"set\":null}}\n"))
    let index = try load("x.jsonl", "{}", "--index", "set")
    #expect(index.status == 64 && index.errors.contains("'set' is a collection, which no index can be over"))
  }

  @Test func anImportThatKeepsNothingLeavesNoEntity() throws {
    let first = try load("x.csv", "a,b\n1\n2\n")
    #expect(first.status == 1 && !FileManager.default.fileExists(atPath: store), "\(first.errors)")
    _ = try Command.run(["import", store, try workshop.file("o.csv", "n\n1\n"), "Other"])
    let schema = try workshop.file("thing.swift", "@Model struct Thing { var n: Int8 }")
    let second = try load("y.jsonl", "{\"n\":300}\n{\"n\":\"x\"}\n", "--schema", schema)
    #expect(second.status == 1 && second.errors.contains("2 bad rows left out"), "\(second.errors)")
    #expect(try !Command.run(["schema", store]).output.contains("Thing"))
    let third = try load("z.jsonl", "{\"n\":1.5}\n")
    #expect(third.status == 0, "\(third.errors)")
    #expect(try ask("Thing") == "{\"n\":1.5}\n")
  }

  @Test func aFileCutInTheMiddle() throws {
    let outcome = try load("x.json", "[{\"n\":1},{\"n\":2},{\"n\":")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains(
        "x.json:1: the file ends within the object that begins here (byte 17); the 2 objects before it are kept"),
      "\(outcome.errors)")
    #expect(try ask("COUNT Thing") == "2\n")
  }

  @Test(arguments: [
    ("x.json", ""), ("x.json", "hello"), ("x.json", "[1,2]"), ("x.json", "[]"), ("x.csv", ""), ("x.csv", "a,b\n"),
    ("x.jsonl", ""), ("x.jsonl", "{\n{\n"), ("x.geojson", "{}"), ("x.json", "[{\"a\":[[1]]}]"), ("x.json", "[{}]"),
  ])
  func filesWithNothingInThem(_ name: String, _ text: String) throws {
    let outcome = try load(name, text)
    #expect(outcome.status == 1 && outcome.errors.hasPrefix("error:"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: store), "no store is made for nothing")
  }

  @Test func wrongNamesAreUsage() throws {
    #expect(try load("x.jsonl", "{\"a\":1}", "--key", "b").status == 64)
    #expect(try load("x.jsonl", "{\"a\":1}", "--index", "b").status == 64)
    #expect(try load("x.jsonl", "{\"a\":1}", "--date", "b:ms").status == 64)
    #expect(try load("x.jsonl", "{\"a\":1}", "--upsert").status == 64)
  }

  @Test func indexesOfEveryKind() throws {
    let lines = "{\"code\":\"a\",\"place\":\"Álta\",\"n\":1}\n{\"code\":\"b\",\"place\":\"alta\",\"n\":1}\n"
    let outcome = try load(
      "x.jsonl", lines, "--key", "code", "--index", "place,folded:place,trigram:place,unique:n+place,n+code")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let indexes = try Command.run([store, "--csv", ".headers off", ".indexes"]).output.split(separator: "\n")
      .map { $0.split(separator: ",").dropFirst().prefix(2).joined(separator: ",") }
    #expect(
      indexes.sorted() == [
        "code,unique", "n+code,ordered", "n+place,unique", "place,folded", "place,ordered", "place,trigram",
      ])
    #expect(try ask("COUNT Thing WHERE place ==[cd] 'ALTA'") == "2\n")
    let twice = try load("y.jsonl", "{\"code\":\"c\",\"place\":\"alta\",\"n\":1}\n")
    #expect(try twice.status == 1 && ask("COUNT Thing") == "2\n", "\(twice.errors)")
    for (wrong, reason) in [
      ("folded:n", "a folded index is over text"), ("folded:place+code", "over one property"),
      ("trigram:n", "a trigram index is over text"), ("trigram:place+code", "over one property"),
      ("folded:plac", "did you mean 'place'?"), ("geo:place", "no kind of index 'geo'"), ("folded:", "empty name"),
    ] {
      let refused = try load("x.jsonl", lines, "--index", wrong)
      #expect(refused.status == 64 && refused.errors.contains(reason), "\(wrong): \(refused)")
    }
  }

  @Test func namesWithinObjectsStayWithinThem() throws {
    let lines = #"{"scores":{"x y":1,"xY":2,"z":{"a-b":true}},"my at":{"q":[1]}}"# + "\n"
    let outcome = try load("x.jsonl", lines)
    #expect(outcome.status == 0, "\(outcome.errors)")
    for note in [
      "'scores.x y' is named scores.xY2", "'scores.z.a-b' is named scores.z.aB",
      "'my at' is named myAt",
    ] { #expect(outcome.errors.contains("note: \(note)\n"), "\(note) in \(outcome.errors)") }
    #expect(!outcome.errors.contains("'my at.q'"), "\(outcome.errors)")
    #expect(try ask("Thing") == #"{"scores":{"xY2":1,"xY":2,"z":{"aB":true}},"myAt":{"q":[1]}}"# + "\n")
    // Once the entity is there, of two names that would be one the property's own has it.
    let again = try load("y.jsonl", #"{"scores":{"x y":5,"xY":6,"xY2":7,"z":{"a-b":false}},"my at":{"q":[]}}"# + "\n")
    #expect(again.errors.contains("left out in rows with several of them: 'scores.x y'\n"), "\(again.errors)")
    #expect(try ask("Thing OFFSET 1") == #"{"scores":{"xY2":7,"xY":6,"z":{"aB":false}},"myAt":{"q":[]}}"# + "\n")
  }

  @Test func whatIsExportedIsReadBack() throws {
    let text = """
      {"code":"a","x":1.5,"y":"nan","t":"2018-02-07T01:02:03.125Z","ok":true,"at":{"lon":1.5,"lat":2.0},"s":"q\\"\\u0001é\\n"}
      {"code":"b","x":null,"y":"-inf","t":null,"ok":false,"at":null,"s":""}

      """
    #expect(try load("x.jsonl", text, "--key", "code").status == 0)
    let exported = try ask("Thing")
    #expect(exported == text)
    let csv = try Command.run([store, "--csv", "-c", "Thing"]).output
    for (name, copy) in [("y.jsonl", exported), ("y.csv", csv)] {
      let other = workshop.path + "/copy-" + name
      let outcome = try Command.run(["import", other, try workshop.file(name, copy), "Thing", "--key", "code"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Command.run([other, "-c", "Thing"]).output == text, "\(name)")
    }
  }

  @Test func fromStandardInput() throws {
    let outcome = try Command.run(
      ["import", store, "-", "Thing", "--jsonl", "--quiet"], input: "{\"n\":1}\n{\"n\":2}\n")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(try ask("COUNT Thing") == "2\n")
  }

  @Test func bringsTwoEntitiesIntoOneStore() throws {
    #expect(try load("x.json", "[{\"n\":1,\"at\":{\"x\":1}}]").status == 0)
    let file = try workshop.file("y.json", "[{\"m\":1,\"at\":{\"y\":\"z\"}}]")
    #expect(try Command.run(["import", store, file, "Other"]).status == 0)
    #expect(try ask("Other") == "{\"m\":1,\"at\":{\"y\":\"z\"}}\n")
    #expect(try ask("Thing") == "{\"n\":1,\"at\":{\"x\":1}}\n")
    #expect(try ask(".schema").contains("struct OtherAt"))
  }
}
