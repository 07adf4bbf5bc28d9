import Schema
import Values

extension OracleWorld {
  /// A value as people are shown it: the structs of a list are structs, not the objects they are to the oracle.
  func shown(_ value: Value) -> Value {
    switch value {
    case .list(let elements): .list(elements.map(shown))
    case .object(let reference) where Self.isStructEntity(reference.entity):
      .embedded(
        fields(of: schema.entities.first { $0.name == reference.entity }, "") { self.value($0, of: value) })
    default: value
    }
  }

  /// The struct at a dotted path of an object whose columns `read` reads; nil where it is, or a struct that it is in.
  func structure(at path: String, of entity: String, _ read: (String) -> Value) -> Value {
    var structure = schema.entities.first { $0.name == entity }
    var prefix = ""
    for name in path.split(separator: ".").map(String.init) {
      prefix += name
      guard let property = structure?.property(named: name), case .embedded(let inner) = property.type else {
        return .null
      }
      if property.isOptional, read(prefix).isNull { return .null }
      structure = schema.structure(named: inner)
      prefix += "."
    }
    return .embedded(fields(of: structure, prefix, read))
  }

  /// What the properties of a struct are, of which the paths begin with `prefix`.
  private func fields(of structure: Entity?, _ prefix: String, _ read: (String) -> Value) -> [EmbeddedField] {
    (structure?.properties ?? []).map { property in
      let path = prefix + property.name
      guard case .embedded(let name) = property.type else {
        return EmbeddedField(name: property.name, value: shown(read(path)))
      }
      if property.isOptional, read(path).isNull { return EmbeddedField(name: property.name, value: .null) }
      let inner = fields(of: schema.structure(named: name), path + ".", read)
      return EmbeddedField(name: property.name, value: .embedded(inner))
    }
  }
}
