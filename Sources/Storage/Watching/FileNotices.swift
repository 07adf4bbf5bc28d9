internal import Dispatch
internal import Glibc

/// The system's notices that a file was written to, by whatever process of this machine; without them, a call every 50 ms.
///
/// It does not know what is in the file.
final class FileNotices: @unchecked Sendable {
  /// Unchanging; ending it is for any thread.
  private let source: any DispatchSourceProtocol

  /// Calls `body`, on a thread of its own, soon after each write to the file at `path`, until it ends.
  init(of path: String, _ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "ObjectStore.notices")
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        Self.empty(descriptor)
        body()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.source = source
      return
    }
    if descriptor >= 0 { close(descriptor) }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(50), leeway: .milliseconds(10))
    timer.setEventHandler(handler: body)
    timer.activate()
    source = timer
  }

  /// No call begins after this.
  func end() { source.cancel() }

  /// Reads what the system has to say, which is the same each time.
  private static func empty(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { room in
      while read(descriptor, room.baseAddress, room.count) > 0 {}
    }
  }
}
