internal import Glibc

/// What a thread is in the middle of: the versions it reads in, values it is taking apart, models it looks at. It belongs to its thread.
final class ThreadState {
  /// The reads and writes the thread is in, the innermost last.
  private(set) var sources: [QuerySource] = []
  /// The models whose definitions are being made.
  private var defining: [ObjectIdentifier] = []
  private var nesting = 0
  private var waiting: [() -> Void] = []

  /// How deep values are taken apart within each other before the rest waits.
  private static let deepest = 64

  /// That of the thread that asks.
  static var current: ThreadState {
    guard let key else { return ThreadState() }
    if let known = pthread_getspecific(key) { return Unmanaged<ThreadState>.fromOpaque(known).takeUnretainedValue() }
    let made = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// nil when the system has no more keys: then nothing is known of a thread.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { state in
      if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
    }
    return code == 0 ? key : nil
  }()

  /// Runs `body`; links that are followed in it are followed in `source`.
  func reading<R>(in source: QuerySource, _ body: () throws -> R) rethrows -> R {
    sources.append(source)
    defer { sources.removeLast() }
    return try body()
  }

  /// The innermost write of a store that the thread is in; nil when it is in none.
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

  /// Whether a model's definition is being made: one that holds arrays of itself would wait for its own forever.
  func isDefining(_ model: any Model.Type) -> Bool { defining.contains(ObjectIdentifier(model)) }

  /// Runs `work`, which takes a value apart, now or a little later: however long a chain of new objects is, taking it
  /// apart needs little of the stack.
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
