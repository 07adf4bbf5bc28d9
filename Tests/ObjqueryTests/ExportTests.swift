import Foundation
import Testing

/// What is written to files: `.export`, `.dump`, and that import reads it back.
@Suite struct ExportTests {
  let workshop: Workshop
  let store: String

  private static let schema = """
    @Model struct Inner { var list: [Double]; var note: String? }
    @Model struct Thing {
      @Attribute(.unique) var code: String
      var n: Int8?; var t: Date?; var raw: Data?; var tags: Set<String>; var by: [String: Double]; var inner: Inner?
    }
    @Model struct Other { #Index<Other>([\\.a, \\.b]); var a: Int; var b: Bool }

    """

  private static let things = [
    #"{"code":"a","n":null,"t":null,"raw":null,"tags":[],"by":{},"inner":null}"#,
    #"{"code":"b \"x\"","n":-5,"t":"2018-02-07T01:02:03.25Z","raw":"AQI=","tags":["","é"],"by":{"":0.5,"a b":"nan"},"inner":{"list":[0.1],"note":null}}"#,
  ]

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file("models.swift", Self.schema)
    for (name, lines) in [("Thing", Self.things), ("Other", [#"{"a":1,"b":true}"#, #"{"a":2,"b":false}"#])] {
      let file = try workshop.file("\(name).jsonl", lines.joined(separator: "\n") + "\n")
      let outcome = try Command.run(["import", "--quiet", store, file, name, "--schema", schema])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    }
  }

  private func ask(_ words: String..., input: String = "") throws -> Command.Outcome {
    try Command.run([store] + words, input: input)
  }

  /// The name of a pipe says the mode as that of a file does.
  @Test func aPipeIsWrittenAsItsNameSays() throws {
    let pipe = workshop.path + "/p.csv"
    #expect(mkfifo(pipe, 0o600) == 0)
    // Open for both ends, so that nobody waits for the other.
    let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let outcome = try Command.run(["export", store, pipe, "Other WHERE b"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(String(decoding: file.availableData, as: UTF8.self) == "a,b\n1,true\n")
  }

  /// What a file that standard output leads to holds already stays.
  @Test func standardOutputIsNotCutOff() throws {
    let process = Process()
    let path = try workshop.file("out", "before\n")
    process.executableURL = try Command.binary()
    process.arguments = [store, "-c", "COUNT Other", "-c", ".export --csv /dev/stdout Other WHERE b"]
    process.standardInput = FileHandle.nullDevice
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    process.standardOutput = file
    try process.run()
    process.waitUntilExit()
    #expect(try workshop.text("out") == "before\n2\na,b\n1,true\n")
  }

  @Test func aDumpIsReadBack() throws {
    let folder = workshop.path + "/dump"
    let outcome = try ask(".dump \(folder)")
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(try workshop.text("dump/Thing.jsonl") == Self.things.joined(separator: "\n") + "\n")
    let copy = workshop.path + "/copy"
    // As the note says it.
    let notes = outcome.errors.split(separator: "\n")
    #expect(notes.count == 1)
    for note in notes {
      let words = note.drop { $0 != ":" }.dropFirst().split(separator: " ").map(String.init)
      #expect(words.first == "objquery")
      let back = try Command.run(words.dropFirst().map { $0 == "STORE" ? copy : $0 })
      #expect(back.status == 0 && back.errors.components(separatedBy: "2 objects imported").count == 3, "\(back)")
    }
    #expect(try Command.run(["schema", copy]).output == Command.run(["schema", store]).output)
    for entity in ["Thing", "Other"] {
      #expect(try Command.run([copy, entity]).output == ask(entity).output)
    }
    #expect(try Command.run(["check", copy]).status == 0)
    let again = try ask(".dump \(folder)")
    #expect(again.status == 1 && again.errors.contains("is not empty"), "\(again)")
    #expect(try ask(".dump /proc/none").status == 1)
    #expect(try ask(".dump").errors.contains("usage: .dump FOLDER"))
    #expect(try ask("--safe", ".dump \(workshop.path)/safe").errors.contains("--safe"))
  }

  @Test func aDumpIsOfTheOpenTransaction() throws {
    let outcome = try ask(input: "BEGIN; DELETE Other WHERE a == 1;\n.dump \(workshop.path)/d\nROLLBACK;")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try workshop.text("d/Other.jsonl") == "{\"a\":2,\"b\":false}\n")
    #expect(try ask("COUNT Other").output == "2\n")
  }

  @Test func exportsGoByTheNameOfTheFile() throws {
    let path = workshop.path
    let outcome = try ask(".export \(path)/o.md Other SELECT a AS 'it''s', b", "COUNT Other")
    #expect(outcome.status == 1, "a quote within quotes is an error: \(outcome)")
    let good = try ask(
      ".export \(path)/o.csv Other SORT BY a DESC", ".export \(path)/o.json Other WHERE a == 1",
      ".export \(path)/o.md Other SELECT a AS 'an a', b;", ".export --tsv \(path)/o.txt Other",
      ".export '\(path)/a b.jsonl' Thing WHERE code == \"a\" SELECT code", "COUNT Other")
    #expect(good.status == 0 && good.output == "2\n" && good.errors.isEmpty, "\(good)")
    #expect(try workshop.text("o.csv") == "a,b\n2,false\n1,true\n")
    #expect(try workshop.text("o.json") == "[\n{\"a\":1,\"b\":true}\n]\n")
    #expect(try workshop.text("o.md") == "| an a | b     |\n|-----:|-------|\n|    1 | true  |\n|    2 | false |\n")
    #expect(try workshop.text("o.txt") == "a\tb\n1\ttrue\n2\tfalse\n")
    #expect(try workshop.text("a b.jsonl") == "{\"code\":\"a\"}\n")
  }

  @Test func aFileThatIsThereIsKept() throws {
    let file = try workshop.file("kept.csv", "kept")
    for words in [[store, ".export \(file) Other"], ["export", store, file, "Other"]] {
      let refused = try Command.run(words)
      #expect(refused.status == 1 && refused.errors.contains("--overwrite"), "\(refused)")
      #expect(try workshop.text("kept.csv") == "kept")
    }
    chmod(file, 0o640)
    #expect(try ask(".export --overwrite \(file) Other WHERE b").status == 0)
    #expect(try workshop.text("kept.csv") == "a,b\n1,true\n")
    let replaced = try Command.run(["export", "--overwrite", store, file, "Other WHERE NOT b"])
    #expect(replaced.status == 0 && replaced.errors.isEmpty, "\(replaced)")
    #expect(try workshop.text("kept.csv") == "a,b\n2,false\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    // Through a link, what it leads to.
    let link = workshop.path + "/link.csv"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "kept.csv")
    #expect(try Command.run(["export", store, link, "Other"]).errors.contains("--overwrite"))
    #expect(try Command.run(["export", "--overwrite", store, link, "Other WHERE b"]).status == 0)
    #expect(try workshop.text("kept.csv") == "a,b\n1,true\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "kept.csv")
    #expect(try names().filter { $0.hasPrefix(".") } == [])
    #expect(try Command.run(["export", store, workshop.path, "--csv", "Other"]).status == 1)
    #expect(try Command.run(["export", "--csv", store, "/dev/stdout", "Other WHERE b"]).output == "a,b\n1,true\n")
  }

  /// A name whose ending stands for nothing needs a mode; with one, any name will do.
  @Test(arguments: ["x.parquet", "x.shp", "x.xyz", "x", "csv"]) func namesThatSayNothing(_ name: String)
    throws
  {
    let file = workshop.path + "/" + name
    let subcommand = try Command.run(["export", store, file, "Other"])
    #expect(subcommand.status == 64 && subcommand.errors.contains(".jsonl"), "\(subcommand)")
    #expect(subcommand.errors.contains("--mode") && subcommand.errors.contains("markdown"), "\(subcommand)")
    #expect(try ask(".export \(file) Other").status == 1)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try Command.run(["export", "--mode", "csv", store, file, "Other WHERE b"]).status == 0)
    #expect(try workshop.text(name) == "a,b\n1,true\n")
    #expect(try ask(".export --mode tsv --overwrite \(file) Other WHERE b").status == 0)
    #expect(try workshop.text(name) == "a\tb\n1\ttrue\n")
  }

  /// A mode that is said decides, whatever the name's ending.
  @Test func theModeDecides() throws {
    let file = workshop.path + "/x.csv"
    #expect(try ask(".export -m jsonl \(file) Other WHERE b").status == 0)
    #expect(try workshop.text("x.csv") == "{\"a\":1,\"b\":true}\n")
  }

  /// A disk that is full, or a name that is none: nothing is left.
  @Test func whatFailsLeavesNothing() throws {
    #expect(try Command.run(["export", store, workshop.path + "/none/x.csv", "Other"]).errors.contains("cannot write"))
    #expect(try ask(".dump \(workshop.path)/none/d").errors.contains("cannot make"))
    let before = try names()
    #expect(try ask(".export \(workshop.path)/y.csv Other WHERE a / (a - 1) > 'x'").status == 1)
    #expect(try names() == before)
  }

  /// What a killed process left behind is removed by the next that writes there, and nothing else.
  @Test func leftoversAreRemoved() throws {
    _ = try workshop.file(".o.csv.new-abc", "half")
    _ = try workshop.file(".o.csvx", "another's")
    try FileManager.default.createDirectory(atPath: workshop.path + "/.d.new-abc", withIntermediateDirectories: true)
    _ = try workshop.file(".d.new-abc/Other.jsonl", "half")
    #expect(try ask(".export \(workshop.path)/o.csv Other", ".dump \(workshop.path)/d").status == 0)
    #expect(try names().filter { $0.hasPrefix(".") } == [".o.csvx"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/d").count == 3)
  }

  @Test func aDumpGoesIntoAnEmptyFolder() throws {
    try FileManager.default.createDirectory(atPath: workshop.path + "/empty", withIntermediateDirectories: true)
    #expect(try ask(".dump \(workshop.path)/empty/").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/empty").count == 3)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: workshop.path).sorted()
  }

  @Test func whatIsExportedWithoutAStatement() throws {
    let which = try ask(".export \(workshop.path)/x.csv")
    #expect(
      which.status == 1 && which.errors.contains("there are Other, Thing")
        || which.errors.contains("there are Thing, Other"), "\(which)")
    #expect(try ask(".use Other", ".export \(workshop.path)/x.jsonl").status == 0)
    #expect(try workshop.text("x.jsonl") == "{\"a\":1,\"b\":true}\n{\"a\":2,\"b\":false}\n")
  }

  @Test func aWrongExportLeavesTheFileAlone() throws {
    let file = try workshop.file("kept.csv", "kept")
    for (statement, reason) in [
      ("Other WHERE c == 1", "unknown-property"), ("Nothing", "unknown-entity"),
      ("DELETE Other WHERE a == 1", "can be exported"),
      ("Other WHERE", "error"),
    ] {
      let outcome = try ask(".export \(file) \(statement)")
      #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome)")
    }
    #expect(try workshop.text("kept.csv") == "kept")
    #expect(try ask(".export --nonsense x Other").errors.contains("there is no mode"))
    #expect(try ask(".export --csv --json x Other").errors.contains("one mode"))
    #expect(try ask("--safe", ".export x Other").errors.contains("--safe"))
    #expect(try ask(".export \(workshop.path)/none/x.csv Other").errors.contains("cannot write"))
    #expect(try ask("COUNT Other").output == "2\n")
  }

  @Test func theSubcommand() throws {
    let csv = try Command.run(["export", store, workshop.path + "/s.csv", "Other WHERE b"])
    #expect(csv.status == 0 && csv.output.isEmpty && csv.errors.isEmpty, "\(csv)")
    #expect(try workshop.text("s.csv") == "a,b\n1,true\n")
    #expect(try Command.run(["export", "--json", store, "-", "Other LIMIT 0"]).output == "[]\n")
    #expect(try Command.run(["export", store, "-", "COUNT Other"]).output == "2\n")
    #expect(try Command.run(["export", workshop.path + "/none", "-", "Other"]).status == 2)
    #expect(try Command.run(["export", store, "-", "Other WHERE"]).status == 1)
    #expect(try Command.run(["export", "--json", "--mode", "csv", store, "-", "Other"]).status == 64)
    #expect(try Command.run(["export", store]).status == 64)
  }
}
