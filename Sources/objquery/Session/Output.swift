/// The destination of a session's results: standard output, the file of `.output`, or for one result the file of
/// `.once`.
final class Output {
  private let standard = OutputSink.standard()
  private var file: OutputSink?
  private var once: OutputSink?

  /// The destination of the next result.
  var sink: OutputSink { once ?? file ?? standard }

  /// Whether results are shown on a screen.
  var isTerminal: Bool { sink.isTerminal }

  /// Whether they go to standard output.
  var isStandard: Bool { once == nil && file == nil }

  /// Sends results to a file from now on; nil means standard output.
  ///
  /// - Parameter replaces: Whether a nonempty file is replaced; otherwise it is refused.
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
    if once == nil { try sink.flush() } else { try sink.finish() }
  }

  func flush() throws { try sink.flush() }

  /// Ends the file of `.output`, and hands on what was written to standard output.
  func finish() throws {
    try redirect(to: nil)
    try standard.finish()
  }

  /// Forgets the file of `.once` after a failure.
  func discard() { once = nil }
}
