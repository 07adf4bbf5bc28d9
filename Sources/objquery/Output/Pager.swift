import CEdit
import Glibc

/// The user's pager, run with a pipe to its input.
final class Pager {
  /// The file descriptor of the pager's input.
  private(set) var input: CInt
  private let process: pid_t

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
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    // The pager gets the signals that this program ignores.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // -R shows colours, -F exits at once if the output fits the screen, -X leaves it there, -S does not wrap tables.
    setenv("LESS", "RFXS", 0)
    let arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in strdup(word) }
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments + [nil], environ)
    close(ends[0])
    guard result == 0 else {
      close(ends[1])
      return nil
    }
    input = ends[1]
    process = child
  }

  deinit { wait() }

  /// Ends its input and waits until the user leaves it.
  func wait() {
    guard input >= 0 else { return }
    close(input)
    input = -1
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
