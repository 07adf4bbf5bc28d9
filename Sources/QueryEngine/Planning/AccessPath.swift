internal import Storage

/// An index that may be of use to a query, and what it says of the query's predicates.
final class AccessPath {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil where it answers none, and may only have their order.
  let range: IndexRange?
  /// How many objects those ranges find, as far as that was found out in a bounded number of steps.
  private(set) var counted: RangeCount?

  /// Index keys stepped over for an estimate at most.
  private static let mostSteps = 512

  /// Asks an index about some predicates.
  ///
  /// - Parameter memory: What ranges were counted before.
  init(
    _ access: IndexAccess, _ reader: IndexReader, for predicates: [BoundPredicate], _ memory: SelectivityCache? = nil,
    in snapshot: Snapshot
  ) throws {
    self.access = access
    self.reader = reader
    range = access.range(for: predicates)
    guard let range else { return }
    if let memory, range.ranges.count == 1, range.ranges[0].onlyKey == nil, range.ranges[0] != .all {
      if let known = memory.count(of: range.ranges[0], of: access.index, in: snapshot) {
        counted = known
        return
      }
      var steps = Self.mostSteps
      let found = try reader.countSome(range.ranges[0], steps: &steps)
      let count = RangeCount(found.count, found.part == nil ? .exact : .atLeast)
      memory.keep(count, of: found.part ?? range.ranges[0], of: access.index, in: snapshot)
      counted = count
    } else {
      counted = try Self.counted(range, reader)
    }
  }

  /// Counts further, since it may be gone by: what was sampled may be far from what there is. Whether more is known then.
  func count(further steps: Int) throws -> Bool {
    guard let range, let counted, !counted.isAll, steps > Self.mostSteps else { return false }
    var more = try Self.counted(range, reader, steps: steps)
    // What is known may be of a part of the range that has more than is counted here.
    if !more.isAll { more.count = max(more.count, counted.count) }
    self.counted = more
    return more.isAll || more.count > counted.count
  }

  /// How many objects ranges find, as far as that is found out in a bounded number of steps.
  static func counted(_ range: IndexRange, _ reader: IndexReader, steps: Int = mostSteps) throws -> RangeCount {
    var steps = steps
    var count = 0
    for part in range.ranges {
      if steps <= 0 { return RangeCount(count, .atLeast) }
      let found = try reader.countSome(part, steps: &steps)
      let (sum, isTooMany) = count.addingReportingOverflow(found.count)
      count = isTooMany ? .max : sum
      if found.part != nil { return RangeCount(count, .atLeast) }
    }
    return RangeCount(count, .exact)
  }
}
