package import Values

/// The changes of one write: the changed objects of each entity, their changed columns, and the old values of these.
///
/// It is kept in memory during the write and written with the commit as `CommitChanges`. Added objects are stored as
/// ranges, so an import needs almost no space; if very many objects change, only the columns are recorded.
final class ChangeLog {
  /// The changes to the objects of one entity.
  final class Entity {
    /// The ranges of added objects before the last one, which still grows.
    private var earlierInsertions: [ClosedRange<UInt64>] = []
    /// The last range of added objects: two plain numbers, because an import moves its end a million times.
    private var firstInserted: UInt64 = 0
    private var lastInserted: UInt64?
    fileprivate(set) var deleted: [UInt64] = []
    fileprivate(set) var updates: [ObjectUpdate] = []
    /// The numbers of all columns that were changed.
    fileprivate(set) var columns: [UInt32] = []
    /// Whether any object went.
    fileprivate(set) var hasDeletions = false
    /// Whether `deleted` and `updates` have everything.
    fileprivate(set) var isComplete = true
    private var steps = ChangeSteps()
    /// Reused, so that the digest of a changed value allocates nothing.
    private var writer = RecordWriter()
    private let clock: StepCounter

    fileprivate init(_ clock: StepCounter) { self.clock = clock }

    /// The ranges of added objects, in ascending order.
    var inserted: [ClosedRange<UInt64>] {
      guard let lastInserted else { return [] }
      return earlierInsertions + [firstInserted...max(firstInserted, lastInserted)]
    }

    /// Whether any object was added.
    var hasInsertions: Bool { lastInserted != nil }

    /// Records an added object. IDs must ascend.
    @inline(__always)
    func noteInsertion(_ object: UInt64) {
      if lastInserted != object &- 1 { startRange(at: object) }
      lastInserted = object
    }

    private func startRange(at object: UInt64) {
      if let lastInserted { earlierInsertions.append(firstInserted...max(firstInserted, lastInserted)) }
      firstInserted = object
    }

    /// Records a deleted object.
    func noteDeletion(_ object: UInt64) {
      steps.note(object, at: clock.step)
      hasDeletions = true
      guard isComplete, deleted.count < ChangeLog.limit else { return isComplete = false }
      deleted.append(object)
    }

    /// Notes that a column of an object gets another value than `old`.
    func noteUpdate(_ object: UInt64, _ column: UInt32, from old: Value) {
      steps.note(object, at: clock.step)
      if columns.last != column, !columns.contains(column) { columns.append(column) }
      guard isComplete, updates.count < ChangeLog.limit else { return isComplete = false }
      let before = old.digest(by: &writer)
      updates.append(
        ObjectUpdate(step: UInt32(clamping: clock.step), object: object, column: column, before: before))
    }

    /// Whether an object was changed after a step.
    func isChanged(_ object: UInt64, after step: UInt32) -> Bool {
      steps.lastStep(of: object) > step
    }
  }

  fileprivate final class StepCounter {
    var step = 0
  }

  /// The maximum number of deleted objects, and of changed values, that are recorded for an entity.
  static let limit = 1 << 16

  /// The number of the current change of the write.
  var step: Int {
    get { clock.step }
    set { clock.step = newValue }
  }

  private let clock = StepCounter()
  private(set) var entities: [UInt32: Entity] = [:]

  /// The changes to an entity.
  func changes(of entity: UInt32) -> Entity {
    if let known = entities[entity] { return known }
    let made = Entity(clock)
    entities[entity] = made
    return made
  }

  /// The record that is written with the commit.
  var record: CommitChanges {
    var changes = CommitChanges()
    for (number, entity) in entities {
      guard entity.hasInsertions || !entity.deleted.isEmpty || !entity.columns.isEmpty || !entity.isComplete else {
        continue
      }
      changes.entities[number] = EntityChanges(entity)
    }
    return changes
  }
}

/// A column of an object that a write gave another value.
package struct ObjectUpdate: Hashable, Sendable {
  /// The how manieth change of the write it was.
  package let step: UInt32
  package let object: UInt64
  /// The column's number.
  package let column: UInt32
  /// The digest of the value before.
  package let before: UInt64
}

extension Value {
  /// A 64-bit hash of a stored value: the same in every process.
  package var digest: UInt64 {
    var writer = RecordWriter()
    return digest(by: &writer)
  }

  /// The digest, made with a reusable writer.
  fileprivate func digest(by writer: inout RecordWriter) -> UInt64 {
    writer.removeAll()
    writer.put(value: self)
    return writer.bytes.withUnsafeBytes { Checksum.of($0) }
  }
}

/// The moment at which a value was read or written: a commit, or a change of a write in progress.
///
/// A single word, to keep objects that were read small.
package struct ReadMoment: Hashable, Sendable, Comparable {
  /// 40 bits of the commit's number, 24 of the step.
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// After everything a commit did.
  init(commit: Int) { rawValue = UInt64(truncatingIfNeeded: commit) << 24 | Self.lastStep }

  /// After a change of a write.
  init(commit: Int, step: Int) {
    rawValue = UInt64(truncatingIfNeeded: commit) << 24 | Swift.min(UInt64(clamping: step), Self.lastStep - 1)
  }

  private static let lastStep: UInt64 = 0xFF_FFFF

  /// The commit, which may still be in progress.
  package var commit: Int { Int(rawValue >> 24) }
  /// The last visible change of the commit.
  package var step: UInt32 { UInt32(rawValue & Self.lastStep) }
  /// Whether all changes of the commit are visible.
  package var isWholeCommit: Bool { rawValue & Self.lastStep == Self.lastStep }

  package static func < (left: ReadMoment, right: ReadMoment) -> Bool { left.rawValue < right.rawValue }
}
