package import Values

// A shape given as an argument is an ordinary value: a record with one field, named after the shape, that holds its
// numbers.

extension ShapeSyntax {
  /// The shape as the value of an argument for `%@`. Parts that are not numbers become nil.
  package var argument: Value {
    switch self {
    case .circle(let center, let radius, let unit):
      Self.record("geoCircle", [center.numbers, radius.number, unit.map { .string($0) } ?? .null])
    case .box(let bottomLeft, let topRight): Self.record("geoBox", [bottomLeft.numbers, topRight.numbers])
    case .polygon(let outer, let holes):
      Self.record("geoPolygon", ([outer] + holes).map { .list($0.map(\.numbers)) })
    }
  }

  private static func record(_ name: String, _ parts: [Value]) -> Value {
    .embedded([EmbeddedField(name: name, value: .list(parts))])
  }

  /// The shape in an argument; nil if the argument is not a shape.
  package init?(argument: Value) {
    guard case .embedded(let fields) = argument, fields.count == 1, case .list(let parts) = fields[0].value else {
      return nil
    }
    switch (fields[0].name, parts.count) {
    case ("geoCircle", 3):
      let unit: String? = if case .string(let unit) = parts[2] { unit } else { nil }
      self = .circle(center: .point(parts[0]), radius: ExpressionSyntax(.literal(parts[1])), unit: unit)
    case ("geoBox", 2): self = .box(.point(parts[0]), .point(parts[1]))
    case ("geoPolygon", 1...):
      let rings = parts.map { part -> [ExpressionSyntax] in
        if case .list(let corners) = part { corners.map { .point($0) } } else { [] }
      }
      self = .polygon(outer: rings[0], holes: Array(rings.dropFirst()))
    default: return nil
    }
  }
}

extension ExpressionSyntax {
  fileprivate var number: Value { if case .literal(let value) = kind { value } else { .null } }

  /// The numbers of a point.
  fileprivate var numbers: Value { if case .point(let parts) = kind { .list(parts.map(\.number)) } else { .null } }

  fileprivate static func point(_ numbers: Value) -> ExpressionSyntax {
    guard case .list(let numbers) = numbers else { return ExpressionSyntax(.point([])) }
    return ExpressionSyntax(.point(numbers.map { ExpressionSyntax(.literal($0)) }))
  }
}
