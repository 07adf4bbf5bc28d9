internal import Storage

/// An index that may be of use to a query, and what it says of the query's predicates.
final class IndexWay {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil where it answers none, and may only have their order.
  let range: IndexRange?
  /// How many objects those ranges find, as far as that was found out in a bounded number of steps; whether that is all.
  private(set) var counted: (count: Int, isWhole: Bool)?
  /// The steps that were taken for it at most.
  private var steps: Int

  /// Index keys stepped over for an estimate at most.
  private static let mostSteps = 512
  /// As many where two more conditions are asked of what is found: that an index is best is certain only with few.
  private static let fewSteps = 64

  /// Asks an index about some predicates.
  init(_ access: IndexAccess, _ reader: IndexReader, for predicates: [BoundPredicate]) throws {
    self.access = access
    self.reader = reader
    range = access.range(for: predicates)
    steps = predicates.count - (range?.answers.count ?? 0) > 1 ? Self.fewSteps : Self.mostSteps
    counted = try range.map { try Self.counted($0, reader, steps: steps) }
  }

  /// Counts on where few steps were not enough, and where there are not so many objects by a sample that it hardly
  /// matters how many.
  func countOn(where sampled: Double) throws {
    guard let range, counted?.isWhole == false, steps < Self.mostSteps, sampled < 8 * Double(Self.mostSteps) else {
      return
    }
    steps = Self.mostSteps
    counted = try Self.counted(range, reader)
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
