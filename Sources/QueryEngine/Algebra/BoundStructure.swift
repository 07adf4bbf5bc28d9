internal import Values

/// A struct as expressions for its properties: the value of a path to a struct. It is nil if its presence expression is
/// nil.
package struct BoundStructure: Hashable, Sendable {
  /// The value of a property.
  enum Member: Hashable, Sendable {
    case leaf(BoundExpression)
    case structure(BoundStructure)
  }

  /// A property with its name.
  struct Field: Hashable, Sendable {
    let name: String
    var member: Member
    /// The target entity, if the property is a link or a list of links.
    var objects: String?
  }

  /// nil in a row without the struct; without this expression the struct always exists.
  var presence: BoundExpression?
  var fields: [Field]

  /// Whether `isMeant` returns true for any expression in the struct.
  func anyPart(_ isMeant: (BoundExpression) throws -> Bool) rethrows -> Bool {
    if let presence, try isMeant(presence) { return true }
    return try fields.contains { field in
      switch field.member {
      case .leaf(let expression): try isMeant(expression)
      case .structure(let inner): try inner.anyPart(isMeant)
      }
    }
  }

  /// The structure with every expression replaced.
  func mapParts(_ transform: (BoundExpression) throws -> BoundExpression) rethrows -> BoundStructure {
    BoundStructure(
      presence: try presence.map(transform),
      fields: try fields.map { field in
        switch field.member {
        case .leaf(let expression):
          Field(name: field.name, member: .leaf(try transform(expression)), objects: field.objects)
        case .structure(let inner): Field(name: field.name, member: .structure(try inner.mapParts(transform)))
        }
      })
  }

  /// The struct's value, from the values of its expressions.
  func value(_ part: (BoundExpression) throws -> Value) rethrows -> Value {
    if let presence, try part(presence).isNull { return .null }
    return .embedded(
      try fields.map { field in
        switch field.member {
        case .leaf(let expression):
          let value = try part(expression)
          return EmbeddedField(name: field.name, value: field.objects.map { value.objects(of: $0) } ?? value)
        case .structure(let inner): return EmbeddedField(name: field.name, value: try inner.value(part))
        }
      })
  }
}
