import Glibc

/// The slots of readers in the lock file, which all processes share. LMDB uses the first 24 bytes of the 64 of a slot; in
/// the rest each reader notes since when it has been reading, and its label:
///
///     0  commit   8 bytes, all ones while the slot is idle
///     8  process  4 bytes, 0 while the slot is free
///     16 thread   8 bytes
///     24 begun    8 bytes: nanoseconds of the monotonic clock, which is the same for all processes
///     32 noted    4 bytes: the process that wrote this note; another number is that of an earlier reader
///     36 label    28 bytes of UTF-8, zeros behind it
///
/// It reads the commits and processes, and never writes them. The owner's monitor guards it.
final class ReaderSlots {
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let process = getpid()
  /// The slots of this process's transactions, also of idle ones.
  private var own: [OpaquePointer: UnsafeMutableRawPointer] = [:]
  private var taken: Set<UnsafeMutableRawPointer> = []

  private static let slotSize = 64
  private enum Offset { static let process = 8, begun = 24, noted = 32, label = 36 }
  private static let idle = UInt64.max

  /// The bytes before the first slot: two blocks, each with a mutex, in whole lines of the cache.
  private static let headerSize: Int = {
    func lines(_ size: Int) -> Int { (size + slotSize - 1) / slotSize * slotSize }
    let mutex = MemoryLayout<pthread_mutex_t>.size
    return lines(8 + mutex + 8 + 4) + lines(mutex)
  }()

  /// Maps the lock file of a folder. No environment of this process may have it open: closing it would drop the locks
  /// of LMDB.
  init(_ directory: String) throws(LMDBError) {
    let path = directory + "/lock.mdb"
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .lastSystemError("opening", path) }
    defer { _ = Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .lastSystemError("looking at", path) }
    size = Int(status.st_size)
    guard size > 0, let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), base != MAP_FAILED
    else { throw .lastSystemError("mapping", path) }
    self.base = base
  }

  deinit { munmap(base, size) }

  /// Finds the slot of a transaction that has just begun for the first time.
  func add(_ raw: OpaquePointer, commit: Int) {
    forget(raw)
    for slot in slots where slot.process == process && slot.commit == UInt64(commit) && !taken.contains(slot.start) {
      own[raw] = slot.start
      taken.insert(slot.start)
      return
    }
  }

  /// Forgets the slot of a transaction that is given up.
  func forget(_ raw: OpaquePointer) {
    if let slot = own.removeValue(forKey: raw) { taken.remove(slot) }
  }

  /// Notes that a transaction begins to read.
  func note(_ raw: OpaquePointer, _ label: ReaderLabel) {
    guard let slot = own[raw] else { return }
    slot.storeBytes(of: Deadline.coarseNow, toByteOffset: Offset.begun, as: UInt64.self)
    slot.storeBytes(of: process, toByteOffset: Offset.noted, as: Int32.self)
    label.write(to: slot + Offset.label)
  }

  /// A slot in use.
  private struct Slot {
    let start: UnsafeMutableRawPointer
    var commit: UInt64 { start.load(as: UInt64.self) }
    var process: Int32 { start.load(fromByteOffset: Offset.process, as: Int32.self) }
  }

  private var slots: some Sequence<Slot> {
    stride(from: Self.headerSize, through: size - Self.slotSize, by: Self.slotSize).lazy
      .map { Slot(start: self.base + $0) }.filter { $0.process != 0 }
  }

  /// What reads, the oldest commit first, without one of this process's transactions.
  func readers(besides raw: OpaquePointer?) -> [Environment.Reader] {
    let other = raw.flatMap { own[$0] }
    let found = slots.filter { $0.commit != Self.idle && $0.start != other }
    return found.map(reader).sorted { ($0.commit, $1.age ?? .zero) < ($1.commit, $0.age ?? .zero) }
  }

  /// The system knows more about processes; that is asked for only of those that are shown.
  private func reader(_ slot: Slot) -> Environment.Reader {
    var reader = Environment.Reader(commit: Int(clamping: slot.commit), processID: slot.process)
    // A program of an earlier version notes nothing.
    guard slot.start.load(fromByteOffset: Offset.noted, as: Int32.self) == slot.process else { return reader }
    let begun = slot.start.load(fromByteOffset: Offset.begun, as: UInt64.self)
    reader.label = ReaderLabel(at: slot.start + Offset.label).text
    reader.age = .nanoseconds(Int64(clamping: max(Deadline.coarseNow, begun) - begun))
    reader.isAgeExact = true
    return reader
  }
}

/// What a reader says about itself to other processes: at most 28 bytes of UTF-8.
package struct ReaderLabel: Sendable, Hashable {
  /// The most bytes of a label.
  package static let mostBytes = 28

  private var bytes: [UInt8]

  /// A label; of a longer text as many characters as fit.
  package init(_ text: String) {
    var bytes: [UInt8] = []
    for character in text where character != "\0" {
      let more = Array(String(character).utf8)
      if bytes.count + more.count > Self.mostBytes { break }
      bytes += more
    }
    self.bytes = bytes
  }

  /// The label of a slot, which another process may be writing.
  init(at place: UnsafeMutableRawPointer) {
    let all = UnsafeRawBufferPointer(start: place, count: Self.mostBytes)
    bytes = Array(all.prefix { $0 != 0 })
  }

  /// nil if it is empty.
  package var text: String? { bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }

  func write(to place: UnsafeMutableRawPointer) {
    for index in 0..<Self.mostBytes {
      place.storeBytes(of: index < bytes.count ? bytes[index] : 0, toByteOffset: index, as: UInt8.self)
    }
  }
}
