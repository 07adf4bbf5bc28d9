internal import Storage
internal import Synchronization
internal import Values

/// The selectivities of filters on the sampled clusters of a version, and the counts of index ranges. A filter has the
/// same selectivity in every query of a version, so it is sampled once, unless it has been evicted. An interval between
/// two cached ones with nearly equal selectivities has about the same selectivity.
///
/// Unlike ``PlanShapeCache`` it distinguishes constants. It is thread-safe.
package final class SelectivityCache: Sendable {
  /// A column of an entity.
  fileprivate struct Column: Hashable {
    let entity: UInt32
    let column: Int
  }

  /// A test of a column of an entity.
  struct Key: Hashable {
    let entity: UInt32
    let column: Int
    let question: SargablePredicate.Question

    /// The interval; nil for another test, or for a single value.
    var interval: ValueInterval? {
      guard case .interval(let interval) = question, interval.single == nil else { return nil }
      return interval
    }

    fileprivate var place: Column { Column(entity: entity, column: column) }

    /// nil for any but sargable predicates, and for tests that are cheaper to sample again than to cache.
    init?(_ predicate: BoundPredicate, of entity: StoredEntity) {
      guard case .test(let test) = predicate, Self.isShort(test.question) else { return nil }
      self.entity = entity.number
      column = test.column
      question = test.question
    }

    /// The maximum number of values of a list, and of bytes of a string, that are cached.
    private static let longest = 64

    private static func isShort(_ question: SargablePredicate.Question) -> Bool {
      switch question {
      case .isNil: true
      case .interval(let interval):
        interval.lower.value.map(isShort) ?? true && interval.upper.value.map(isShort) ?? true
      case .oneOf(let values): values.count <= longest && values.allSatisfy(isShort)
      case .text(let test): byteCount(test.question) <= longest
      }
    }

    private static func byteCount(_ question: TextTest.Question) -> Int {
      switch question {
      case .relation(_, let bytes): bytes.count
      case .like(let pattern):
        pattern.parts.reduce(0) { if case .text(let bytes) = $1 { $0 + bytes.count } else { $0 + 1 } }
      case .matches(let pattern): pattern.expression.pattern.utf8.count
      }
    }

    private static func isShort(_ value: Value) -> Bool {
      switch value {
      case .string(let text): text.utf8.count <= longest
      case .data(let bytes): bytes.count <= longest
      case .null, .bool, .int, .float, .double, .decimal, .date, .uuid, .list, .embedded, .object: true
      }
    }
  }

  private struct State {
    var version: Int?
    var schema: StoredSchema?
    /// Selectivities by test.
    var parts: [Key: Double] = [:]
    /// Selectivities of intervals, by column.
    var intervals: [Column: RangeCardinalityCache<ValueInterval>] = [:]
    /// Counts of ranges, by index number.
    var ranges: [UInt32: RangeCardinalityCache<IndexKeyRange>] = [:]
    /// The number of distinct strings of a column per object; nil if there may be many.
    var differing: [Column: Double?] = [:]

    func isOf(_ snapshot: Snapshot) -> Bool { version == snapshot.version && schema === snapshot.schema }
  }

  /// The capacity; when it is reached, all tests are dropped.
  private static let most = 256

  private let state = Mutex(State())

  package init() {}

  /// The cached selectivity of a filter in the snapshot's version: its own, or that of intervals around it.
  func part(_ key: Key, in snapshot: Snapshot) -> Double? {
    known(in: snapshot) { state in
      if let interval = key.interval, let between = state.intervals[key.place]?.amount(of: interval) {
        return between.number
      }
      return state.parts[key]
    }
  }

  /// Caches the selectivity of a filter.
  func keep(_ part: Double, _ key: Key, in snapshot: Snapshot) {
    change(in: snapshot) { state in
      if let interval = key.interval {
        state.intervals[key.place, default: RangeCardinalityCache()].keep(.init(number: part), of: interval)
      }
      if state.parts.count >= Self.most { state.parts.removeAll(keepingCapacity: true) }
      state.parts[key] = part
    }
  }

  /// The cached count of an index range; nil if it must be counted.
  func count(of range: IndexKeyRange, of index: StoredIndex, in snapshot: Snapshot) -> RangeCount? {
    known(in: snapshot) { state in state.ranges[index.number]?.amount(of: range).map(RangeCount.init) }
  }

  /// Caches the count of an index range.
  func keep(_ count: RangeCount, of range: IndexKeyRange, of index: StoredIndex, in snapshot: Snapshot) {
    change(in: snapshot) { $0.ranges[index.number, default: RangeCardinalityCache()].keep(count.amount, of: range) }
  }

  /// The number of distinct strings of a column per object of a cluster; nil if there are many. `look` computes it at
  /// the first call in a version.
  func differing(_ column: Int, of entity: StoredEntity, in snapshot: Snapshot, _ look: () -> Double?) -> Double? {
    let place = Column(entity: entity.number, column: column)
    if let seen = known(in: snapshot, { $0.differing[place] }) { return seen }
    let found = look()
    change(in: snapshot) { $0.differing.updateValue(found, forKey: place) }
    return found
  }

  /// Reads the cache of the snapshot's version. An open write transaction does not use it, since its changes must stay
  /// invisible to others.
  private func known<Known: Sendable>(in snapshot: Snapshot, _ look: @Sendable (inout State) -> Known?) -> Known? {
    guard snapshot.isCommitted else { return nil }
    return state.withLock { $0.isOf(snapshot) ? look(&$0) : nil }
  }

  private func change(in snapshot: Snapshot, _ change: @Sendable (inout State) -> Void) {
    guard snapshot.isCommitted else { return }
    state.withLock { state in
      if !state.isOf(snapshot) { state = State(version: snapshot.version, schema: snapshot.schema) }
      change(&state)
    }
  }
}
