internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// Warnings for integers compared with values that no integer equals.
extension Binder {
  /// Warns about `felt == 2.5` of an Int property: no object satisfies it, so it is probably a mistake.
  mutating func warnAboutFraction(_ left: BoundOperand, _ right: BoundOperand, _ range: SourceRange) {
    for (whole, other) in [(left, right), (right, left)] where whole.elementType == .int && !whole.isWritten {
      guard let fraction = other.firstFraction else { continue }
      let shown = ExpressionSyntax(.literal(fraction), range: other.syntax.range).predicateFormat
      warn(
        .neverEqual,
        "'\(whole.syntax.predicateFormat)' holds whole numbers: \(whole.single == nil ? "none" : "it never") equals \(shown)",
        range)
      return
    }
  }
}

extension BoundOperand {
  /// Whether the operand is a literal or a list of literals.
  fileprivate var isWritten: Bool { list != nil || single?.isConstant == true }

  /// The operand's first value that no integer equals.
  fileprivate var firstFraction: Value? {
    if let list { return list.lazy.compactMap(\.constant).first(where: \.isFraction) }
    guard let value = single?.constant, value.isFraction else { return nil }
    return value
  }
}

extension Value {
  /// Whether the value is a number with a fractional part.
  var isFraction: Bool {
    switch self {
    case .double(let number): number.isFinite && number != number.rounded(.towardZero)
    case .float(let number): number.isFinite && number != number.rounded(.towardZero)
    case .decimal(let number): !number.isNaN && number.exponent < 0
    default: false
    }
  }
}
