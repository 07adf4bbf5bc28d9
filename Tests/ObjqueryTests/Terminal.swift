import Foundation

/// A terminal with `objquery` on it, and all it has shown so far.
final class Terminal {
  private let master: CInt
  private let process = Process()
  private var shown: [UInt8] = []

  var processID: pid_t { process.processIdentifier }

  /// - Parameter under: The words of a command that runs `objquery`, whose words follow them.
  init(_ arguments: [String], state: String, environment: [String: String] = [:], under: [String] = []) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which Glibc's module does not show.
    var unlocked: CInt = 0
    var number: CInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &unlocked) == 0, ioctl(master, 0x8004_5430, &number) == 0,
      ioctl(master, UInt(TIOCSWINSZ), &size) == 0
    else { throw POSIXError(.ENXIO) }
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let binary = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("objquery")
    let words = under + [binary.path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["TERM": "xterm", "XDG_STATE_HOME": state, "PAGER": "cat", "LC_ALL": "C", "NO_COLOR": "1"]
      .merging(environment) { $1 }
    let end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
  }

  /// Waits until `text` was shown after what was waited for before; false when it isn't within half a minute.
  func wait(for text: String) -> Bool { self.text(until: text) != nil }

  /// What was shown before `text`, after what was waited for before; nil when it isn't within half a minute.
  func text(until text: String) -> String? {
    for _ in 0..<300 {
      let all = String(decoding: shown, as: UTF8.self)
      if let found = all.range(of: text) {
        shown = Array(all[found.upperBound...].utf8)
        return String(all[..<found.lowerBound])
      }
      var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &bytes, bytes.count)
      guard count > 0 else { return nil }
      shown += bytes[0..<count]
    }
    return nil
  }

  /// What the terminal does for Ctrl-C while a statement runs: it is not the one that the process belongs to.
  func interrupt() { process.interrupt() }

  /// The first process that the one on the terminal has started.
  var child: pid_t? {
    let list = try? String(contentsOfFile: "/proc/\(processID)/task/\(processID)/children", encoding: .utf8)
    return list?.split(separator: " ").first.flatMap { pid_t($0) }
  }

  /// Whether a process is stopped, as Ctrl-Z does it; false when it isn't within half a minute.
  static func isStopped(_ processID: pid_t) -> Bool {
    for _ in 0..<300 {
      let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
      if status?.contains("State:\tT") == true { return true }
      usleep(100_000)
    }
    return false
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// The exit status, once it has left; nil when it doesn't within half a minute.
  func status() -> CInt? {
    for _ in 0..<300 where process.isRunning { usleep(100_000) }
    return process.isRunning ? nil : process.terminationStatus
  }
}
