/// The exit status of the command.
enum ExitStatus: Int32 {
  /// All done.
  case done = 0
  /// A statement failed.
  case failed = 1
  /// The store could not be opened.
  case unopened = 2
  /// The command was called wrongly.
  case usage = 64
  /// The time limit was exceeded.
  case timeout = 124
  /// Ctrl-C.
  case interrupted = 130
}

/// An error with its own message and exit status.
struct CommandFailure: Error, CustomStringConvertible {
  var description: String
  var status = ExitStatus.failed
  /// The kind of failure, for `--error-format json`.
  var code = "failed"
}
