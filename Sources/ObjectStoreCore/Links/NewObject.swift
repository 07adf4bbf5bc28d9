internal import Synchronization
internal import Values

/// A value that links lead to and that is in no store yet: it is added with the first object that links to it, once,
/// however many links lead to it.
///
/// It remembers what became of it, so that the same links lead to the same object afterwards: in each store to which it was
/// added, since the same value may be added to several, and from several threads.
final class NewObject<Object: Model>: @unchecked Sendable {
  private let value: UnsafeMutablePointer<Object>
  /// What became of it, the latest last: one for each store.
  private let state = Mutex<[AddedObject]>([])

  init(_ object: Object) {
    value = .allocate(capacity: 1)
    value.initialize(to: object)
  }

  deinit {
    let value = value
    ThreadState.current.takingApart {
      value.deinitialize(count: 1)
      value.deallocate()
    }
  }

  /// The value.
  var object: Object { value.pointee }

  /// What became of it; nil when it is in no store, or the write that added it came to nothing.
  var added: AddedObject? { state.withLock { $0.last { !$0.outcome.isUndone } } }
}

extension NewObject: AddableObject {
  var definition: ModelDefinition { Object.modelDefinition }

  func encode(into row: inout RowEncoder) { object.encode(into: &row) }

  func number(in outcome: WriteOutcome) -> ObjectNumber? {
    state.withLock { state in
      state.last { !$0.outcome.isUndone && ($0.outcome === outcome || $0.outcome.isOfSameStore(as: outcome)) }?.number
    }
  }

  func settle(_ added: AddedObject) {
    state.withLock { state in
      state.removeAll {
        $0.outcome.isOver || $0.outcome === added.outcome || $0.outcome.isOfSameStore(as: added.outcome)
      }
      state.append(added)
    }
  }

  func unsettle(_ outcome: WriteOutcome) { state.withLock { $0.removeAll { $0.outcome === outcome } } }
}

/// A new object of whatever model.
protocol AddableObject: AnyObject, Sendable {
  /// The definition of its model.
  var definition: ModelDefinition { get }
  /// Appends one value for each column.
  func encode(into row: inout RowEncoder)
  /// Its number, when it was added by that write or by an earlier one to the same store.
  func number(in outcome: WriteOutcome) -> ObjectNumber?
  /// Remembers what became of it.
  func settle(_ added: AddedObject)
  /// Forgets that a write added it.
  func unsettle(_ outcome: WriteOutcome)
}

/// What became of a new object.
struct AddedObject: Sendable {
  /// The write that added it.
  let outcome: WriteOutcome
  /// The number it was given.
  let number: ObjectNumber
}

/// How one write ended, for those that have to know it later. It does not hold its store.
final class WriteOutcome: Sendable {
  private enum State { case running, committed, undone }

  let store: StoreReference
  private let state = Mutex(State.running)

  init(_ store: StoreReference) { self.store = store }

  /// Whether it came to nothing.
  var isUndone: Bool { state.withLock { $0 == .undone } }

  /// Whether nobody needs to know of it any more: it came to nothing, or its store is gone.
  var isOver: Bool { isUndone || store.store == nil }

  /// The write is safe on disk.
  func commit() { state.withLock { $0 = .committed } }

  /// The write came to nothing, unless it was committed.
  func end() { state.withLock { if $0 == .running { $0 = .undone } } }

  /// Whether both are writes to the same files, and this one was committed.
  func isOfSameStore(as other: WriteOutcome) -> Bool {
    guard state.withLock({ $0 == .committed }), let store = store.store, let otherStore = other.store.store else {
      return false
    }
    return store.file === otherStore.file
  }
}
