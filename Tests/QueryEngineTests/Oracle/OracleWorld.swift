import Schema
import Values

/// All objects of a store, as the oracle has them: by entity and number. A link is the object it leads to, and a struct
/// of a list is an object too, of an entity of its own that only the list links to.
///
/// It knows no paths and no predicates, only what stands in an object and who links to it.
final class OracleWorld {
  let schema: Schema
  let objects: [String: [UInt64: OracleObject]]
  /// The columns of each entity by path.
  let columns: [String: [String: Column]]
  /// Who links where, once it was asked: by the link, then by the target's number.
  private var known: [String: [UInt64: [UInt64]]] = [:]

  init(schema: Schema, objects: [String: [UInt64: OracleObject]] = [:]) {
    let (schema, objects) = Self.withStructsAsObjects(schema, objects)
    self.schema = schema
    self.objects = objects
    columns = Dictionary(
      uniqueKeysWithValues: schema.entities.map { entity in
        let columns = schema.columns(of: entity).map { ($0.path, $0) }
        return (entity.name, Dictionary(columns, uniquingKeysWith: { first, _ in first }))
      })
  }

  // MARK: Structs of lists

  /// The entity of the structs in a list; no other has a slash in its name.
  static func structEntity(_ entity: String, _ path: String) -> String { entity + "/" + path }

  static func isStructEntity(_ name: String) -> Bool { name.contains("/") }

  private static func withStructsAsObjects(
    _ schema: Schema, _ objects: [String: [UInt64: OracleObject]]
  ) -> (Schema, [String: [UInt64: OracleObject]]) {
    var all = schema
    var found = objects
    for entity in schema.entities {
      for column in schema.columns(of: entity) {
        guard case .structs(let name) = column.kind, let structure = schema.structure(named: name) else { continue }
        let own = Entity(name: structEntity(entity.name, column.path), properties: structure.properties)
        // A world made of another's objects has them already.
        if schema.entities.contains(where: { $0.name == own.name }) { continue }
        all.entities.append(own)
        let leaves = schema.columns(of: own).map(\.path)
        var number: UInt64 = 0
        for (key, object) in objects[entity.name] ?? [:] {
          guard case .int(let count)? = object.values[column.path] else { continue }
          var elements: [Value] = []
          for place in 0..<Int(count) {
            number += 1
            var values: [String: Value] = [:]
            for leaf in leaves {
              if case .list(let values_)? = object.values[column.path + "." + leaf] { values[leaf] = values_[place] }
            }
            found[own.name, default: [:]][number] = OracleObject(number: number, values: values)
            elements.append(Self.object(own.name, number))
          }
          found[entity.name]?[key]?.values[column.path] = .list(elements)
        }
      }
    }
    return (all, found)
  }

  static func object(_ entity: String, _ number: UInt64) -> Value {
    .object(ObjectReference(entity: entity, number: ObjectNumber(number)))
  }

  /// The objects of an entity in insertion order.
  func all(_ entity: String) -> [OracleObject] {
    (objects[entity] ?? [:]).values.sorted { $0.number < $1.number }
  }

  /// What stands in a column of an object; nil where there is no object.
  func value(_ path: String, of object: Value) -> Value {
    guard case .object(let reference) = object else { return .null }
    return objects[reference.entity]?[reference.number.rawValue]?.values[path] ?? .null
  }

  /// The objects of an entity that link to an object by the link at a path: each once, in insertion order.
  func sources(_ entity: String, _ path: String, of target: Value) -> [Value] {
    guard case .object(let reference) = target, columns[entity]?[path]?.kind.target == reference.entity else {
      return []
    }
    let link = entity + " " + path
    if known[link] == nil { known[link] = inverse(entity, path) }
    return (known[link]?[reference.number.rawValue] ?? []).map { Self.object(entity, $0) }
  }

  private func inverse(_ entity: String, _ path: String) -> [UInt64: [UInt64]] {
    var found: [UInt64: [UInt64]] = [:]
    for object in all(entity) {
      var targets: Set<UInt64> = []
      switch object.values[path] {
      case .object(let target)?: targets = [target.number.rawValue]
      case .list(let elements)?:
        for case .object(let target) in elements { targets.insert(target.number.rawValue) }
      default: break
      }
      for target in targets { found[target, default: []].append(object.number) }
    }
    return found
  }

  /// Every link that leads to an entity: where it stands.
  func links(to entity: String) -> [(entity: String, path: String)] {
    schema.entities.flatMap { source in
      schema.columns(of: source).filter { $0.kind.target == entity }.map { (source.name, $0.path) }
    }
  }

  /// The column by which the objects of an entity are told apart, if there is just one such.
  func key(of entity: String) -> Column? {
    let keys = schema.entity(named: entity)?.indexes.filter { $0.kind == .unique && $0.paths.count == 1 } ?? []
    return keys.count == 1 ? columns[entity]?[keys[0].paths[0]] : nil
  }
}
