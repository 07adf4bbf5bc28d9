extension Value {
  /// A closed range as an argument of BETWEEN or IN.
  ///
  /// It is represented as a struct of its two bounds, which can't be a property or a literal.
  public static func range(_ lower: Value, _ upper: Value) -> Value {
    .embedded([EmbeddedField(name: "lowerBound", value: lower), EmbeddedField(name: "upperBound", value: upper)])
  }

  /// The ends of a range made by `range(_:_:)`; nil for any other value.
  public var bounds: (lower: Value, upper: Value)? {
    guard case .embedded(let fields) = self, fields.count == 2, fields[0].name == "lowerBound",
      fields[1].name == "upperBound"
    else { return nil }
    return (fields[0].value, fields[1].value)
  }
}
