package import Schema
package import Values

extension Column {
  /// The name of the column's type, as in a declaration.
  package var typeName: String {
    switch kind {
    case .scalar(let type): type.rawValue
    case .presence: "an optional struct"
    case .collection(let kind, let type): kind.name(of: type)
    case .link(let entity): "Link<\(entity)>"
    case .links(let entity): "List<\(entity)>"
    case .structs(let name): "[\(name)]"
    case .parts(let type, let isOptional): "\(type.rawValue)\(isOptional ? "?" : "") of each struct"
    case .presences: "an optional struct of each struct"
    }
  }

  /// Converts a value to the stored form: numbers of the column's type, a set in ascending order, a dictionary in
  /// ascending order of keys, links as target IDs. Returns nil (not `.null`) for a value of another type. Does not
  /// check whether nil is allowed.
  package func kept(_ value: Value) -> Value? {
    guard let kind = collectionKind else { return scalarType.kept(value) }
    let type = scalarType
    switch (kind, value) {
    case (_, .null): return .null
    case (.array, .list(let elements)), (.set, .list(let elements)):
      var kept: [Value] = []
      kept.reserveCapacity(elements.count)
      for element in elements {
        guard mayHoldNil || !element.isNull, let value = type.kept(element) else { return nil }
        kept.append(value)
      }
      return kind.canonical(.list(kept))
    case (.dictionary, .embedded(let fields)):
      var kept: [EmbeddedField] = []
      kept.reserveCapacity(fields.count)
      for field in fields {
        guard !field.value.isNull, let value = type.kept(field.value) else { return nil }
        kept.append(EmbeddedField(name: field.name, value: value))
      }
      return kind.canonical(.embedded(kept))
    // `{}` is an empty list and also an empty dictionary.
    case (.dictionary, .list([])): return .embedded([])
    default: return nil
    }
  }
}
