import Glibc
import ObjectStoreCore
import TestSeeds
import WriteRecorder

/// Random commits to a store whose file is recorded. Each commit says in the store itself what must be there with it.
///
/// It does not know what becomes of the record.
struct Recording {
  private let store: Store
  private var random: SeededNumbers
  /// The values of the notes, by number.
  private var notes: [ObjectNumber: Int64] = [:]

  /// Makes a store with one commit, copied to `LOG.start`, from which on everything is recorded.
  init(_ path: String, log: String, seed: Int) throws {
    random = SeededNumbers(UInt64(truncatingIfNeeded: seed))
    let schema = Schema(entities: [
      Entity(
        name: "Note",
        properties: [
          Property(name: "value", type: .scalar(.int)), Property(name: "text", type: .scalar(.string)),
          Property(name: "body", type: .scalar(.string)),
        ],
        indexes: [Index(kind: .ordered, paths: ["value"]), Index(kind: .trigram, paths: ["text"])]),
      Entity(
        name: "Commit",
        properties: [
          Property(name: "number", type: .scalar(.int)), Property(name: "count", type: .scalar(.int)),
          Property(name: "sum", type: .scalar(.int)),
        ],
        indexes: [Index(kind: .unique, paths: ["number"])]),
    ])
    try { try Store.openDynamic(path, mode: .create, schema: schema).write { tx in _ = try tx.objects("Note") } }()
    try Self.copy(path + "/data.mdb", to: log + ".start")
    guard recorder_begin(path + "/data.mdb", log) != 0 else { exit(1) }
    store = try Store.openDynamic(path, mode: .readWrite)
  }

  mutating func run(commits: Int) throws {
    for commit in 1...commits {
      try store.write { tx in
        try change(in: tx)
        let sum = notes.values.reduce(0, +)
        let row: [Value] = [.int(Int64(commit)), .int(Int64(notes.count)), .int(sum)]
        _ = try tx.inserter(for: "Commit").append(row)
      }
      // The commit is acknowledged.
      recorder_mark(UInt64(commit))
    }
  }

  private mutating func change(in tx: WriteTransaction) throws {
    let inserter = try tx.inserter(for: "Note")
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let value = Int64.random(in: 0..<1_000, using: &random)
      notes[try inserter.append([.int(value), .string("note \(value)"), .string(Self.body(value))])] = value
    }
    // Dictionaries have another order in each process.
    for id in notes.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)) {
      let value = Int64.random(in: 0..<1_000, using: &random)
      try tx.update(
        id, of: "Note",
        ["value": .int(value), "text": .string("note \(value)"), "body": .string(Self.body(value))])
      notes[id] = value
    }
    for id in notes.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)) {
      _ = try tx.delete(id, of: "Note")
      notes[id] = nil
    }
  }

  /// What belongs to a value beside it; that of some is an overflow value of several pages.
  private static func body(_ value: Int64) -> String {
    String(repeating: "note \(value) ", count: value % 20 == 0 ? 1_500 : 1)
  }

  private static func copy(_ file: String, to copy: String) throws {
    let (source, target) = (open(file, O_RDONLY), open(copy, O_WRONLY | O_CREAT | O_EXCL, 0o600))
    defer { for descriptor in [source, target] where descriptor >= 0 { close(descriptor) } }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &bytes, bytes.count)
      if count == 0 { return }
      guard count > 0, write(target, bytes, count) == count else { exit(1) }
    }
  }
}
