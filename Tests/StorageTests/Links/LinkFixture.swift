import Schema
import Storage
import Testing
import Values

extension Schema {
  /// The schema that a text declares.
  static func text(_ text: String) throws -> Schema { try SchemaText.parse(text) }
}

extension Value {
  /// A link to the object of that number.
  static func link(_ number: UInt64?) -> Value { number.map { .int(Int64($0)) } ?? .null }

  /// Links to the objects of those numbers.
  static func links(_ numbers: UInt64...) -> Value { .list(numbers.map { .int(Int64($0)) }) }
}

extension StoreFile {
  /// The objects that link to a target, as of now.
  func sources(of target: UInt64, through path: String, of entity: String) throws -> [UInt64] {
    try read { snapshot in
      let link = try #require(snapshot.schema.link(at: path, of: entity))
      return try snapshot.sources(of: ObjectNumber(target), through: link).map(\.rawValue)
    }
  }

  /// Gives one property of an object another value.
  func set(_ path: String, of entity: String, _ number: UInt64, to value: Value) throws {
    try write { session in
      let entity = try #require(session.schema.entity(named: entity))
      try session.update(ObjectNumber(number), of: entity, [(try #require(entity.column(at: path)), value)])
    }
  }

  /// Deletes objects in one write; how many of them there were.
  @discardableResult
  func delete(_ numbers: [UInt64], of entity: String) throws -> Int {
    try write { session in
      try session.delete(numbers.map { ObjectNumber($0) }, of: try #require(session.schema.entity(named: entity)))
    }
  }
}
