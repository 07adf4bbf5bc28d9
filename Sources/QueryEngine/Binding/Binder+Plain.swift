internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// A fast path for the most frequent comparisons: a property and a constant of the same type.
extension Binder {
  /// Binds a comparison that needs no conversion, report or warning. Returns nil for any other comparison; the general
  /// path gives the same tree.
  mutating func plain(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    guard syntax.quantifier == nil, syntax.rightQuantifier == nil, case .literal(let value) = syntax.right.kind,
      case .path(let path) = syntax.left.kind, path.variable == nil, path.steps.count == 1,
      case .name(let name) = path.steps[0].kind,
      groups == nil, variables.isEmpty, elementwise == nil, adaptable.isEmpty,
      let place = entity.column(at: name), case .scalar(let scalar) = entity.columns[place].column.kind,
      // A name that contains a dot is not a path.
      !name.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    let type = ExpressionType(scalar)
    guard syntax.options.isEmpty || type == .string, Self.takesAsItIs(value, as: type, by: syntax.comparator) else {
      return nil
    }
    return .comparison(
      made(
        syntax.comparator, syntax.options, .column(place, type), [.constant(value)], range: syntax.right.range,
        syntax: whole))
  }

  /// Whether the general path would leave every such value unchanged and give no warning.
  static func takesAsItIs(_ value: Value, as type: ExpressionType, by comparator: Comparator) -> Bool {
    switch comparator.family {
    case .relation:
      switch (type, value) {
      case (.int, .int), (.double, .int), (.decimal, .int), (.decimal, .decimal), (.string, .string), (.date, .date),
        (.uuid, .uuid), (.bool, .bool),
        (.data, .data):
        return true
      // A Decimal beside a Double may need more of the digits written than the Double has.
      case (.double, .double(let number)): return !number.isNaN
      case (.int, .double(let number)):
        // An integer compared with a fraction gives a warning.
        return !number.isNaN && !(value.isFraction && (comparator == .equal || comparator == .notEqual))
      default: return false
      }
    // Patterns are compiled by the general path.
    case .string(.like), .string(.matches), .range, .membership, .place, .fullText: return false
    case .string:
      if case (.string, .string) = (type, value) { return true }
      return false
    }
  }
}
