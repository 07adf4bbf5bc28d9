import CEdit
import Glibc

/// The user's pager, run with a pipe to its input.
final class Pager {
  /// The file descriptor of the pager's input.
  private(set) var input: CInt
  private let process: ShellProcess

  /// The pager that the user chose.
  enum Choice: Equatable {
    /// `$PAGER`, else `less`.
    case environment
    case none
    /// A command for the shell.
    case command(String)

    /// The command; nil for none.
    var command: String? {
      switch self {
      case .environment:
        getenv("PAGER").map { String(cString: $0) }.map { $0.isEmpty || $0 == "cat" ? nil : $0 } ?? "less"
      case .none: nil
      case .command(let command): command
      }
    }
  }

  /// Starts a pager; nil when there is none or it can't be started.
  init?(_ choice: Choice) {
    guard let command = choice.command else { return nil }
    var ends: [CInt] = [-1, -1]
    guard cedit_pipe(&ends) else { return nil }
    // -R shows colours, -F exits at once if the output fits the screen, -X leaves it there, -S does not wrap tables.
    setenv("LESS", "RFXS", 0)
    let process = ShellProcess(command, input: ends[0])
    close(ends[0])
    guard let process else {
      close(ends[1])
      return nil
    }
    input = ends[1]
    self.process = process
  }

  deinit { wait() }

  /// Ends its input and waits until the user leaves it.
  func wait() {
    guard input >= 0 else { return }
    close(input)
    input = -1
    process.wait()
  }
}
