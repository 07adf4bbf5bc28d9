import Glibc
import ObjectStoreCore

// What the tests of load and power failures do in processes of their own. Called with what to do, a store, and more:
//
//   record STORE LOG SEED COMMITS   commits random changes, and has recorded what is written to the file
//   transfer STORE SECONDS SEED     moves amounts between accounts all the time; prints the number of commits
//   sum STORE SECONDS SEED          adds up the accounts all the time; prints the number of snapshots
//   loop STORE SECONDS SEED GROWTH  opens, asks and writes all the time; fails when memory or the file grows by more than
//                                   GROWTH per cent after the first tenth, or a reader is left behind
//
// Leaves with 0 when it went well.

func number(_ index: Int) -> Int {
  guard CommandLine.arguments.indices.contains(index), let number = Int(CommandLine.arguments[index]) else { exit(64) }
  return number
}

do {
  guard CommandLine.arguments.count >= 5 else { exit(64) }
  let path = CommandLine.arguments[2]
  switch CommandLine.arguments[1] {
  case "record":
    var recording = try Recording(path, log: CommandLine.arguments[3], seed: number(4))
    try recording.run(commits: number(5))
  case "transfer":
    var accounts = Accounts(path, seed: number(4))
    try accounts.transfer(for: .seconds(number(3)))
  case "sum":
    var accounts = Accounts(path, seed: number(4))
    try accounts.sum(for: .seconds(number(3)))
  case "loop":
    var loop = LongLoop(path, seed: number(4))
    try loop.run(for: .seconds(number(3)), growth: number(5))
  default: exit(64)
  }
} catch {
  print("\(error)")
  exit(1)
}
