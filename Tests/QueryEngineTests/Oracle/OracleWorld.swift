import Schema
import Values

/// All objects of a store, as the oracle has them: by entity and number. A link is the object it leads to.
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
    self.schema = schema
    self.objects = objects
    columns = Dictionary(
      uniqueKeysWithValues: schema.entities.map { entity in
        let columns = schema.columns(of: entity).map { ($0.path, $0) }
        return (entity.name, Dictionary(columns, uniquingKeysWith: { first, _ in first }))
      })
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
