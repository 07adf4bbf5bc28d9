import ArgumentParser
import Foundation
import ObjectStoreCore
import Testing

@testable import objquery

/// Imports that are stopped at a moment of choice, and what they tell then: it must be so.
@Suite struct StoppedImportTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  /// When to stop, by the writes of an import.
  private enum Moment {
    /// When the turn of that write has come.
    case before(Int)
    /// When it has been committed.
    case after(Int)
  }

  /// Runs an import that is stopped at a moment; what it tells, or nil when it ran to its end.
  private func stopped(_ moment: Moment, _ words: String...) throws -> String? {
    let cancellation = Cancellation()
    var begun = 0
    let interruption = Interruption(cancellation: cancellation) { isTurn in
      if isTurn { begun += 1 }
      switch moment {
      case .before(let write): if isTurn, begun == write { cancellation.cancel() }
      case .after(let write): if !isTurn, begun == write { cancellation.cancel() }
      }
    }
    do {
      _ = try ImportArguments.parse(words)
        .run(into: .path(store), console: Console(isQuiet: true), interruption: interruption)
      return nil
    } catch let stop as Interrupted {
      return stop.soFar
    }
  }

  private func count(_ entity: String) throws -> String { try Command.run([store, "-c", "COUNT \(entity)"]).output }

  // MARK: A file

  private func rows(_ count: Int) throws -> [String] {
    let schema = try workshop.file("thing.swift", "@Model struct Thing { @Attribute(.unique) var n: Int }")
    return [try workshop.file("x.jsonl", (0..<count).map { "{\"n\":\($0)}\n" }.joined()), "Thing", "--schema", schema]
  }

  /// Three rows are fewer than those between two looks.
  @Test func aFewRowsAreStoppedToo() throws {
    let words = try rows(3)
    #expect(
      try stopped(.before(1), words[0], words[1], words[2], words[3])
        == "nothing of Thing is stored, the entity is there without objects")
    #expect(try count("Thing") == "0\n")
    #expect(try stopped(.before(1), words[0], words[1]) == "nothing more of Thing is stored")
    #expect(try stopped(.after(1), words[0], words[1]) == "3 objects of Thing are stored")
    #expect(try count("Thing") == "3\n")
  }

  @Test func rowsThatReplaceObjectsAreNoObjects() throws {
    let schema = try workshop.file("thing.swift", "@Model struct Thing { @Attribute(.unique) var n: Int }")
    let file = try workshop.file("x.jsonl", String(repeating: "{\"n\":1}\n", count: ImportJob.batch + 1))
    let told = try stopped(.after(1), file, "Thing", "--schema", schema, "--key", "n", "--upsert")
    #expect(told == "100,000 rows of the data went into objects of Thing, what comes after in it did not")
    #expect(try count("Thing") == "1\n")
  }

  // MARK: A folder

  /// A folder of three entities, the first two of which have a link to the next: each is a write, and so are the links
  /// of the first two.
  private func folder() throws -> String {
    try FileManager.default.createDirectory(atPath: workshop.path + "/dump", withIntermediateDirectories: true)
    _ = try workshop.file(
      "dump/schema.swift",
      """
      @Model struct Album { var n: Int; var next: Link<Book>? }
      @Model struct Book { var n: Int; var next: Link<Cover>? }
      @Model struct Cover { var n: Int }
      """)
    for name in ["Album", "Book"] {
      _ = try workshop.file("dump/\(name).jsonl", #"{"@id":1,"n":1,"next":{"@id":1}}"# + "\n")
    }
    _ = try workshop.file("dump/Cover.jsonl", #"{"@id":1,"n":1}"# + "\n")
    return workshop.path + "/dump"
  }

  private static let moments: [(write: Int, told: String)] = [
    (1, "nothing of Album, Book, Cover is stored, the entities are there without objects"),
    (
      2,
      """
      1 object of Album is stored, not all of its links to later ones; \
      nothing of Book, Cover is stored, the entities are there without objects
      """
    ),
    (
      4,
      """
      1 object of Album is stored, not all of its links to later ones; \
      1 object of Book is stored, not all of its links to later ones; 1 object of Cover is stored
      """
    ),
    (
      5,
      """
      1 object of Album is stored; 1 object of Book is stored, not all of its links to later ones; \
      1 object of Cover is stored
      """
    ),
  ]

  @Test(arguments: moments)
  func whatIsThereOfAFolderIsTold(_ moment: (write: Int, told: String)) throws {
    #expect(try stopped(.before(moment.write), try folder()) == moment.told)
    let linked = try Command.run([store, "-c", "COUNT Album WHERE next != nil"]).output
    #expect(linked == (moment.write == 5 ? "1\n" : "0\n"))
  }

  @Test func aFolderThatIsStoredIsToldToBe() throws {
    #expect(
      try stopped(.after(5), try folder())
        == "1 object of Album is stored; 1 object of Book is stored; 1 object of Cover is stored")
  }

  /// What was there before is not what is told of.
  @Test func objectsThatWereThereAreNotTold() throws {
    let folder = try folder()
    #expect(try stopped(.before(99), folder) == nil)
    #expect(try stopped(.before(1), folder) == "nothing more of Album, Book, Cover is stored")
  }
}
