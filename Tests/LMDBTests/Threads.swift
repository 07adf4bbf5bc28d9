import Glibc

/// Runs something on a thread of its own and waits for it.
func runInThread(_ body: @escaping @Sendable () -> Void) {
  final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
    return nil
  }
  var thread = pthread_t()
  if pthread_create(&thread, nil, start, work) == 0 { pthread_join(thread, nil) }
}
