/// The exit status of the command.
enum ExitStatus: Int32, CaseIterable {
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

  /// What it means, for the help.
  var meaning: String {
    switch self {
    case .done: "all done"
    case .failed: "a statement failed"
    case .unopened: "the store could not be opened"
    case .usage: "wrong usage"
    case .timeout: "the time of --timeout was over"
    case .interrupted: "interrupted"
    }
  }

  /// A line of help on the statuses of a command.
  ///
  /// - Parameters:
  ///   - failure: What a status of 1 means.
  ///   - unopened: What a status of 2 means, if it is more than that the store could not be opened.
  ///   - hasTimeout: Whether the command has a time limit.
  static func help(failure: String, unopened: String? = nil, hasTimeout: Bool = true) -> String {
    let statuses = allCases.filter { hasTimeout || $0 != .timeout }.map { status in
      let meaning = status == .failed ? failure : status == .unopened ? unopened ?? status.meaning : status.meaning
      return "\(status.rawValue) \(meaning)"
    }
    return "Exit status: " + statuses.joined(separator: ", ") + "."
  }
}

/// An error with its own message and exit status.
struct CommandFailure: Error, CustomStringConvertible {
  var description: String
  var status = ExitStatus.failed
  /// The kind of failure, for `--error-format json`.
  var code = "failed"
}
