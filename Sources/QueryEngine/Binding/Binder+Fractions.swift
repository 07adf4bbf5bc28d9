internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// Integers compared with values that no integer equals.
extension Binder {
  /// `felt == 2.5` of an Int holds for no object, which is probably not what was meant.
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
  /// Whether it is a literal or a list of literals.
  fileprivate var isWritten: Bool { list != nil || single?.isConstant == true }

  /// The first of its values that no whole number equals.
  fileprivate var firstFraction: Value? {
    if let list { return list.lazy.compactMap(\.constant).first(where: \.isFraction) }
    guard let value = single?.constant, value.isFraction else { return nil }
    return value
  }
}

extension Value {
  /// Whether it is a number between two whole ones.
  var isFraction: Bool {
    switch self {
    case .double(let number): number.isFinite && number != number.rounded(.towardZero)
    case .float(let number): number.isFinite && number != number.rounded(.towardZero)
    default: false
    }
  }
}
