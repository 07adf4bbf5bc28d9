/// Who gives a session its statements: it decides whether questions are asked, and what messages say to do.
enum SessionClient {
  /// A person, or a script, by words of the command.
  case command
  /// A program, by requests.
  case program

  /// How a change of everything is confirmed.
  var confirmation: String {
    switch self {
    case .command: "call the command with --yes"
    case .program: "send it with \"confirmed\": true"
    }
  }

  /// How a store is made that is not there.
  var creation: String {
    switch self {
    case .command: "--create makes it, and so does objquery import"
    case .program: "\"create\": true makes it, and so does objquery import"
    }
  }

  /// How a store is opened that must not be written to.
  var readOnly: String {
    switch self {
    case .command: "--readonly only reads it"
    case .program: "\"readonly\": true only reads it"
    }
  }
}
