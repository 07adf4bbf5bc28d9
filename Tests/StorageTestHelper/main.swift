import Glibc
import Schema
import Storage
import Values

// What the tests of stores do in another process. Called with the store and what to do:
//
//   declare            adds the property 'place' to Note, with an index
//   insert N           adds N notes with whatever columns the file has, in one write
//   count              prints how many notes there are
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

func run(_ arguments: [String]) throws {
  guard arguments.count >= 3 else { exit(64) }
  let file = try StoreFile.open(arguments[1], mode: .existing)
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
