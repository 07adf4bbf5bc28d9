import Glibc

/// The holder of a store's writer lock.
package struct WriterHolder: Hashable, Sendable {
  /// Its process.
  package var processID: Int32
  /// How long it has held the lock; nil when unknown.
  package var duration: Duration?

  /// The process that has the open directory locked exclusively; nil when there is none, or the system does not report
  /// it.
  ///
  /// The process is read from the system's list of locks, so it is correct even if earlier holders were killed. The
  /// holder sets the directory's modification time when it takes the lock.
  static func ofDirectory(_ directory: Int32) -> WriterHolder? {
    var status = stat()
    guard fstat(directory, &status) == 0, let process = lockingProcess(of: status) else { return nil }
    return WriterHolder(processID: process, duration: duration(since: status.st_mtim, process: process))
  }

  /// Notes that the turn of this process begins now.
  static func noteBeginning(_ directory: Int32) { _ = futimens(directory, nil) }

  /// The time since `moment`; nil when the process began later, so that it did not take the lock at that moment.
  private static func duration(since moment: timespec, process: Int32) -> Duration? {
    let now = seconds(CLOCK_REALTIME)
    let held = max(now - (Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9), 0)
    if let age = age(of: process), held > age + 1 { return nil }
    return .milliseconds(Int64(held * 1000))
  }

  /// How long ago a process began, in seconds.
  private static func age(of process: Int32) -> Double? {
    // The text in parentheses is the program's name, which may contain any characters.
    guard let text = contents(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
    return seconds(CLOCK_BOOTTIME) - ticks / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The process that has a whole file locked exclusively: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
  private static func lockingProcess(of file: stat) -> Int32? {
    guard let text = contents(of: "/proc/locks") else { return nil }
    var others: [Int32] = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // The line of a waiting process has an arrow before the kind.
      guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE", let process = Int32(fields[4]) else {
        continue
      }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == UInt64(file.st_ino) else { continue }
      let device = UInt64(file.st_dev)
      let (major, minor) = (device >> 8 & 0xFFF | device >> 32 & ~0xFFF, device & 0xFF | device >> 12 & ~0xFF)
      if UInt64(place[0], radix: 16) == major, UInt64(place[1], radix: 16) == minor { return process }
      others.append(process)
    }
    // Some file systems report a different device here than to `stat`.
    return others.count == 1 ? others[0] : nil
  }

  private static func contents(of path: String) -> String? {
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
