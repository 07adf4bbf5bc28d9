internal import Storage

/// An index that may be of use to a query, and what it says of the query's predicates.
final class IndexWay {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil where it answers none, and may only have their order.
  let range: IndexRange?
  /// How many objects those ranges find, as far as that was found out in a bounded number of steps; whether that is all.
  let counted: (count: Int, isWhole: Bool)?

  /// Index keys stepped over for an estimate at most.
  private static let mostSteps = 512

  /// Asks an index about some predicates.
  init(_ access: IndexAccess, _ reader: IndexReader, for predicates: [BoundPredicate]) throws {
    self.access = access
    self.reader = reader
    range = access.range(for: predicates)
    counted = try range.map { try Self.counted($0, reader) }
  }

  /// How many objects a range finds, as far as that is found out in a bounded number of steps; whether that is all.
  static func counted(_ range: IndexRange, _ reader: IndexReader) throws -> (count: Int, isWhole: Bool) {
    var steps = mostSteps
    var count = 0
    for part in range.ranges {
      count += try reader.count(part, steps: &steps)
      if steps <= 0 { return (count, false) }
    }
    return (count, true)
  }
}
