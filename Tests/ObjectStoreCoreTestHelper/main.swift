import Glibc
import ObjectStoreCore

// What the tests of the API do in another process. Called with a store and a statement it runs that, and ends. Called with
// a store of notes and `migrate` it opens it with models of a later version, says how far it is, and ends.
//
// Called with a store and `compact` it compacts the store, and ends; with `share` several tasks share commits, see
// `SharedCommits`.
//
// Called with `damage`, a folder, a seed, a first case, a number of cases and a kind or `all` it damages stores, see
// `DamagedStores`; `use-` before a kind writes to them too. With `damage-kinds` it names the kinds.
//
// What they do in a process that is killed. Called with a store and a number of turns to leave out:
//
// Many tasks write, each one object at a time: which task it is of, and its turn. After each write that returned the
// task says so, `task turn`. Each fifth write throws after it has added its object, and says nothing. It never ends.

struct Refused: Error {}

let schema = Schema(entities: [
  Entity(
    name: "Note",
    properties: [
      Property(name: "task", type: .scalar(.int)), Property(name: "turn", type: .scalar(.int)),
      Property(name: "text", type: .scalar(.string)),
    ],
    indexes: [Index(kind: .ordered, paths: ["task", "turn"])])
])

/// Says a line at once: a short write to a pipe is one, and whole.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  if write(1, bytes, bytes.count) != bytes.count { exit(1) }
}

if CommandLine.arguments == [CommandLine.arguments[0], "damage-kinds"] {
  for kind in DamagedBytes.Kind.allCases { say("\(kind)") }
  exit(0)
}
if CommandLine.arguments.count == 7, CommandLine.arguments[1] == "damage" {
  let numbers = CommandLine.arguments[3...5].compactMap { Int($0) }
  let isUsed = CommandLine.arguments[6].hasPrefix("use-")
  let name = isUsed ? String(CommandLine.arguments[6].dropFirst(4)) : CommandLine.arguments[6]
  let kind = DamagedBytes.Kind.allCases.first { "\($0)" == name }
  guard numbers.count == 3, kind != nil || CommandLine.arguments[6] == "all" else { exit(64) }
  try DamagedStores(
    seed: UInt64(numbers[0]), folder: CommandLine.arguments[2], first: numbers[1], count: numbers[2], onlyKind: kind,
    stopsAtMisreading: !isUsed
  ).run()
  exit(0)
}
guard CommandLine.arguments.count == 3 else { exit(64) }
if CommandLine.arguments[2] == "migrate" {
  _ = try Store(CommandLine.arguments[1], models: MigratedNote.self, migration: NotePlan.self)
  say("done")
  exit(0)
}
if CommandLine.arguments[2] == "compact" {
  try Store.openDynamic(CommandLine.arguments[1], mode: .readWrite).compact()
  say("done")
  exit(0)
}
if CommandLine.arguments[2] == "share" {
  try await SharedCommits(store: Store.openDynamic(CommandLine.arguments[1], mode: .create, schema: schema)).run()
  exit(0)
}
guard let first = Int(CommandLine.arguments[2]) else {
  let session = StatementSession(try Store.openDynamic(CommandLine.arguments[1], mode: .readWrite))
  _ = try session.run(CommandLine.arguments[2])
  exit(0)
}
let store = try Store.openDynamic(CommandLine.arguments[1], mode: .create, schema: schema)
await withTaskGroup(of: Void.self) { group in
  for task in 0..<24 {
    group.addTask {
      for turn in first..<first + 1_000_000 {
        do {
          try await store.write { tx in
            let row: [Value] = [.int(Int64(task)), .int(Int64(turn)), .string("note \(turn) of task \(task)")]
            try tx.inserter(for: "Note").append(row)
            if turn % 5 == 4 { throw Refused() }
          }
          say("\(task) \(turn)")
        } catch is Refused {} catch {
          say("\(error)")
          exit(1)
        }
      }
    }
  }
}
