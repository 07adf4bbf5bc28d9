internal import Storage
internal import Synchronization
internal import Values

/// What part of the objects conditions held for when they were asked about the sampled clusters of a version, and which
/// ranges of indexes were too long to be counted. The same condition leaves the same there whatever query it stands in, so
/// it is asked once in a version; and a range that has one within it that was too long is as long at least.
///
/// Unlike ``ShapeMemory`` it knows conditions with their constants. Any thread may use it.
package final class SampleMemory: Sendable {
  /// A test of a column of an entity.
  struct Key: Hashable {
    let entity: UInt32
    let column: Int
    let question: ColumnTest.Question

    /// nil for what is more than a test of a column, and for what is better asked again than kept.
    init?(_ predicate: BoundPredicate, of entity: StoredEntity) {
      guard case .test(let test) = predicate, Self.isShort(test.question) else { return nil }
      self.entity = entity.number
      column = test.column
      question = test.question
    }

    /// The most values of a list, and the most bytes of a text.
    private static let longest = 64

    private static func isShort(_ question: ColumnTest.Question) -> Bool {
      switch question {
      case .isNil: true
      case .interval(let interval): [interval.lower.value, interval.upper.value].allSatisfy { $0.map(isShort) ?? true }
      case .oneOf(let values): values.count <= longest && values.allSatisfy(isShort)
      case .text(let test): byteCount(test.question) <= longest
      }
    }

    private static func byteCount(_ question: TextTest.Question) -> Int {
      switch question {
      case .equals(let bytes), .isLess(let bytes), .isLessOrEqual(let bytes), .isGreater(let bytes),
        .isGreaterOrEqual(let bytes), .contains(let bytes), .beginsWith(let bytes), .endsWith(let bytes):
        bytes.count
      case .like(let pattern):
        pattern.parts.reduce(0) { if case .text(let bytes) = $1 { $0 + bytes.count } else { $0 + 1 } }
      case .matches(let pattern): pattern.expression.pattern.utf8.count
      }
    }

    private static func isShort(_ value: Value) -> Bool {
      switch value {
      case .string(let text): text.utf8.count <= longest
      case .data(let bytes): bytes.count <= longest
      default: true
      }
    }
  }

  private struct State {
    var version: Int?
    var schema: StoredSchema?
    var parts: [Key: Double] = [:]
    /// By the number of an index, a range that has so many objects at least.
    var ranges: [UInt32: (range: IndexKeyRange, count: Int)] = [:]

    func isOf(_ snapshot: Snapshot) -> Bool { version == snapshot.version && schema === snapshot.schema }
  }

  /// With more of them all are forgotten.
  private static let most = 256

  private let state = Mutex(State())

  package init() {}

  /// What part of the objects a condition held for in the version that a snapshot shows, if it was asked there.
  func part(_ key: Key, in snapshot: Snapshot) -> Double? {
    guard snapshot.isCommitted else { return nil }
    return state.withLock { $0.isOf(snapshot) ? $0.parts[key] : nil }
  }

  /// Keeps what part of the objects a condition held for.
  func keep(_ part: Double, _ key: Key, in snapshot: Snapshot) {
    guard snapshot.isCommitted else { return }
    state.withLock { state in
      if !state.isOf(snapshot) { state = State(version: snapshot.version, schema: snapshot.schema) }
      if state.parts.count >= Self.most { state.parts.removeAll(keepingCapacity: true) }
      state.parts[key] = part
    }
  }

  /// How many objects a range of an index has at least, where that is more than are counted for an estimate.
  func count(within range: IndexKeyRange, of index: StoredIndex, in snapshot: Snapshot) -> Int? {
    guard snapshot.isCommitted else { return nil }
    return state.withLock { state in
      guard state.isOf(snapshot), let known = state.ranges[index.number], range.covers(known.range) else { return nil }
      return known.count
    }
  }

  /// Keeps how many objects of a range were counted before counting it ended early.
  func keep(_ count: Int, within range: IndexKeyRange, of index: StoredIndex, in snapshot: Snapshot) {
    guard snapshot.isCommitted else { return }
    state.withLock { state in
      if !state.isOf(snapshot) { state = State(version: snapshot.version, schema: snapshot.schema) }
      if state.ranges.count >= Self.most { state.ranges.removeAll(keepingCapacity: true) }
      state.ranges[index.number] = (range, count)
    }
  }
}
