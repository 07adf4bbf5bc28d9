import Glibc

/// Runs `body` on a thread with the 512 KiB of stack that worker threads have on some systems. Without optimisation
/// every frame is several times as large, and the stack is so here too.
func onSmallStack(_ body: @escaping () -> Void) {
  final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  #if DEBUG
    pthread_attr_setstacksize(&attributes, 4 << 20)
  #else
    pthread_attr_setstacksize(&attributes, 512 << 10)
  #endif
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  pthread_create(
    &thread, &attributes,
    { raw in
      guard let raw else { return nil }
      Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  pthread_join(thread, nil)
  pthread_attr_destroy(&attributes)
}
