import Schema
import Storage
import Testing
import Values

/// Random writes against a dictionary: whatever is inserted, changed, deleted, rolled back or reopened, the store holds
/// what the dictionary holds, and every index fits the objects.
@Suite struct RandomStoreTests {
  private static let schema = Schema.only(
    "Thing",
    [
      .scalar("code", .string), .scalar("size", .int, optional: true), .scalar("weight", .double),
      .scalar("flag", .bool), .scalar("note", .string, optional: true), .scalar("tiny", .int8),
      .scalar("single", .float), .scalar("moment", .date, optional: true), .scalar("key", .uuid),
      .scalar("blob", .data, optional: true), Property(name: "tags", type: .set(.string)),
      Property(name: "marks", type: .array(.int16), isOptional: true),
      Property(name: "shares", type: .dictionary(.double)),
    ],
    indexes: [
      Index(kind: .unique, paths: ["code"]), Index(paths: ["size"]), Index(paths: ["weight"]),
      Index(paths: ["flag", "size"]), Index(paths: ["note"]), Index(kind: .unique, paths: ["size", "code"]),
      Index(paths: ["blob"]), Index(paths: ["moment", "note"]), Index(kind: .folded, paths: ["note"]),
      Index(kind: .trigram, paths: ["note"]), Index(kind: .trigram, paths: ["code"]),
    ])

  /// What the store should hold.
  private struct Model {
    var rows: [UInt64: [Value]] = [:]
    var next: UInt64 = 1
  }

  private static func text(_ random: inout Seeded, longest: Int) -> String {
    let length = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0...longest, using: &random) : 5
    return String((0..<length).map { _ in ["a", "B", "é", "\0", "ß", "日"].randomElement(using: &random) ?? "a" })
  }

  private static func row(_ random: inout Seeded, code: String) -> [Value] {
    let isOdd = Bool.random(using: &random)
    let number = Int64.random(in: -5...5, using: &random)
    let weights = [0.0, -0.0, .nan, .infinity, -.infinity, 1.5, Double(number)]
    return [
      .string(code), isOdd ? .null : .int(number == 5 ? .max : number),
      .double(weights.randomElement(using: &random) ?? 0), .bool(isOdd),
      isOdd ? .null : .string(text(&random, longest: 3000)), .int(number), .float(Float(number) / 4),
      number == 3 ? .null : .date(Instant(seconds: Double(number) * 0.1)),
      .uuid(UUIDBytes(high: random.next(), low: random.next())),
      number < 2 ? .null : .data(Array(text(&random, longest: 6000).utf8)),
      CollectionKind.set.canonical(.list(texts(&random).map { .string($0) })),
      isOdd ? .null : .list((0..<count(&random)).map { _ in .int(Int64.random(in: -9...9, using: &random)) }),
      CollectionKind.dictionary.canonical(
        .embedded(
          texts(&random).map { EmbeddedField(name: $0, value: .double(weights.randomElement(using: &random) ?? 1)) })),
    ]
  }

  /// How many elements: few, now and then so many that they are kept out of line.
  private static func count(_ random: inout Seeded) -> Int {
    Int.random(in: 0...19, using: &random) == 0 ? 1500 : Int.random(in: 0...4, using: &random)
  }

  private static func texts(_ random: inout Seeded) -> [String] {
    let count = Int.random(in: 0...19, using: &random) == 0 ? 400 : Int.random(in: 0...3, using: &random)
    return (0..<count).map { "\($0)" + text(&random, longest: 9) }
  }

  private static func change(
    _ model: inout Model, _ session: WriteSession, _ random: inout Seeded
  ) throws {
    let entity = try #require(session.schema.entity(named: "Thing"))
    for _ in 0..<Int.random(in: 1...120, using: &random) {
      let known = model.rows.keys.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let row = row(&random, code: "c\(model.next)")
        let number = try session.insert(row, into: entity)
        #expect(number.rawValue == model.next)
        model.rows[model.next] = row
        model.next += 1
      case 9..<14:
        guard let known, let old = model.rows[known] else { continue }
        let new = row(&random, code: old[0].text)
        let columns = (1..<new.count).shuffled(using: &random).prefix(3)
        try session.update(ObjectNumber(known), of: entity, columns.map { ($0, new[$0]) })
        for column in columns { model.rows[known]?[column] = new[column] }
      case 14..<17:
        guard let known else { continue }
        #expect(try session.delete(ObjectNumber(known), of: entity))
        #expect(try !session.delete(ObjectNumber(known), of: entity))
        model.rows[known] = nil
      case 17:
        guard let known, let row = model.rows[known] else { continue }
        let index = try #require(entity.index(named: "code"))
        #expect(try session.find(unique: index, row[0], of: entity)?.rawValue == known)
        #expect(try session.find(unique: index, .string("nobody"), of: entity) == nil)
        #expect(same(try session.row(ObjectNumber(known), of: entity), row))
      case 18:
        #expect(throws: StoreError.self) { try session.insert([.null], into: entity) }
        var row = row(&random, code: "refused")
        row[5] = .int(200)
        #expect(throws: StoreError.self) { try session.insert(row, into: entity) }
        row[5] = .null
        #expect(throws: StoreError.self) { try session.insert(row, into: entity) }
      default:
        let snapshot = try session.snapshot()
        #expect(try snapshot.objectCount(entity) == model.rows.count)
        if let known { #expect(same(try snapshot.row(ObjectNumber(known), of: entity), model.rows[known])) }
      }
    }
  }

  private struct Rollback: Error {}

  @Test(arguments: [UInt64(1), 2, 3, 4]) func followsTheModel(seed: UInt64) throws {
    let folder = try StoreFolder()
    var random = Seeded(seed)
    var model = Model()
    var file: StoreFile? = try folder.open(Self.schema)
    for round in 0..<25 {
      let open = try #require(file)
      let keeps = Int.random(in: 0..<4, using: &random) != 0
      var changed = model
      do {
        try open.write { session in
          try Self.change(&changed, session, &random)
          if !keeps { throw Rollback() }
        }
        model = changed
      } catch is Rollback {}
      let rows = try open.rows("Thing")
      #expect(rows.count == model.rows.count, "seed \(seed), round \(round)")
      for (number, row) in model.rows where !same(rows[number], row) {
        Issue.record("seed \(seed), round \(round): object \(number) is \(rows[number] ?? []), not \(row)")
        return
      }
      try open.expectWhole("seed \(seed), round \(round)")
      if round % 5 == 4 {
        file = nil
        file = try folder.open(round % 10 == 4 ? Self.schema : nil)
      }
    }
  }
}

/// Whether two rows are the same, NaN being itself.
func same(_ left: [Value]?, _ right: [Value]?) -> Bool {
  guard let left, let right, left.count == right.count else { return left == nil && right == nil }
  return zip(left, right).allSatisfy { $0.isSame(as: $1) }
}

extension Value {
  /// The text of a string, for tests that know it is one.
  var text: String {
    if case .string(let text) = self { text } else { "" }
  }
}
