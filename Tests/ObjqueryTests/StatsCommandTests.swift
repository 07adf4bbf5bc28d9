import Foundation
import ObjectStoreCore
import Testing

@testable import objquery

/// `objquery stats` and `.stats`: figures that agree with each other and with the file.
@Suite struct StatsCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let lines = (0..<3_000).map {
      #"{"id":\#($0),"kind":"k","note":"note \#($0)","long":"\#(String(repeating: "x", count: $0 % 500 == 0 ? 9_000 : 3))"}"#
    }
    let file = try workshop.file("notes.jsonl", lines.joined(separator: "\n") + "\n")
    let outcome = try Command.run([
      "import", "--quiet", store, file, "Note", "--key", "id", "--index", "kind,trigram:note",
    ])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private struct Figures: Decodable {
    struct Column: Decodable {
      struct Encoding: Decodable { var encoding: String; var chunks: Int; var bytes: Int }
      var column: String
      var chunks: Int
      var bytes: Int
      var overflowValues: Int
      var overflowBytes: Int
      var encodings: [Encoding]
    }
    struct Entity: Decodable {
      var entity: String; var objects: Int; var clusters: Int; var bytes: Int; var columns: [Column]
    }
    struct Index: Decodable {
      var entity: String; var index: String; var kind: String; var entries: Int; var bytes: Int
    }
    struct Reader: Decodable {
      var version: Int; var process: Int; var program: String?; var command: String?; var label: String?;
      var exact: Bool
    }
    struct Writer: Decodable { var process: Int }
    var file: Int
    var used: Int
    var free: Int
    var page: Int
    var map: Int
    var version: Int
    var readers: Int
    var oldestReader: Reader?
    var oldestReaders: [Reader]
    var writer: Writer?
    var entities: [Entity]
    var indexes: [Index]
    var system: Int
    var problems: [String]
  }

  private func figures(_ words: [String]? = nil) throws -> Figures {
    let outcome = try Command.run(words ?? ["stats", "--json", store])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    return try JSONDecoder().decode(Figures.self, from: Data(outcome.output.utf8))
  }

  @Test func allBytesAreOfSomething() throws {
    for statement in ["COUNT Note", "DELETE Note WHERE id < 1000", "UPDATE Note SET kind = 'other' WHERE id < 2000"] {
      #expect(try Command.run([store, "--yes", "--quiet", "-c", statement]).status == 0)
      let figures = try figures()
      let parts = figures.entities.map(\.bytes) + figures.indexes.map(\.bytes) + [figures.system]
      #expect(parts.reduce(0, +) == figures.used, "\(statement)")
      #expect(figures.used + figures.free == figures.file && figures.file % figures.page == 0)
      #expect(figures.problems.isEmpty && figures.readers == 0 && figures.writer == nil)
    }
    let size = try FileManager.default.attributesOfItem(atPath: store + "/data.mdb")[.size] as? Int
    #expect(try figures().file == size)
  }

  @Test func columnsAndIndexesAreNamed() throws {
    let figures = try figures([store, "-m", "json", "-c", ".stats"])
    let note = try #require(figures.entities.first)
    #expect(
      note.objects == 3_000 && note.clusters == 12 && note.columns.map(\.column) == ["id", "kind", "note", "long"])
    for column in note.columns {
      #expect(column.chunks == 12 && column.encodings.reduce(0) { $0 + $1.chunks } == 12)
      #expect(column.bytes == column.encodings.reduce(0) { $0 + $1.bytes } + 12 * 48)
    }
    #expect(note.columns[3].overflowValues == 6 && note.columns[3].overflowBytes == 6 * 9_000)
    #expect(figures.indexes.map(\.index) == ["id", "kind", "note"])
    #expect(figures.indexes.map(\.kind) == ["unique", "ordered", "trigram"])
  }

  @Test func aPersonReadsTheSame() throws {
    let text = try Command.run(["stats", store]).output
    for line in [
      "used ", "free ", "readers          none", "  long ", "outside 6 values of 52.7 KiB", "  index kind: ",
    ] {
      #expect(text.contains(line), "\(line) is not in\n\(text)")
    }
    #expect(try Command.run([store, "-c", ".stats"]).output != "")
    #expect(try Command.run(["stats", workshop.path + "/none"]).status == 2)
  }

  @Test func aReaderIsNamedWithItsCommand() throws {
    let terminal = try Terminal([store, "--no-rc"], state: workshop.path)
    #expect(terminal.wait(for: "> "))
    terminal.type(".watch Note WHERE id < 3\r")
    #expect(terminal.wait(for: "note 2"))
    let reader = try #require(try figures().oldestReader)
    #expect(reader.process == Int(terminal.processID) && reader.command?.contains("objquery ") == true, "\(reader)")
    let text = try Command.run(["stats", store]).output
    #expect(text.contains("process \(terminal.processID) (\(reader.command ?? "-"))"), "\(text)")
    // A program that says nothing of itself is labelled by its name.
    #expect(reader.label == "objquery" && text.contains("objquery: version "), "\(reader) \(text)")
    terminal.interrupt()
    #expect(terminal.wait(for: "> "))
    terminal.type(".quit\r")
    #expect(terminal.status() == 0)
  }

  /// The ten oldest of twelve readers, the oldest first, by what their programs say of themselves.
  @Test func readersAreLabelled() throws {
    let reading = try Store.openDynamic(store, mode: .readOnly)
    func look(_ held: Int = 0) throws {
      if held == 12 { return try lookAtAll() }
      reading.label = "report \(held)\u{7}"
      try reading.snapshot { _ in
        let change = "UPDATE Note SET kind = 'turn \(held)' WHERE id == 1"
        #expect(try Command.run([store, "--quiet", "-c", change]).status == 0)
        try look(held + 1)
      }
    }
    func lookAtAll() throws {
      let figures = try figures()
      #expect(figures.readers == 12)
      #expect(figures.oldestReaders.map(\.label) == (0..<10).map { "report \($0)\u{7}" })
      #expect(figures.oldestReader?.label == "report 0\u{7}")
      let text = try Command.run(["stats", store]).output
      #expect(text.contains("report 9") && !text.contains("report 10") && !text.contains("\u{7}"), "\(text)")
    }
    try look()
  }

  @Test func aWriterIsNamed() throws {
    // A typed transaction in another process.
    let terminal = try Terminal([store, "--no-rc"], state: workshop.path)
    #expect(terminal.wait(for: "> "))
    terminal.type("BEGIN; UPDATE Note SET kind = 'w' WHERE id == 1\r")
    #expect(terminal.wait(for: "1 object changed"))
    let figures = try figures()
    #expect(figures.writer?.process == Int(terminal.processID), "\(figures)")
    terminal.type("ROLLBACK\r.quit\r")
    _ = terminal.status()
  }
}
