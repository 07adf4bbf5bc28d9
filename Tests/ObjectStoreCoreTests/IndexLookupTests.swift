import Foundation
import PredicateLanguage
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// Filters that are asked again with other arguments and find their objects by an index without being planned: they find
/// what the same filters find when they are asked for the first time.
@Suite struct IndexLookupTests {
  private static let types: [(name: String, type: ScalarType)] = [
    ("tiny", .int8), ("whole", .int), ("single", .float), ("double", .double), ("text", .string), ("moment", .date),
    ("uuid", .uuid), ("flag", .bool), ("bytes", .data), ("other", .int), ("rest", .double),
  ]

  private static func schema() -> Schema {
    var entity = Entity(
      name: "Thing",
      properties: types.map { Property(name: $0.name, type: .scalar($0.type), isOptional: true) })
    entity.indexes = ["tiny", "whole", "single", "double", "text", "moment", "uuid", "flag", "bytes"].map {
      Index(kind: .ordered, paths: [$0])
    }
    entity.indexes.append(Index(kind: .ordered, paths: ["other", "rest"]))
    return Schema(entities: [entity])
  }

  /// A value of a type: few different ones, with those at the edges among them.
  private static func value(_ type: ScalarType, _ random: inout Numbers) -> Value {
    if Int.random(in: 0..<12, using: &random) == 0 { return .null }
    let small = Int64.random(in: -6...6, using: &random)
    switch type {
    case .int8: return .int([-128, 127, small, small][Int.random(in: 0..<4, using: &random)])
    case .int16, .int32, .int: return .int([.min, .max, small, small][Int.random(in: 0..<4, using: &random)])
    case .float: return .float([.nan, -0.0, .infinity, Float(small) / 2, 0.1][Int.random(in: 0..<5, using: &random)])
    case .double:
      return .double([.nan, -0.0, -.infinity, Double(small) / 2, 0x1p53][Int.random(in: 0..<5, using: &random)])
    case .decimal: return .decimal([.nan, .zero, DecimalValue(small)].randomElement(using: &random) ?? .zero)
    case .string:
      return .string(["", "a", "ab", "\u{E9}", "e\u{301}", "z\(small)"].randomElement(using: &random) ?? "")
    case .date: return .date(Instant(seconds: [-0.0, 0.5, Double(small)].randomElement(using: &random) ?? 0))
    case .uuid: return .uuid(UUIDBytes(high: UInt64(bitPattern: small), low: 0))
    case .bool: return .bool(small > 0)
    case .data:
      return .data([[], [0], [0, 255], [UInt8(truncatingIfNeeded: small)]].randomElement(using: &random) ?? [])
    }
  }

  /// An argument for a column of a type: of the type, or of another that it may be compared with.
  private static func argument(_ type: ScalarType, _ random: inout Numbers) -> Value {
    switch (type, Int.random(in: 0..<6, using: &random)) {
    case (.int8, 0), (.int, 0): value(.double, &random)
    case (.double, 0), (.float, 0), (.decimal, 0): value(.int, &random)
    case (.decimal, 1): value(.double, &random)
    case (.float, 1): value(.double, &random)
    case (.double, 1): value(.float, &random)
    case (.string, 0): .string(String(repeating: "long", count: 200))
    default: value(type, &random)
    }
  }

  @Test func otherArgumentsFindWhatTheyFindTheFirstTime() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let folder = try TemporaryFolder()
    for round in 0..<3 {
      let used = try Store.openDynamic(
        folder.path("\(round).store"), mode: .create, schema: Self.schema())
      let count = [40, 400, 2_000][round]
      try used.write { tx in
        let rows = try tx.inserter(for: "Thing")
        for _ in 0..<count { _ = try rows.append(Self.types.map { Self.value($0.type, &random) }) }
        if round == 0, Bool.random(using: &random) {
          _ = try rows.append(
            Self.types.map { $0.type == .string ? .string(String(repeating: "x", count: 600)) : .null })
        }
      }
      for _ in 0..<25 {
        let columns = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Self.types.randomElement(using: &random) ?? Self.types[0]
        }
        let comparisons = columns.map { column in
          let comparators =
            column.type == .bool || column.type == .uuid || column.type == .data
            ? ["=="] : ["==", "<", "<=", ">", ">="]
          return "\(column.name) \(comparators.randomElement(using: &random) ?? "==")"
        }
        let text = comparisons.map { $0 + " %@" }.joined(separator: " AND ")
        for turn in 0..<10 {
          let arguments = Arguments(columns.map { Self.argument($0.type, &random) })
          let fresh = Store(used.file)
          let expected = Result { try Self.told(fresh, text, arguments) }
          let found = Result { try Self.told(used, text, arguments) }
          switch (expected, found) {
          case (.success(let expected), .success(let found)): #expect(expected == found, "\(text) \(arguments)")
          case (.failure(let expected), .failure(let found)): #expect("\(expected)" == "\(found)", "\(text)")
          default: Issue.record("\(text) \(arguments): \(expected), \(found)")
          }
          if turn == 7 {
            try used.write { tx in
              _ = try tx.inserter(for: "Thing").append(Self.types.map { Self.value($0.type, &random) })
            }
          }
        }
      }
    }
  }

  /// What may be asked of a filter, each of a filter of its own.
  private static func told(_ store: Store, _ text: String, _ arguments: Arguments) throws -> [String] {
    func things() throws -> DynamicResults { try store.objects("Thing").filter(text, arguments: arguments) }
    let kept = try things()
    return try [
      "\(things().count)", "\(things().ids.map(\.rawValue))", "\(things().isEmpty)",
      "\(String(describing: things().first?.id))", "\(things().limit(2).ids.map(\.rawValue))",
      "\(things().sorted(by: "rest", ascending: false).ids.map(\.rawValue))", "\(things().filter("whole > 0").count)",
      things().predicateFormat, "\(things().distinct(by: "flag").ids.map(\.rawValue))",
      "\(kept.count) \(kept.ids.map(\.rawValue)) \(kept.count) \(String(describing: kept.last?.id))",
      "\(String(describing: things().max(of: "whole")))",
    ]
  }

  /// Nothing is planned where the index leaves few objects, and a plan is made where it leaves many.
  @Test func planningTakesNoSteps() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add((0..<5_000).map { Quake("q\($0)", Double($0 % 1_000) / 10, at: Double($0), felt: $0 % 5) })
    }
    let quakes = try store.objects("Quake")
    func steps(_ body: () throws -> Void) throws -> Int { try StepCounter.count(body) ?? 0 }
    for text in ["magnitude == %@", "magnitude == %@ AND felt == %@", "code == %@ AND magnitude > %@"] {
      let isCode = text.hasPrefix("code")
      func count(_ number: Int) throws -> Int {
        let arguments: [Value] =
          isCode ? [.string("q\(number)"), .double(-1)] : [.double(Double(number) / 10), .int(Int64(number % 5))]
        return try quakes.filter(
          text, arguments: Arguments(Array(arguments.prefix(text.split(separator: "%").count - 1)))
        ).count
      }
      #expect(try count(3) == (isCode ? 1 : 5), "\(text)")
      var found = 0
      let taken = try steps { found = try count(77) }
      #expect(taken == 0, "\(text)")
      #expect(found == (isCode ? 1 : 5), "\(text)")
    }
    // Half of all: the index gives up after some steps, and after some times it is asked seldom.
    let most = "magnitude > %@ AND felt == %@"
    for number in 0..<40 {
      let expected = (0..<5_000).count { Double($0 % 1_000) / 10 > Double(number) && $0 % 5 == 2 }
      #expect(try quakes.filter(most, Double(number), 2).count == expected)
    }
  }

  /// Constants are as good as arguments, and what was bound before a commit needs no plan after it.
  @Test func aUniqueKeyAmongConstantsNeedsNoPlan() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in _ = try tx.add((0..<500).map { Quake("q\($0)", Double($0), at: Double($0)) }) }
    let quakes = try store.objects("Quake")
    for (text, expected) in [("code == 'q77' AND magnitude > 70", 1), ("magnitude > 80 AND code == 'q77'", 0)] {
      for _ in 0..<3 { #expect(try quakes.filter(text).count == expected) }
      try store.write { tx in _ = try tx.add(Quake("new\(expected)", 1)) }
      var found = -1
      let steps = try StepCounter.count { found = try quakes.filter(text).count }
      #expect(steps == 0 && found == expected, "\(text)")
    }
  }

  /// Within a write an object that was only just added is found, and a value that is to be unique may have several objects.
  @Test func writesSeeWhatTheyWrote() throws {
    let store = try Quake.store()
    for code in ["us1", "ak2"] {
      #expect(try store.objects("Quake").filter("code == %@ AND magnitude > %@", code, 0).count == 1)
    }
    try store.write { tx in
      _ = try tx.add(Quake("new", 7))
      #expect(try tx.objects("Quake").filter("code == %@ AND magnitude > %@", "new", 0).count == 1)
      #expect(try tx.objects("Quake").filter("code == %@ AND magnitude > %@", "new", 8).count == 0)
    }
    #expect(try store.objects("Quake").filter("code == %@ AND magnitude > %@", "new", 0).count == 1)
  }
}
