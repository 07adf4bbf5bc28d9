internal import Synchronization
internal import Values

/// A new object that is the target of links: it is added with the first object that links to it, once, regardless of
/// the number of links.
///
/// It remembers its IDs, so that these links lead to the same object afterwards: one for each store to which it was
/// added, since the same value may be added to several stores, and on several threads.
final class NewObject<Object: Model>: @unchecked Sendable {
  private let value: UnsafeMutablePointer<Object>
  /// The added objects, the latest last: one for each store.
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

  /// The added object; nil if it is not in a store, or if the write that added it was rolled back.
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

/// A new object of any model.
protocol AddableObject: AnyObject, Sendable {
  /// The definition of its model.
  var definition: ModelDefinition { get }
  /// Appends one value for each column.
  func encode(into row: inout RowEncoder)
  /// The ID of the object, if that write or an earlier one to the same store added it.
  func number(in outcome: WriteOutcome) -> ObjectNumber?
  /// Records the added object.
  func settle(_ added: AddedObject)
  /// Forgets that a write added it.
  func unsettle(_ outcome: WriteOutcome)
}

/// A new object after it was added.
struct AddedObject: Sendable {
  /// The write that added it.
  let outcome: WriteOutcome
  /// The ID of the added object.
  let number: ObjectNumber
}

/// The outcome of one write, for objects that need it later. It does not keep its store alive.
final class WriteOutcome: Sendable {
  private enum State { case running, committed, undone }

  let store: StoreReference
  private let state = Mutex(State.running)

  init(_ store: StoreReference) { self.store = store }

  /// Whether the write was rolled back.
  var isUndone: Bool { state.withLock { $0 == .undone } }

  /// Whether the outcome is no longer needed: the write was rolled back, or its store has been released.
  var isOver: Bool { isUndone || store.parts == nil }

  /// The write is safe on disk.
  func commit() { state.withLock { $0 = .committed } }

  /// Marks the write as rolled back, unless it was committed.
  func end() { state.withLock { if $0 == .running { $0 = .undone } } }

  /// Whether both are writes to the same files, and this one was committed.
  func isOfSameStore(as other: WriteOutcome) -> Bool {
    guard state.withLock({ $0 == .committed }), let parts = store.parts, let otherParts = other.store.parts else {
      return false
    }
    return parts.file === otherParts.file
  }
}
