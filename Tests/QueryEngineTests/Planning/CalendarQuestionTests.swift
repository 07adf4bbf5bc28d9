import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Comparisons of years and periods as intervals of their dates: the same answers as computing them, from an index.
@Suite struct CalendarQuestionTests {
  /// Around the starts of periods, outside the calendar, and none.
  private static let moments: [Value] = {
    let starts: [Double] = [0, 86_400, -86_400, 3_600, 60, 539_568_000, 540_000_000, -31_536_000, 7_948_800]
    var seconds: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 1e15, -1e15, 3.2e13, -3.2e13, 3.1e13, -3.1e13]
    for start in starts { seconds += [start, start.nextUp, start.nextDown, start - 1, start + 1, start - 1e-7] }
    return seconds.map { .date(Instant(seconds: $0)) } + [.null, .null]
  }()

  private static func store(isIndexed: Bool) throws -> TestStore {
    try TestStore(
      Schema(entities: [
        Entity(
          name: "Item", properties: [Property(name: "t", type: .scalar(.date), isOptional: true)],
          indexes: isIndexed ? [Index(paths: ["t"])] : [])
      ]), rows: moments.map { [$0] })
  }

  @Test(arguments: [true, false]) func answersAreThoseOfRows(isIndexed: Bool) throws {
    let store = try Self.store(isIndexed: isIndexed)
    let texts = CalendarPeriod.allCases.map { "bucket(t, '\($0.rawValue)')" }
    for (place, text) in (["year(t)"] + texts).enumerated() {
      let values = try Self.moments.map { moment in
        try place == 0
          ? ScalarFunction.year.value([moment])
          : ScalarFunction.bucket.value([moment, .string(CalendarPeriod.allCases[place - 1].rawValue)])
      }
      let constants: [(String, Value)] =
        place == 0
        ? [
          ("2001", .int(2001)), ("2018", .int(2018)), ("2000.5", .double(2000.5)), ("-999999", .int(-999_999)),
          ("1e300", .double(1e300)), ("inf", .double(.infinity)),
        ]
        : ["2001-01-01", "2001-01-02", "2018-02-05", "2001-01-01T01:00:00Z", "2001-01-01T00:00:30Z", "1999-12-27"].map {
          ("date('\($0)')", ISO8601.instant($0).map(Value.date) ?? .null)
        }
      for (written, constant) in constants {
        for comparator in [Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
          let wanted = values.indices.filter { Comparison.holds(comparator, values[$0], constant, folding: .none) }
          #expect(
            try store.rows("\(text) \(comparator.rawValue) \(written)") == wanted, "\(text) \(comparator) \(written)")
          guard let mirrored = comparator.mirrored else { continue }
          #expect(try store.rows("\(written) \(mirrored.rawValue) \(text)") == wanted, "\(written) \(mirrored) \(text)")
        }
        let members = values.indices.filter { Comparison.holds(.equal, values[$0], constant, folding: .none) }
        let nils = values.indices.filter { values[$0].isNull }
        #expect(try store.rows("\(text) IN {\(written)}") == members)
        #expect(try store.rows("\(text) IN {\(written), nil}") == (members + nils).sorted())
        let between = values.indices.filter {
          Comparison.holds(.lessOrEqual, values[$0], constant, folding: .none)
            && Comparison.holds(.greaterOrEqual, values[$0], constants[0].1, folding: .none)
        }
        #expect(try store.rows("\(text) BETWEEN {\(constants[0].0), \(written)}") == between)
      }
    }
  }

  @Test func anIndexIsUsed() throws {
    let rows: [[Value]] = (0..<20_000).map { [.date(Instant(seconds: Double($0 * 7_919 % 20_000) * 86_400))] }
    let schema = Schema(entities: [
      Entity(name: "Item", properties: [Property(name: "t", type: .scalar(.date))], indexes: [Index(paths: ["t"])])
    ])
    let store = try TestStore(schema, rows: rows)
    let snapshot = try store.file.beginSnapshot()
    for (text, count) in [
      ("year(t) == 2017", 365), ("year(t) IN {2016, 2018}", 731), ("bucket(t, 'month') == '2016-02-01'", 29),
      ("bucket(t, 'week') == date('2018-02-05')", 7), ("bucket(t, 'week') == date('2018-02-06')", 0),
    ] {
      let plan = try store.compile(text).plan(in: snapshot)
      #expect(try plan.objects(in: snapshot).count == count, "\(text)")
      let explanation = plan.explanation.text
      #expect(!(1...7 ~= count) || explanation.contains("Index"), "\(text): \(explanation)")
    }
  }
}
