import Values

extension PredicateSyntax {
  /// The maximum number of parts of a simple predicate.
  private static let mostSimpleParts = 64
  /// The maximum nesting of a simple predicate's chains.
  private static let deepestSimple = 4

  /// Whether the predicate is simple, as most filters are: a few comparisons of plain paths with single constants. It
  /// then has no placeholders, uses no definitions, has no word that may be a property and is within all limits, which
  /// need not be checked separately.
  package var isSimple: Bool {
    var left = Self.mostSimpleParts
    return isSimple(&left, depth: 0)
  }

  private func isSimple(_ left: inout Int, depth: Int) -> Bool {
    left -= 1
    guard left >= 0, depth <= Self.deepestSimple else { return false }
    switch kind {
    case .and(let parts):
      // A chain within a chain, which only code can make, must be flattened first.
      for part in parts { if case .and = part.kind { return false } }
      return Self.areSimple(parts, &left, depth: depth)
    case .or(let parts):
      for part in parts { if case .or = part.kind { return false } }
      return Self.areSimple(parts, &left, depth: depth)
    case .not(let operand): return operand.isSimple(&left, depth: depth + 1)
    case .comparison(let comparison): return comparison.left.isPlainPath && comparison.right.isSingleLiteral
    case .constant: return word == nil
    case .truth, .named: return false
    }
  }

  private static func areSimple(_ parts: [PredicateSyntax], _ left: inout Int, depth: Int) -> Bool {
    for part in parts where !part.isSimple(&left, depth: depth + 1) { return false }
    return true
  }
}

extension ExpressionSyntax {
  /// Whether the expression is a path of a few names.
  fileprivate var isPlainPath: Bool {
    guard case .path(let path) = kind, path.variable == nil, path.steps.count <= 8 else { return false }
    return path.steps.allSatisfy { if case .name = $0.kind { true } else { false } }
  }

  /// Whether the expression is one constant without parts.
  fileprivate var isSingleLiteral: Bool {
    guard case .literal(let value) = kind, word == nil else { return false }
    switch value {
    case .list, .embedded: return false
    default: return true
    }
  }
}
