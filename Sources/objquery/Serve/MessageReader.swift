import Glibc

/// Reads lines from standard input, until it ends, `stop()` is called, or nobody reads standard output any more.
final class MessageReader: Sendable {
  enum Event {
    case line([UInt8])
    /// A line with more bytes than allowed, which was skipped.
    case tooLong
    case end
    /// The reader of standard output has gone.
    case unheard
  }

  /// The longest line.
  static let mostBytes = 16 << 20

  /// A pipe whose closing ends the wait for input.
  private let wakeUp: (read: CInt, write: CInt)

  init() throws {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    wakeUp = (ends[0], ends[1])
  }

  /// Ends the reading, from any thread.
  func stop() {
    var byte: UInt8 = 0
    _ = Glibc.write(wakeUp.write, &byte, 1)
  }

  /// Calls `body` with each line and then once with how it ended, on this thread.
  ///
  /// - Parameter body: Returns false to end the reading.
  func forEach(_ body: (Event) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var line: [UInt8] = []
    var isSkipping = false
    while true {
      switch wait() {
      case .stopped: return
      case .unheard:
        _ = body(.unheard)
        return
      case .ready: break
      }
      let count = read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        // The last line may lack its line break.
        if isSkipping { _ = body(.tooLong) } else if !Self.isBlank(line) { guard body(.line(line)) else { return } }
        _ = body(.end)
        return
      }
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if !isSkipping { line += rest[..<end] }
        rest = rest[(end + 1)...]
        let isTooLong = isSkipping || line.count > Self.mostBytes
        let goesOn = isTooLong ? body(.tooLong) : Self.isBlank(line) || body(.line(line))
        line.removeAll(keepingCapacity: line.capacity < 1 << 20)
        isSkipping = false
        guard goesOn else { return }
      }
      if !isSkipping { line += rest }
      if line.count > Self.mostBytes {
        isSkipping = true
        line.removeAll()
      }
    }
  }

  private static func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

  private enum Wait { case ready, stopped, unheard }

  private func wait() -> Wait {
    var descriptors = [
      pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0), pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: 1, events: 0, revents: 0),
    ]
    while true {
      let count = poll(&descriptors, nfds_t(descriptors.count), -1)
      // Where polling is not possible, reading is.
      if count < 0 { if errno == EINTR { continue } else { return .ready } }
      if descriptors[0].revents != 0 { return .stopped }
      if descriptors[2].revents & Int16(POLLERR | POLLNVAL) != 0 { return .unheard }
      if descriptors[1].revents != 0 { return .ready }
    }
  }

  /// Waits until `isDone`, or until nobody reads standard output any more, which returns false.
  func isHeard(until isDone: () -> Bool) -> Bool {
    while !isDone() {
      var output = pollfd(fd: 1, events: 0, revents: 0)
      _ = poll(&output, 1, 100)
      if output.revents & Int16(POLLERR | POLLNVAL) != 0 { return false }
    }
    return true
  }
}
