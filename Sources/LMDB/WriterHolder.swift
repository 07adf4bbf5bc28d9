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
    let now = ProcessFacts.seconds(CLOCK_REALTIME)
    let held = max(now - (Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9), 0)
    if let age = ProcessFacts.age(of: process), .seconds(held) > age + .seconds(1) { return nil }
    return .milliseconds(Int64(held * 1000))
  }

  /// The process that has a whole file locked exclusively: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
  private static func lockingProcess(of file: stat) -> Int32? {
    guard let text = ProcessFacts.contents(of: "/proc/locks") else { return nil }
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
}
