internal import Dispatch
internal import Glibc

/// The system's notifications that a file was written to, or lost its name, by any process of this machine; where there are none, a call
/// every 50 ms.
///
/// It does not depend on the content of the file.
final class FileNotices: @unchecked Sendable {
  /// Immutable; any thread may cancel it.
  private let source: any DispatchSourceProtocol

  /// Calls `body` on its own queue soon after each write to the file at `path`, and when another file has taken its
  /// name, until it ends.
  init(of path: String, _ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "ObjectStore.notices")
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) >= 0 {
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

  /// Discards the pending notifications, which are all alike.
  private static func empty(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { room in
      while read(descriptor, room.baseAddress, room.count) > 0 {}
    }
  }
}
