import Testing

/// Rows and objects whose unique values another object has: each is refused by itself, whatever kind of unique index
/// says so, and names that are not what they seem.
@Suite struct UniqueRowsTests {
  private let workshop: Workshop
  private let store: String
  private let schema: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    schema = try workshop.file(
      "models.swift",
      """
      @Model struct Cell { #Unique<Cell>([\\.x, \\.y]); var x: Int; var y: Int?; var text: String }
      @Model struct Tag { @Attribute(.unique) var name: String; @Attribute(.unique) var code: Int?; var note: String? }
      @Model struct Item { @Attribute(.unique) var key: String; var tag: Link<Tag>? }

      """)
  }

  private func load(_ entity: String, _ rows: [String], _ words: String...) throws -> Command.Outcome {
    let file = try workshop.file("rows.jsonl", rows.joined(separator: "\n") + "\n")
    return try Command.run(["import", store, file, entity, "--schema", schema] + words)
  }

  private func ask(_ statement: String) throws -> String {
    try Command.run([store, "-m", "jsonl", "-c", statement]).output
  }

  @Test func aRowThatBreaksACompoundKeyIsABadRow() throws {
    let rows = [#"{"x":1,"y":1,"text":"a"}"#, #"{"x":1,"y":2,"text":"b"}"#, #"{"x":1,"y":1,"text":"c"}"#]
    let first = try load("Cell", rows + [#"{"x":1,"text":"nil"}"#, #"{"x":1,"text":"nil too"}"#])
    #expect(
      first.status == 1 && first.errors.contains("1 bad row") && first.errors.contains("rows.jsonl:3: x+y: "),
      "\(first)")
    #expect(try ask("Cell SELECT text").split(separator: "\n").count == 4)
    let more = try load("Cell", [#"{"x":2,"y":2,"text":"d"}"#, #"{"x":1,"y":2,"text":"e"}"#])
    #expect(more.status == 1 && more.errors.contains("rows.jsonl:2: x+y: "), "\(more)")
    #expect(try ask("COUNT Cell") == "5\n")
  }

  @Test func anInsertThatBreaksACompoundKeyIsRefusedAtOnce() throws {
    _ = try load("Cell", [#"{"x":1,"y":1,"text":"a"}"#])
    let outcome = try Command.run(
      [store, "--no-bail", "-c", "BEGIN", "-c", #"INSERT Cell {"x": 1, "y": 1, "text": "b"}"#]
        + ["-c", #"INSERT Cell {"x": 1, "y": 3, "text": "c"}"#, "-c", "COMMIT"])
    #expect(outcome.status == 1 && outcome.errors.contains("the object was not added"), "\(outcome)")
    #expect(try ask("Cell SELECT text") == "{\"text\":\"a\"}\n{\"text\":\"c\"}\n")
  }

  @Test func aNestedObjectThatTakesAnothersValueIsRefused() throws {
    _ = try load("Tag", [#"{"name":"a","code":1}"#, #"{"name":"b","code":2}"#])
    let rows = [
      #"{"key":"1","tag":{"name":"a","note":"x"}}"#, #"{"key":"2","tag":{"name":"a","code":2}}"#, #"{"key":"3"}"#,
    ]
    let outcome = try load("Item", rows)
    #expect(outcome.status == 1 && outcome.errors.contains("rows.jsonl:2: tag.code: "), "\(outcome)")
    #expect(try ask("COUNT Item") == "2\n")
    #expect(try ask("Tag SELECT name, code, note").hasPrefix("{\"name\":\"a\",\"code\":1,\"note\":\"x\"}\n"))
    let inserted = try Command.run([store, "-c", #"INSERT Item {"key": "4", "tag": {"name": "b", "code": 1}}"#])
    #expect(inserted.status == 1 && inserted.errors.contains("and so is that of another Tag"), "\(inserted)")
    #expect(try Command.run(["check", store]).status == 0)
  }

  /// Each row by itself takes a value that another object still has.
  @Test func anExchangeOfUniqueValuesSaysWhatToDo() throws {
    _ = try load("Tag", [#"{"name":"a","code":1}"#, #"{"name":"b","code":2}"#])
    let exchange = [#"{"name":"a","code":2}"#, #"{"name":"b","code":1}"#]
    let refused = try load("Tag", exchange, "--upsert")
    #expect(
      refused.status == 1
        && refused.errors.contains(
          "1: code: there is already an object with '2'; where objects exchange their values, import them first with "
            + "others, then with these\n"),
      "\(refused)")
    // What it says helps.
    #expect(try load("Tag", [#"{"name":"a"}"#, #"{"name":"b"}"#], "--upsert").status == 0)
    #expect(try load("Tag", exchange, "--upsert").status == 0)
    #expect(try ask("Tag SORT BY name SELECT code") == "{\"code\":2}\n{\"code\":1}\n")
    #expect(try !load("Tag", exchange).errors.contains("exchange"))
  }

  /// Entities and properties whose names have letters in different normal forms.
  @Test func namesInDifferentNormalForms() throws {
    let (decomposed, composed) = ("e\u{301}", "\u{E9}")
    let file = try workshop.file("x.csv", "id,\(decomposed),\(composed)2\n1,2,3\n")
    for entity in [decomposed, composed + "2"] {
      let outcome = try Command.run(["import", store + "2", file, entity])
      #expect(outcome.status == 0, "\(outcome)")
      let found = try Command.run([store + "2", "-m", "csv", "-c", "\(entity) SELECT \(composed), \(composed)2"])
      #expect(found.output.hasSuffix("\n2,3\n"), "\(found)")
    }
    #expect(try Command.run(["check", store + "2"]).status == 0)
  }

  @Test func aKeyThatIsThereTwiceIsRefusedInALargeObjectToo() throws {
    _ = try load("Cell", [#"{"x":1,"y":1,"text":"a"}"#])
    let names = (0..<1_500).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    let outcome = try Command.run([store, "-c", "INSERT Cell {\(names), \"k1400\": 2}"])
    #expect(outcome.errors.contains("'k1400' is there twice"), "\(outcome.errors.suffix(300))")
  }
}
