import Glibc
import ObjectStoreCore
import Synchronization
internal import Values

/// Writes messages to standard output, a line each, from any thread.
final class MessageWriter: Sendable {
  private let isClosed = Mutex(false)
  /// Called once when nobody reads the messages any more.
  private let onClosing: @Sendable () -> Void

  init(onClosing: @escaping @Sendable () -> Void) { self.onClosing = onClosing }

  /// Answers a request. A notification is not answered.
  func answer(_ id: RequestID?, result: String) {
    if let id { write("{\"jsonrpc\":\"2.0\",\"id\":\(id.json),\"result\":\(result)}\n") }
  }

  /// Answers a request with an error; without an id, one that could not be read.
  func refuse(_ id: RequestID?, _ error: ResponseError) {
    write("{\"jsonrpc\":\"2.0\",\"id\":\(id?.json ?? "null"),\"error\":\(error.json)}\n")
  }

  /// Tells something that was not asked.
  func notify(_ method: String, _ parameters: String) {
    write("{\"jsonrpc\":\"2.0\",\"method\":\(JSONText.quoted(method)),\"params\":\(parameters)}\n")
  }

  private func write(_ line: String) {
    var line = line
    let hasFailed = isClosed.withLock { isClosed in
      if isClosed { return false }
      isClosed = !line.withUTF8 { Self.write(UnsafeRawBufferPointer($0)) }
      return isClosed
    }
    if hasFailed { onClosing() }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(1, base, rest.count)
      if count < 0, errno != EINTR { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
    }
    return true
  }
}
