import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// A key that one object has at most, with other conditions beside it: found by the index as a scan finds it, also where
/// values are nil, NaN, either zero, too long for a key, or not unique yet.
@Suite struct OnlyObjectTests {
  private static let schema = Schema(entities: [
    Entity(
      name: "Thing",
      properties: [
        Property(name: "code", type: .scalar(.string), isOptional: true),
        Property(name: "size", type: .scalar(.double), isOptional: true),
        Property(name: "n", type: .scalar(.int)),
      ],
      indexes: [Index(kind: .unique, paths: ["code"]), Index(kind: .unique, paths: ["size"])])
  ])

  private static let long = String(repeating: "x", count: 600)

  private static let texts: [Value] = [
    .null, .string("a"), .string("b"), .string(""), .string("a\u{0}b"), .string(long + "1"), .string(long + "2"), .null,
  ]
  private static let sizes: [Value] = [
    .null, .double(.nan), .double(-0.0), .double(1.5), .double(.infinity), .null, .double(-7), .double(1e300),
  ]

  private static func store(longTexts: Bool) throws -> TestStore {
    let texts = longTexts ? texts : texts.filter { if case .string(let text) = $0 { text.count < 100 } else { true } }
    return try TestStore(
      schema, rows: texts.indices.map { [texts[$0], sizes[$0], .int(Int64($0))] })
  }

  @Test(arguments: [false, true]) func itIsFoundAsAScanFindsIt(longTexts: Bool) throws {
    let store = try Self.store(longTexts: longTexts)
    let snapshot = try store.file.beginSnapshot()
    var isFound = 0
    for (column, values) in [("code", Self.texts), ("size", Self.sizes + [.double(0), .int(1), .double(-7.5)])] {
      for value in values {
        for rest in ["n >= 0", "n == 3", "n < 0", "n > 0 AND code != 'a'"] {
          let text = "\(column) == %@ AND \(rest)"
          let query = try store.compile(text, Arguments([value]))
          var untold = PlannerOptions()
          untold.namesRejected = false
          let wanted = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly)).objects(in: snapshot)
          for options in [untold, PlannerOptions(access: .forceIndex([column]))] {
            let plan = try query.plan(in: snapshot, options: options)
            #expect(try plan.objects(in: snapshot) == wanted, "\(text) \(value)")
            #expect(try plan.count(in: snapshot) == wanted.count, "\(text) \(value)")
            if wanted.count == 1 { isFound += 1 }
          }
        }
      }
    }
    #expect(isFound > 20)
  }

  /// Within a write several objects may have the value, until it ends.
  @Test func aValueThatIsNotUniqueYetHasAllItsObjects() throws {
    let store = try Self.store(longTexts: false)
    struct NotKept: Error {}
    #expect(throws: NotKept.self) {
      try store.file.write { session in
        let entity = try #require(session.schema.entity(named: "Thing"))
        for number in 10..<13 { _ = try session.insert([.string("a"), .null, .int(Int64(number))], into: entity) }
        let snapshot = try session.snapshot()
        let query = try store.compile("code == 'a' AND n >= 0")
        for options in [PlannerOptions(), PlannerOptions(access: .forceIndex(["code"]))] {
          let plan = try query.plan(in: snapshot, options: options)
          #expect(try plan.count(in: snapshot) == 4)
          #expect(try plan.objects(in: snapshot).count == 4)
        }
        throw NotKept()
      }
    }
  }

  @Test func itIsToldToStop() throws {
    let store = try Self.store(longTexts: false)
    let options = PlannerOptions(access: .forceIndex(["code"]), isCancelled: { true })
    #expect(throws: QueryCancelled.self) { try store.rows("code == 'a' AND n >= 0", options: options) }
  }
}
