internal import Values

/// A struct as expressions for its leaves: what a path to a struct comes to. It is nil where the expression that says
/// whether it is there is.
package struct BoundStructure: Hashable, Sendable {
  /// What is under a name.
  enum Member: Hashable, Sendable {
    case leaf(BoundExpression)
    case structure(BoundStructure)
  }

  /// A property by its name.
  struct Field: Hashable, Sendable {
    let name: String
    var member: Member
    /// The entity of the objects that a leaf is, alone or in a list.
    var objects: String?
  }

  /// Whether it is there: nil where it is not. Without one it always is.
  var presence: BoundExpression?
  var fields: [Field]

  /// Whether `isMeant` holds for an expression in it.
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

  /// The struct, of the values of its parts.
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
