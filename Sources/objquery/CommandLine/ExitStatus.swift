/// What the command's exit status says.
enum ExitStatus: Int32 {
  /// All done.
  case done = 0
  /// A statement failed.
  case failed = 1
  /// The store could not be opened.
  case unopened = 2
  /// The command was called wrongly.
  case usage = 64
  /// It took longer than it was given.
  case timeout = 124
  /// Ctrl-C.
  case interrupted = 130
}

/// An error in words of its own, with the status to leave with.
struct CommandFailure: Error, CustomStringConvertible {
  var description: String
  var status = ExitStatus.failed
  /// What kind of failure it is, for `--error-format json`.
  var code = "failed"
}
