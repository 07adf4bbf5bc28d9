import Schema
import Values

extension OracleWorld {
  /// A value as people are shown it: the structs of a list are structs, not the objects they are to the oracle.
  func shown(_ value: Value) -> Value {
    switch value {
    case .list(let elements): .list(elements.map(shown))
    case .object(let reference) where Self.isStructEntity(reference.entity):
      .embedded(fields(of: schema.entities.first { $0.name == reference.entity }, "", value))
    default: value
    }
  }

  /// What the properties of a struct are, of which the paths begin with `prefix`.
  private func fields(of structure: Entity?, _ prefix: String, _ object: Value) -> [EmbeddedField] {
    (structure?.properties ?? []).map { property in
      let path = prefix + property.name
      guard case .embedded(let name) = property.type else {
        return EmbeddedField(name: property.name, value: value(path, of: object))
      }
      if property.isOptional, value(path, of: object).isNull { return EmbeddedField(name: property.name, value: .null) }
      let inner = fields(of: schema.structure(named: name), path + ".", object)
      return EmbeddedField(name: property.name, value: .embedded(inner))
    }
  }
}
