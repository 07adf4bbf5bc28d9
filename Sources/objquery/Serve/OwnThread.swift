import Glibc

/// A thread with the stack of a main thread.
struct OwnThread {
  private let thread: pthread_t

  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts it.
  ///
  /// - Throws: When the system has no more threads.
  init(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &thread, nil,
      { start in
        start.map { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw CommandFailure(description: "cannot start a thread: \(String(cString: strerror(code)))")
    }
    self.thread = thread
  }

  /// Waits for its end.
  func join() { pthread_join(thread, nil) }

  /// Lets it end by itself.
  func detach() { pthread_detach(thread) }
}
