import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Functions of dates and texts, worked out for whole clusters, give what they give for one value: for texts of every
/// kind of storage, and for moments that no calendar has.
@Suite struct ClusterFunctionTests {
  private static let names = ["same", "coded", "short", "plain", "long"]

  /// Rows of texts that are all the same, few, short, of other scripts, or so long that they lie elsewhere; and a moment.
  private static func rows() -> [[Value]] {
    let words = ["", "a", "Émile", "日本", "e\u{301}x", "🇫🇷", "St. John's"]
    let edges: [Double] = [
      0, -0.5, 86_399.999, -1, 86_400, .nan, .infinity, -.infinity, 1e300, -1e18, 3e13, -3.2e13, -63_114_076_800, 1e9,
    ]
    return (0..<900).map { row in
      let seconds = row % 3 == 0 ? edges[row / 3 % edges.count] : Double(row * 7_919 % 4_000) * 86_400 / 7 - 1e8
      return [
        .string("grün"), .string(words[row % words.count]), row % 11 == 0 ? .null : .string("number \(row * row)"),
        .string("\(row) \(words[row % 5]) \(String(repeating: "é", count: row % 40))"),
        .string(String(repeating: row % 2 == 0 ? "long " : "länger ", count: row % 50 == 0 ? 4_000 : row % 7)),
        row % 13 == 0 ? .null : .date(Instant(seconds: seconds)),
      ]
    }
  }

  private static func store(_ rows: [[Value]]) throws -> TestStore {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: names.map { Property(name: $0, type: .scalar(.string), isOptional: $0 == "short") }
          + [Property(name: "moment", type: .scalar(.date), isOptional: true)])
    ])
    return try TestStore(schema, rows: rows)
  }

  @Test func clustersSayWhatValuesSay() throws {
    let rows = Self.rows()
    let store = try Self.store(rows)
    let snapshot = try store.file.beginSnapshot()
    var asked = names().map { ("length(\($0.element))", ScalarFunction.length, $0.offset) }
    for function in [ScalarFunction.year, .month, .day, .hour, .minute, .second, .weekday] {
      asked.append(("\(function.rawValue)(moment)", function, Self.names.count))
    }
    for (text, function, column) in asked {
      let expected = try rows.map { try function.value([$0[column]]) }
      var numbers = Set(expected.compactMap { if case .int(let number) = $0 { number } else { nil } })
      #expect(text == "length(same)" || numbers.count > 4, "\(text)")
      numbers.formUnion([0, -1])
      for number in numbers.sorted().prefix(60) {
        let wanted = expected.indices.filter { expected[$0] == .int(number) }
        let found = try store.compile("\(text) == \(number)").plan(in: snapshot).objects(in: snapshot)
        #expect(found.map { Int($0.rawValue) - 1 } == wanted, "\(text) == \(number)")
      }
      let nils = try store.compile("\(text) == nil").plan(in: snapshot).objects(in: snapshot)
      #expect(nils.map { Int($0.rawValue) - 1 } == expected.indices.filter { expected[$0] == .null }, "\(text)")
      // In an order, and in groups.
      let order = try store.compile("TRUEPREDICATE SORT(\(text) DESC) LIMIT(40)").plan(in: snapshot)
      let sorted = expected.indices.sorted {
        let order = SortOrder.compare(expected[$0], expected[$1])
        return order == 0 ? $0 < $1 : order > 0
      }
      #expect(try order.objects(in: snapshot).map { Int($0.rawValue) - 1 } == Array(sorted.prefix(40)), "\(text)")
      let firsts = try store.compile("TRUEPREDICATE SORT(\(text)) DISTINCT(\(text))").plan(in: snapshot)
      var seen: Set<Value> = []
      let wanted = expected.indices.sorted {
        let order = SortOrder.compare(expected[$0], expected[$1])
        return order == 0 ? $0 < $1 : order < 0
      }.filter { seen.insert(expected[$0]).inserted }
      #expect(try firsts.objects(in: snapshot).map { Int($0.rawValue) - 1 } == wanted, "\(text)")
      // Asked about few objects, where the others of a cluster are left out.
      for number in [25, 49, 2_500] {
        let few = try store.compile("short == 'number \(number)' AND \(text) >= 0").plan(in: snapshot)
        let row = rows.firstIndex { $0[2] == .string("number \(number)") }
        let passes = row.map { SortOrder.compare(expected[$0], .int(0)) >= 0 } ?? false
        #expect(try few.objects(in: snapshot).map { Int($0.rawValue) - 1 } == (passes ? row.map { [$0] } ?? [] : []))
      }
      // As one of a few.
      let some = numbers.sorted().prefix(9)
      let list = some.map { "\($0)" }.joined(separator: ", ")
      let members = try store.compile("\(text) IN {\(list), 0.5}").plan(in: snapshot).objects(in: snapshot)
      #expect(
        members.map { Int($0.rawValue) - 1 }
          == expected.indices.filter {
            if case .int(let number) = expected[$0] { some.contains(number) } else { false }
          },
        "\(text) IN")
    }
  }

  private func names() -> EnumeratedSequence<[String]> { Self.names.enumerated() }
}
