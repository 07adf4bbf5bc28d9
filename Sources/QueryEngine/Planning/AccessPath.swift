internal import Storage

/// An index that may answer a query, with the key ranges that answer the query's predicates.
final class AccessPath {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil if the index answers none and only its order may help.
  let range: IndexRange?
  /// An estimate of the number of objects in those ranges, made in a bounded number of steps.
  private(set) var counted: RangeCount?

  /// The maximum number of index keys that an estimate steps over.
  private static let mostSteps = 512

  /// Finds the ranges of an index that answer some predicates.
  ///
  /// - Parameter memory: Cached counts of ranges.
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

  /// Counts the ranges further before the index is chosen, since the estimate may be far off. Returns whether the count
  /// has improved.
  func count(further steps: Int) throws -> Bool {
    guard let range, let counted, !counted.isAll, steps > Self.mostSteps else { return false }
    var more = try Self.counted(range, reader, steps: steps)
    // A count from the cache may cover a part of the range that is larger than what this counts.
    if !more.isAll { more.count = max(more.count, counted.count) }
    self.counted = more
    return more.isAll || more.count > counted.count
  }

  /// Estimates the number of objects in some ranges, in a bounded number of steps.
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
