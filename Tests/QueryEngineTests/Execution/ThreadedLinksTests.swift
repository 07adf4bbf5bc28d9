import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Paths through links wherever an expression may stand, on several threads: helpers read nothing but their cluster, so
/// what needs other objects must be left to the caller's thread.
@Suite struct ThreadedLinksTests {
  /// 50 people, the fifth of them nameless, and 9,000 boxes, each with a lead, in 36 clusters.
  private static let store: Result<StoreFile, any Error> = Result {
    let person = Entity(
      name: "Person",
      properties: [
        Property(name: "name", type: .scalar(.string), isOptional: true), Property(name: "age", type: .scalar(.int)),
        Property(name: "friends", type: .list("Person")),
      ])
    let box = Entity(
      name: "Box",
      properties: [
        Property(name: "code", type: .scalar(.string)), Property(name: "noise", type: .dictionary(.int)),
        Property(name: "levels", type: .array(.int)), Property(name: "n", type: .scalar(.int)),
        Property(name: "lead", type: .link("Person"), isOptional: true),
      ])
    let file = try StoreFile.inMemory(declaring: Schema(entities: [person, box]))
    try file.write { session in
      guard let person = session.schema.entity(named: "Person"), let box = session.schema.entity(named: "Box") else {
        return
      }
      for n in 0..<50 {
        let name: Value = n % 5 == 4 ? .null : .string("p\(n % 10)")
        _ = try session.insert([name, .int(Int64(n % 4)), .list([.int(Int64(n * 7 % 50) + 1)])], into: person)
      }
      for n in 0..<9000 {
        let noise = (0..<3).map { EmbeddedField(name: "p\((n + $0 * 3) % 10)", value: .int(Int64((n + $0) % 9))) }
        _ = try session.insert(
          [
            .string("p\(n % 10)"), .embedded(noise), .list((0..<(n % 4)).map { .int(Int64((n * 3 + $0) % 9)) }),
            .int(Int64(n % 4)), n % 7 == 0 ? .null : .int(Int64(n * 13 % 50) + 1),
          ], into: box)
      }
    }
    return file
  }

  @Test(arguments: [
    "noise[lead.name] > 3", "NOT noise[lead.name] > 3", "noise[lowercase(lead.name)] == nil",
    "noise[TERNARY(lead.age > 1, 'p1', code)] > 3", "levels[lead.age] > 3", "levels[lead.age + n - 1] == nil",
    "levels[noise[lead.name]] > 2", "noise[code] + lead.age > 3", "TERNARY(noise[lead.name] > 3, n, 2) == 2",
    "ANY levels == noise[lead.name]", "SUBQUERY(levels, $x, $x > noise[lead.name]).@count > 0",
    "noise[lead.friends[0].name] > 3", "{noise[lead.name], 1} == levels", "n IN {noise[lead.name], 3}",
    "noise[lead.name] BETWEEN {levels[0], levels[1]}", "max({noise[lead.name], n}) > 3",
    "noise.@keys.@count > lead.age", "ANY lead.friends.age == noise[lead.name]",
  ])
  func findTheSame(_ text: String) throws {
    let file = try Self.store.get()
    let query = try Works.compile("Box", text, in: file)
    for links in LinkAccess.allCases {
      let snapshot = try file.beginSnapshot()
      func found(_ threads: ScanThreads) throws -> [ObjectNumber] {
        var options = PlannerOptions(links: links)
        options.threads = threads
        return try query.plan(in: snapshot, options: options).objects(in: snapshot)
      }
      let alone = try found(.one)
      #expect(!alone.isEmpty && alone.count < 9000)
      // The first scan of a version goes without a table, and so without helpers.
      for threads in [2, 3, 8] { #expect(try found(.always(threads)) == alone, "\(links), \(threads)") }
    }
  }
}
