internal import Dispatch
internal import Glibc

/// The system's notifications that a file was written to, or lost its name, by any process of this machine; where there
/// are none, a call at regular intervals.
///
/// It does not depend on the content of the file.
final class FileNotices: @unchecked Sendable {
  /// The longest time between two calls where there are no notifications, in milliseconds: `interval` and what the
  /// system may add to it to save power.
  static let longestWait = interval + leeway
  private static let interval = 50
  private static let leeway = 10

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
    timer.schedule(deadline: .now(), repeating: .milliseconds(Self.interval), leeway: .milliseconds(Self.leeway))
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
