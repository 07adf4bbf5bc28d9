/// Where a session's results go: standard output, the file of `.output`, or for one result the file of `.once`.
final class Output {
  private let standard = OutputSink.standard()
  private var file: OutputSink?
  private var once: OutputSink?

  /// Where the next result goes.
  var sink: OutputSink { once ?? file ?? standard }

  /// Whether results go to a person's screen.
  var isTerminal: Bool { sink.isTerminal }

  /// Sends results to a file from now on; nil is standard output again.
  ///
  /// - Parameter replaces: Whether a file with something in it is replaced, and not refused.
  func redirect(to path: String?, replaces: Bool = false) throws {
    try file?.finish()
    file = nil
    file = try path.map { try OutputSink.file($0, replaces: replaces) }
  }

  /// Sends the next result to a file.
  func redirectOnce(to path: String, replaces: Bool = false) throws {
    once = try OutputSink.file(path, replaces: replaces)
  }

  /// Sends the next result to `sink`.
  func redirectOnce(to sink: OutputSink) { once = sink }

  /// Runs `body`, which writes one result.
  func result(_ body: (OutputSink) throws -> Void) throws {
    let sink = sink
    defer { once = nil }
    try body(sink)
    try sink.flush()
  }

  func flush() throws { try sink.flush() }

  /// Forgets the file of `.once` after a failure.
  func discard() { once = nil }
}
