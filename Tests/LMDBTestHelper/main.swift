import Glibc
import LMDB

// What the tests of LMDB have done in processes of their own, which may be killed, lose their rights or meet damage.
// The first argument says what to do; the last line printed is the result.

let arguments = CommandLine.arguments

/// Prints a line at once: the process may be killed before it ends.
func say(_ line: some CustomStringConvertible) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(1, bytes, bytes.count)
}

func argument(_ index: Int) -> String {
  guard index < arguments.count else {
    say("an argument is missing")
    exit(2)
  }
  return arguments[index]
}

/// Runs `body` and prints what came of it.
func report(_ body: () throws -> String) -> Never {
  do {
    say(try body())
    exit(0)
  } catch {
    say("error: \(label(error))")
    exit(1)
  }
}

/// The name of an error's case.
func label(_ error: any Error) -> String {
  if case .system(let code, _, _)? = error as? LMDBError { return "system \(code)" }
  switch error as? LMDBError {
  case .busy, .writerBusy: return "busy"
  case .forked: return "forked"
  case .readOnly: return "readOnly"
  default: return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}

switch arguments.dropFirst().first {
case "write": try Writing.forEver(argument(2))
case "create": Writing.create(argument(2))
case "hold-writer": report { try Holding.writer(argument(2)) }
case "hold-reader": report { try Holding.reader(argument(2)) }
case "try-writer": report { try Holding.tryWriter(argument(2)) }
case "compact-until-mark": report { try Compacting.untilMark(argument(2)) }
case "full-compacting": report { try Compacting.whenFull(argument(2)) }
case "open-again": report { try Compacting.openAgain(argument(2)) }
case "grow": report { try Writing.grow(argument(2)) }
case "as-nobody": report { try Rights.asNobody(argument(2), readOnly: argument(3) == "read") }
case "limited": report { try Rights.withLimitedAddresses(argument(2)) }
case "fork": report { try Forking.useAfterFork(argument(2)) }
case "full": report { try Disk.fill(argument(2)) }
case "full-reading": report { try Disk.readWhenFull(argument(2)) }
case "file-size": report { try FileLimits.ofSize(argument(2)) }
case "descriptors": report { try FileLimits.ofDescriptors(argument(2)) }
case "read-only-media": report { try Disk.readOnly(argument(2)) }
case "prepare": report { try Damage.prepare(argument(2)) }
case "damage":
  let damage = Damage(
    seed: UInt64(argument(3)) ?? 0, folder: argument(2), isChecked: argument(5) == "checked",
    first: Int(argument(6)) ?? 0)
  report { try damage.run(Int(argument(4)) ?? 0) }
default:
  say("unknown: \(arguments)")
  exit(2)
}
