import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Searches in Data, whose values may contain 0xFF, the byte that is stored after each value.
@Suite struct DataSearchTests {
  private static let some: [[UInt8]] = [
    [], [0xFF], [0], [0xFF, 0xFF], [1], [2], [1, 0xFF, 2], [0xFF, 1], [2, 0xFF], [0, 0xFF, 0], [1, 2],
  ]
  private static let needles: [[UInt8]] = [
    [0xFF], [0xFF, 0xFF], [1, 0xFF], [0xFF, 2], [1, 0xFF, 2], [0xFF, 0], [1], [2, 0xFF, 0xFF],
  ]

  private static func contains(_ value: [UInt8], _ needle: [UInt8]) -> Bool {
    value.indices.contains { value[$0...].starts(with: needle) }
  }

  /// Few values, many that are alike (a dictionary) and many that differ.
  @Test(arguments: [(1, 0), (40, 0), (1, 400)]) func theByteAfterAValueIsNotFound(repeats: Int, others: Int) throws {
    let distinct: [[UInt8]] = (0..<others).map { [3, UInt8($0 / 200), UInt8($0 % 200)] }
    let values = Array(repeatElement(Self.some, count: repeats).joined()) + distinct
    let store = try TestStore(.data, values.map { .data($0) })
    for needle in Self.needles {
      func check(_ comparator: String, _ holds: ([UInt8]) -> Bool) throws {
        let found = try store.rows("x \(comparator) %@", [.data(needle)])
        #expect(found == values.indices.filter { holds(values[$0]) }, "\(comparator) \(needle)")
      }
      try check("CONTAINS") { Self.contains($0, needle) }
      try check("BEGINSWITH") { $0.starts(with: needle) }
      try check("ENDSWITH") { $0.reversed().starts(with: needle.reversed()) }
      try check("==") { $0 == needle }
      try check("<") { $0.lexicographicallyPrecedes(needle) }
    }
  }
}
