import Glibc
import Schema
import Storage
import Values

// What the tests of stores do in another process. Called with the store and what to do:
//
//   declare            adds the property 'place' to Note, with an index
//   insert N           adds N notes with whatever columns the file has, in one write
//   count              prints how many notes there are
//   rewrite N M        changes a number of M scattered notes in each of N writes; prints how many bytes it had the system
//                      write, and how many clusters it changed
//   hold               holds the writer's turn until it is killed
//
// Leaves with 0 when it went well.

func filled(_ entity: StoredEntity, _ number: Int) -> [Value] {
  entity.columns.map { column in
    switch column.scalarType {
    case .string: .string("note \(number)")
    case .int: .int(Int64(number))
    default: .null
    }
  }
}

/// The bytes this process has given to system calls that write.
func bytesWritten() -> Int {
  guard let file = fopen("/proc/self/io", "r") else { exit(1) }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix("wchar: ") { return Int(text.dropFirst(7).dropLast()) ?? 0 }
  }
  exit(1)
}

func run(_ arguments: [String]) throws {
  guard arguments.count >= 3 else { exit(64) }
  let file = try StoreFile.open(arguments[1], mode: .readWrite)
  guard let entity = try file.read({ $0.schema.entity(named: "Note") }) else { exit(1) }
  switch arguments[2] {
  case "declare":
    var schema = try file.read { $0.schema.schema }
    schema.entities[0].properties.append(
      Property(name: "place", type: .scalar(.string), defaultValue: .string("nowhere")))
    schema.entities[0].indexes.append(Index(paths: ["place"]))
    try file.declare(schema)
  case "insert":
    try file.write { session in
      for number in 0..<(Int(arguments.last ?? "") ?? 0) { try session.insert(filled(entity, number), into: entity) }
    }
  case "count":
    print(try file.read { try $0.objectCount(entity) })
  case "rewrite":
    guard arguments.count == 5, let writes = Int(arguments[3]), let changes = Int(arguments[4]),
      let column = entity.columns.firstIndex(where: { $0.scalarType == .int })
    else { exit(64) }
    let count = try file.read { try $0.objectCount(entity) }
    let before = bytesWritten()
    var clusters = 0
    var turn = 0
    for _ in 0..<writes {
      clusters += try file.write { session in
        var changed: Set<UInt64> = []
        for _ in 0..<changes {
          turn += 1
          let object = ObjectNumber(UInt64(turn * 2_654_435_761 % count + 1))
          try session.update(object, of: entity, [(column: column, value: .int(Int64(turn % 97)))])
          changed.insert(object.cluster)
        }
        return changed.count
      }
    }
    print(bytesWritten() - before, clusters)
  case "hold":
    try file.write { session in
      for number in 0..<5_000 { try session.insert(filled(entity, number), into: entity) }
      _ = try session.snapshot()
      print("holding")
      fflush(nil)
      while true { sleep(1) }
    }
  default: exit(64)
  }
}

do {
  try run(CommandLine.arguments)
} catch {
  print("\(error)")
  exit(1)
}
