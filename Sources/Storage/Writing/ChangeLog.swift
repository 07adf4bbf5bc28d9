package import Values

/// What one write changes: which objects of which entities, which of their columns, and what those had before.
///
/// It is kept in memory while the write runs and written with the commit: `CommitChanges`. Objects that were added are
/// ranges, so that an import notes next to nothing; of very many changed objects only the columns are kept.
final class ChangeLog {
  /// The changes to the objects of one entity.
  final class Entity {
    fileprivate(set) var inserted: [ClosedRange<UInt64>] = []
    fileprivate(set) var deleted: [UInt64] = []
    fileprivate(set) var updates: [ObjectUpdate] = []
    /// The numbers of all columns that were changed.
    fileprivate(set) var columns: [UInt32] = []
    /// Whether any object went.
    fileprivate(set) var hasDeletions = false
    /// Whether `deleted` and `updates` have everything.
    fileprivate(set) var isComplete = true
    private var steps = ChangeSteps()
    /// Kept for its room: a digest for each changed value allocates nothing.
    private var writer = RecordWriter()
    private let clock: StepCounter

    fileprivate init(_ clock: StepCounter) { self.clock = clock }

    /// Notes that an object came. Numbers ascend.
    @inline(__always)
    func noteInsertion(_ object: UInt64) {
      if let last = inserted.last, object == last.upperBound &+ 1 {
        inserted[inserted.count - 1] = last.lowerBound...object
      } else {
        inserted.append(object...object)
      }
    }

    /// Notes that an object goes.
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

  /// How many objects that went, and how many changed values, are remembered of an entity.
  static let limit = 1 << 16

  /// Which change of the write is being made.
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

  /// What is written with the commit; nil when nothing was changed.
  var record: CommitChanges? {
    var changes = CommitChanges()
    for (number, entity) in entities {
      guard !entity.inserted.isEmpty || !entity.deleted.isEmpty || !entity.columns.isEmpty || !entity.isComplete else {
        continue
      }
      changes.entities[number] = EntityChanges(entity)
    }
    return changes.entities.isEmpty ? nil : changes
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
  /// 64 bits by which stored values are told apart: the same in every process, other ones for other bits.
  package var digest: UInt64 {
    var writer = RecordWriter()
    return digest(by: &writer)
  }

  /// The digest, written by a writer that is used again.
  fileprivate func digest(by writer: inout RecordWriter) -> UInt64 {
    writer.removeAll()
    writer.put(value: self)
    return writer.bytes.withUnsafeBytes { Checksum.of($0) }
  }
}

/// When a value was read, or written: after which commit, or after which change of a write in progress.
///
/// One word, so that objects that are read get no larger by it.
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

  /// The commit, which may be one that is being made.
  package var commit: Int { Int(rawValue >> 24) }
  /// The last change of the commit that is seen.
  package var step: UInt32 { UInt32(rawValue & Self.lastStep) }
  /// Whether all that the commit did is seen.
  package var isWholeCommit: Bool { rawValue & Self.lastStep == Self.lastStep }

  package static func < (left: ReadMoment, right: ReadMoment) -> Bool { left.rawValue < right.rawValue }
}
