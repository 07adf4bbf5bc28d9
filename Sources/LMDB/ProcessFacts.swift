import Glibc

/// What the system says about processes, in `/proc`.
enum ProcessFacts {
  /// How long ago a process began; nil when there is none.
  static func age(of process: Int32) -> Duration? {
    // The text in parentheses is the program's name, which may contain any characters.
    guard let text = contents(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
    return .seconds(max(seconds(CLOCK_BOOTTIME) - ticks / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1)), 0))
  }

  /// The name of the program of a process, of which the system keeps 15 bytes.
  static func program(of process: Int32) -> String? {
    contents(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
  }

  /// The most characters of a command line that are of use to somebody who looks for a process.
  private static let longestCommand = 120

  /// The command line that a process was started with, cut off with `…` if it is long; nil if the system does not say it.
  static func command(of process: Int32) -> String? {
    guard let text = contents(of: "/proc/\(process)/cmdline"), !text.isEmpty else { return nil }
    // A zero byte ends each argument.
    let line = text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: " ")
    let command = line.hasSuffix(" ") ? String(line.dropLast()) : line
    return command.count > longestCommand ? command.prefix(longestCommand) + "…" : command
  }

  /// The time of a clock.
  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The contents of a file of the system; nil when it can't be read.
  static func contents(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
