import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What is remembered of a linked object while rows are shown is not said of another group, whatever of the group it
/// depends on: a list that is a key, too.
@Suite struct RememberedGroupTests {
  @Test func listsThatAreKeysAreOfTheirGroup() throws {
    let schema = Schema(
      entities: [
        Entity(
          name: "Item",
          properties: [
            Property(name: "info", type: .embedded("Info")),
            Property(name: "lead", type: .link("Person"), isOptional: true),
          ]),
        Entity(
          name: "Person",
          properties: [
            Property(name: "name", type: .scalar(.string)), Property(name: "friends", type: .list("Person")),
          ]),
      ],
      embedded: [Entity(name: "Info", properties: [Property(name: "words", type: .array(.string))])])
    let file = try StoreFile.inMemory(declaring: schema)
    try file.write { session in
      guard let item = session.schema.entity(named: "Item"), let person = session.schema.entity(named: "Person") else {
        return
      }
      _ = try session.insert([.string("a"), .list([.int(2)])], into: person)
      _ = try session.insert([.string("b"), .list([.int(1)])], into: person)
      for word in ["a", "b", "c"] { _ = try session.insert([.list([.string(word)]), .int(1)], into: item) }
    }
    let snapshot = try file.beginSnapshot()
    // The lead is a, a's friend is b, b's friend is a: only the first group has that word.
    let text =
      "Item GROUP BY info, lead SELECT SUBQUERY(lead.friends, $f, ANY $f.friends.name IN info.words).@count AS n"
    var found: [[Value]] = []
    try LinkedRowsTests.compiled(text, snapshot).plan(in: snapshot).found(in: snapshot).forEach {
      found.append($0)
      return true
    }
    #expect(found == [[.int(1)], [.int(0)], [.int(0)]])
  }
}
