import ObjectStoreCore
import PredicateLanguage
import TestSeeds
import Testing

/// Random queries of SQL, answered by the plainest code with SQL's own logic of three values: what they are read as, and
/// what their fixes make of them, has just these rows.
@Suite struct ReadingRowsTests {
  private struct Row {
    var code: String
    var mag: Double
    var place: String?
    var felt: Int?
  }

  /// A condition and SQL's answer to it: nil is unknown.
  private struct Condition {
    var text: String
    var holds: (Row) -> Bool?
  }

  private static func condition(_ random: inout SeededNumbers, depth: Int = 0) -> Condition {
    let low = Int.random(in: 0...6, using: &random)
    let high = low + Int.random(in: 0...4, using: &random)
    let places = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      ["a", "b", "c", "it''s"].randomElement(using: &random) ?? "a"
    }.filter { $0 != "it''s" }
    switch Int.random(in: 0..<(depth < 3 ? 10 : 7), using: &random) {
    case 0: return Condition(text: "mag > \(low)") { $0.mag > Double(low) }
    case 1: return Condition(text: "felt IS NULL") { $0.felt == nil }
    case 2: return Condition(text: "place IS NOT NULL") { $0.place != nil }
    case 3:
      return Condition(text: "felt BETWEEN \(low) AND \(high)") { row in row.felt.map { $0 >= low && $0 <= high } }
    case 4: return Condition(text: "felt <= \(low)") { row in row.felt.map { $0 <= low } }
    // One text alone is searched in here, so it is not read.
    case 5 where places.count > 1:
      let list = places.map { "'\($0)'" }.joined(separator: ", ")
      return Condition(text: "place IN (\(list))") { row in row.place.map { places.contains($0) } }
    case 7...9:
      let (a, b) = (condition(&random, depth: depth + 1), condition(&random, depth: depth + 1))
      if Bool.random(using: &random) {
        return Condition(text: "(\(a.text) AND \(b.text))") { row in
          let (x, y) = (a.holds(row), b.holds(row))
          if x == false || y == false { return false }
          return x == nil || y == nil ? nil : true
        }
      }
      return Condition(text: "(\(a.text) OR \(b.text))") { row in
        let (x, y) = (a.holds(row), b.holds(row))
        if x == true || y == true { return true }
        return x == nil || y == nil ? nil : false
      }
    default: return Condition(text: "place = 'a'") { row in row.place.map { $0 == "a" } }
    }
  }

  @Test func readingsAndFixesKeepTheRows() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    let store = try Store.inMemory(
      schema: try SchemaText.parse(
        "@Model struct Quake { @Attribute(.unique) var code: String; var mag: Double; var place: String?; var felt: Int? }"
      ))
    var rows: [Row] = []
    for number in 0..<60 {
      let row = Row(
        code: "q\(number)", mag: Double(number * 37 % 60) / 7,
        place: ["a", "b", "c", nil].randomElement(using: &random) ?? nil,
        felt: Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil)
      rows.append(row)
      let place = row.place.map { "\"\($0)\"" } ?? "null"
      let felt = row.felt.map(String.init) ?? "null"
      _ = try store.run(
        "INSERT Quake {\"code\": \"\(row.code)\", \"mag\": \(row.mag), \"place\": \(place), \"felt\": \(felt)}")
    }
    for round in 0..<300 {
      let condition = Self.condition(&random)
      let kept = rows.filter { condition.holds($0) == true }
      let limit = Int.random(in: 1...8, using: &random)
      let isDescending = Bool.random(using: &random)
      let sorted = kept.sorted { isDescending ? $0.mag > $1.mag : $0.mag < $1.mag }
      let order = "ORDER BY mag\(isDescending ? " DESC" : "") LIMIT \(limit)"
      let groups = Dictionary(grouping: kept, by: \.place)
      let cases: [(sql: String, expected: [[Value]])] = [
        ("SELECT COUNT(*) FROM Quake WHERE \(condition.text)", [[.int(Int64(kept.count))]]),
        (
          "SELECT code, felt FROM Quake WHERE \(condition.text) \(order)",
          sorted.prefix(limit).map { [.string($0.code), $0.felt.map { .int(Int64($0)) } ?? .null] }
        ),
        (
          "SELECT place, COUNT(*), MAX(mag) FROM Quake WHERE \(condition.text) GROUP BY place",
          groups.map { place, group in
            [
              place.map { .string($0) } ?? .null, .int(Int64(group.count)),
              group.map(\.mag).max().map { .double($0) } ?? .null,
            ]
          }
        ),
        (
          "SELECT DISTINCT place FROM Quake WHERE \(condition.text)",
          groups.keys.map { [$0.map { .string($0) } ?? .null] }
        ),
      ]
      for (place, (sql, expected)) in cases.enumerated() {
        let reading = try #require(StatementParser.reading(of: sql), "seed \(seed), round \(round): \(sql)")
        var mended = sql
        while let fixed = Self.fixed(mended) { mended = fixed }
        for text in [reading.description, mended] {
          let found = try Self.rows(text, in: store)
          let isOrdered = place == 1
          #expect(
            isOrdered ? found == expected : Self.sorted(found) == Self.sorted(expected),
            "seed \(seed), round \(round): \(sql) became \(text)")
        }
      }
    }
  }

  private static func fixed(_ text: String) -> String? {
    do {
      _ = try StatementParser.statement(text)
      return nil
    } catch {
      return error.fixedSource
    }
  }

  private static func rows(_ text: String, in store: Store) throws -> [[Value]] {
    switch try store.run(text) {
    case .count(let count): [[.int(Int64(count))]]
    case .rows(let rows): try rows.rows()
    default: []
    }
  }

  private static func sorted(_ rows: [[Value]]) -> [String] { rows.map { "\($0)" }.sorted() }
}
