import CEdit
import Glibc

/// A command of the user's, run by `/bin/sh` on the same terminal.
struct ShellProcess {
  private let process: pid_t

  /// Starts it; nil when it can't be started.
  ///
  /// - Parameter input: The file descriptor of its input; nil for that of this program.
  init?(_ command: String, input: CInt? = nil) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    // It gets the signals that this program ignores or blocks.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGINT)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in strdup(word) }
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments + [nil], environ) == 0 else { return nil }
    process = child
  }

  /// Waits for its end, and returns its exit status; for one that a signal ended, 128 and the signal's number.
  @discardableResult
  func wait() -> Int {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return 127 }
    }
    let signal = Int(status & 0x7F)
    return signal == 0 ? Int((status >> 8) & 0xFF) : 128 + signal
  }
}
