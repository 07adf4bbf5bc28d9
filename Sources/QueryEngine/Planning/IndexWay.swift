internal import Storage

/// An index that may be of use to a query, and what it says of the query's predicates.
final class IndexWay {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil where it answers none, and may only have their order.
  let range: IndexRange?
  /// How many objects those ranges find, as far as that was found out in a bounded number of steps; whether that is all.
  private(set) var counted: (count: Int, isWhole: Bool)?

  /// Index keys stepped over for an estimate at most.
  private static let mostSteps = 512

  /// Asks an index about some predicates.
  init(_ access: IndexAccess, _ reader: IndexReader, for predicates: [BoundPredicate]) throws {
    self.access = access
    self.reader = reader
    range = access.range(for: predicates)
    counted = try range.map { try Self.counted($0, reader) }
  }

  /// Counts further, since it may be gone by: what was sampled may be far from what there is. Whether more is known then.
  func count(further steps: Int) throws -> Bool {
    guard let range, let counted, !counted.isWhole, steps > Self.mostSteps else { return false }
    let more = try Self.counted(range, reader, steps: steps)
    self.counted = more
    return more.isWhole || more.count > counted.count
  }

  /// How many objects a range finds, as far as that is found out in a bounded number of steps; whether that is all.
  static func counted(
    _ range: IndexRange, _ reader: IndexReader, steps: Int = mostSteps
  ) throws -> (count: Int, isWhole: Bool) {
    var steps = steps
    var count = 0
    for part in range.ranges {
      count += try reader.count(part, steps: &steps)
      if steps <= 0 { return (count, false) }
    }
    return (count, true)
  }
}
