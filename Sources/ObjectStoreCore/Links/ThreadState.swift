internal import Glibc

/// The state of a thread: the versions it is reading, the values it is encoding, and the model definitions it is
/// making. Used by its thread only.
final class ThreadState {
  /// The reads and writes the thread is in, the innermost last.
  private(set) var sources: [QuerySource] = []
  /// The models whose definitions are being made.
  private var defining: [ObjectIdentifier] = []
  private var nesting = 0
  private var waiting: [() -> Void] = []

  /// The maximum recursion depth of encoding before the rest is deferred.
  private static let deepest = 64

  /// The state of the current thread.
  static var current: ThreadState {
    guard let key else { return ThreadState() }
    if let known = pthread_getspecific(key) { return Unmanaged<ThreadState>.fromOpaque(known).takeUnretainedValue() }
    let made = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// nil if the system has no more keys; no state is kept then.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { state in
      if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
    }
    return code == 0 ? key : nil
  }()

  /// Runs `body`, in which links are followed in `source`.
  func reading<R>(in source: QuerySource, _ body: () throws -> R) rethrows -> R {
    sources.append(source)
    defer { sources.removeLast() }
    return try body()
  }

  /// The thread's innermost write to a store; nil if there is none.
  func write(of store: Store) -> QuerySource? {
    if sources.isEmpty { return nil }
    return sources.last {
      guard case .transaction(let scope) = $0 else { return false }
      return scope.store.file === store.file
    }
  }

  /// Runs `body`, which makes a model's definition.
  func defining<R>(_ model: any Model.Type, _ body: () -> R) -> R {
    defining.append(ObjectIdentifier(model))
    defer { defining.removeLast() }
    return body()
  }

  /// Whether a model's definition is being made. A model with arrays of itself would otherwise wait for itself forever.
  func isDefining(_ model: any Model.Type) -> Bool { defining.contains(ObjectIdentifier(model)) }

  /// Runs `work`, which encodes a value, now or a little later, so that long chains of new objects need little stack.
  func takingApart(_ work: @escaping () -> Void) {
    guard nesting < Self.deepest else { return waiting.append(work) }
    nesting += 1
    work()
    if nesting == 1 {
      while let next = waiting.popLast() { next() }
    }
    nesting -= 1
  }
}
