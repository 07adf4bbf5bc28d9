import Glibc
import ObjectStoreCore
import TestSeeds

/// Opens a store, asks and writes for a long time in one process, and watches what must not grow: the memory of the
/// process, the readers of the store, and its file.
///
/// There are always as many objects, so what grows after the first tenth of the time is never given back. The changes of
/// the latest commits are kept up to some megabytes, which take long to fill: they do not count, nor does what is mapped of
/// the file. On a machine that has more to do, each part has as many openings as it needs to say something.
struct LongLoop {
  private let path: String
  private var random: SeededNumbers
  private var next: Int64 = 0

  private static let objects = 2_000
  /// The openings after which memory and file have the size that they keep, however slow they were.
  private static let settlingOpenings = 3
  private static let schema = """
    @Model struct Note {
      @Attribute(.unique) var number: Int
      @Attribute(.indexed) var value: Int
      @Attribute(.trigram) var text: String
    }
    """

  init(_ path: String, seed: Int) {
    self.path = path
    random = SeededNumbers(UInt64(truncatingIfNeeded: seed))
  }

  /// Prints the number of rounds, and what was the most in the first tenth and after it. Leaves with 1 when memory or the
  /// file grew by more than some per cent, or a reader stayed.
  mutating func run(for duration: Duration, growth: Int) throws {
    try fill()
    let start = ContinuousClock.now
    let end = start + duration
    let settled = start + duration / 10
    var (early, late) = (Extent(), Extent())
    var (rounds, openings) = (0, 0)
    while ContinuousClock.now < end || openings < 5 * Self.settlingOpenings {
      let store = try Store.openDynamic(path, mode: .readWrite)
      for _ in 0..<20 {
        try ask(store)
        try change(store)
        rounds += 1
      }
      let statistics = try store.statistics()
      guard statistics.readers == 0 else {
        print("\(statistics.readers) readers after \(rounds) rounds")
        exit(1)
      }
      let extent = Extent(
        memory: Self.memory(), file: statistics.fileBytes - statistics.systemBytes)
      openings += 1
      if ContinuousClock.now < settled || openings <= Self.settlingOpenings {
        early.add(extent)
      } else {
        late.add(extent)
      }
    }
    print("\(rounds) rounds, \(early) in the first tenth, \(late) after it")
    if late.exceeds(early, percent: growth) { exit(1) }
  }

  /// The most that there was of each.
  private struct Extent: CustomStringConvertible {
    var memory = 0
    var file = 0

    mutating func add(_ other: Extent) {
      memory = max(memory, other.memory)
      file = max(file, other.file)
    }

    func exceeds(_ other: Extent, percent: Int) -> Bool {
      memory > other.memory / 100 * (100 + percent) || file > other.file / 100 * (100 + percent)
    }

    var description: String { "\(memory >> 10) KiB of memory and \(file >> 10) KiB of objects and indexes" }
  }

  private mutating func fill() throws {
    let store = try Store.openDynamic(path, mode: .create, schema: try SchemaText.parse(Self.schema))
    try store.write { tx in
      let notes = try tx.inserter(for: "Note")
      for _ in 0..<Self.objects { _ = try notes.append(row()) }
    }
  }

  private mutating func row() -> [Value] {
    defer { next += 1 }
    let value = Int64.random(in: 0..<1_000, using: &random)
    return [.int(next), .int(value), .string("note \(next) of \(value)")]
  }

  /// Queries with other texts each time, so that what is remembered of them would be seen to grow.
  private mutating func ask(_ store: Store) throws {
    let value = Int64.random(in: 0..<1_000, using: &random)
    try store.snapshot { snapshot in
      let notes = try snapshot.objects("Note")
      let count = try notes.count
      guard count == Self.objects else {
        print("\(count) objects instead of \(Self.objects)")
        exit(1)
      }
      _ = try notes.filter("value < \(value)").sum(of: "value")
      _ = try notes.filter("text CONTAINS 'of \(value)'").rows(["number", "text"])
      _ = try notes.filter("number >= %@ AND value != \(value)", next - 50).ids
    }
  }

  private mutating func change(_ store: Store) throws {
    try store.write { tx in
      let notes = try tx.inserter(for: "Note")
      let count = Int.random(in: 1...20, using: &random)
      for id in try tx.objects("Note").filter("number < %@", next - Int64(Self.objects - count)).ids {
        _ = try tx.delete(id, of: "Note")
      }
      for _ in 0..<count { _ = try notes.append(row()) }
    }
  }

  /// The bytes of the process that are in memory and no part of a file.
  private static func memory() -> Int {
    let file = open("/proc/self/status", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("RssAnon:") }),
      let size = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
    else {
      print("no RssAnon in /proc/self/status")
      exit(1)
    }
    return size << 10
  }
}
