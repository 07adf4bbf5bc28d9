internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// A literal or argument as the type of what it is compared with has it: rounded to Float for a Float property, a
  /// text read as a date, 0 and 1 as booleans. Anything else is left as it is. nil after an error.
  mutating func adapted(
    _ operand: BoundExpression, _ syntax: ExpressionSyntax, to other: BoundExpression
  ) -> BoundExpression? {
    guard case .literal = syntax.kind, case .constant(let value) = operand else { return operand }
    switch (other.type, value) {
    case (.float, .int(let number)): return .constant(.float(Float(number)))
    case (.float, .double(let number)): return .constant(.float(Float(number)))
    case (.bool, .int(let number)) where number == 0 || number == 1: return .constant(.bool(number == 1))
    case (.date, .string(let text)):
      if let instant = ISO8601.instant(text) { return .constant(.date(instant)) }
      report(
        .invalidDate, "\(NameQuotes.quoted(text)) is not a date", syntax.range,
        notes: ["write it as 2018-02-07 or 2018-02-07T01:02:03Z"])
      return nil
    case (_, .string(let text)) where adaptable.contains(syntax.range):
      guard let value = TextAdaptation.value(text, as: other.type) else {
        report(
          .typeMismatch, "\(NameQuotes.quoted(text)) cannot be read as \(other.type.name)", syntax.range)
        return nil
      }
      return adapted(.constant(value), syntax, to: other)
    default: return operand
    }
  }

  /// Whether both sides are of one kind; reports it when not.
  mutating func areComparable(
    _ left: BoundExpression, _ leftSyntax: ExpressionSyntax, _ right: BoundExpression,
    _ rightSyntax: ExpressionSyntax, _ range: SourceRange
  ) -> Bool {
    if left.type == .null || right.type == .null { return true }
    if left.type == right.type, left.type != .structure, left.type != .list { return true }
    if left.type.isNumeric && right.type.isNumeric { return true }
    var notes: [String] = []
    var fixes: [Fix] = []
    for (side, other, syntax) in [(left, right, rightSyntax), (right, left, leftSyntax)] {
      guard case .literal(.string(let text)) = syntax.kind, other.constant != nil else { continue }
      if side.type.isNumeric, TextAdaptation.value(text, as: .number) != nil {
        notes.append("write the number without quotes")
        fixes.append(Fix(message: "take away the quotes", range: syntax.range, replacement: text))
      }
      if side.type == .uuid, UUIDBytes(text) != nil {
        notes.append("write uuid(\(text))")
        fixes.append(Fix(message: "write a UUID", range: syntax.range, replacement: "uuid(\(text))"))
      }
    }
    if left.type == .bool || right.type == .bool { notes.append("a Bool compares with TRUE and FALSE, 1 and 0") }
    report(
      .typeMismatch,
      "\(described(leftSyntax, left)) and \(described(rightSyntax, right)); they cannot be compared", range,
      notes: notes, fixes: fixes)
    return false
  }

  /// Options are for texts.
  mutating func checkOptions(
    _ syntax: ComparisonSyntax, _ left: BoundExpression, _ right: BoundExpression, _ range: SourceRange
  ) -> Bool {
    if syntax.options.isEmpty { return true }
    let types: Set<ExpressionType> = [left.type, right.type]
    if types.isSubset(of: [.string, .null]) { return true }
    report(
      .typeMismatch, "\(described(syntax.left, left)); options in brackets are for texts", range)
    return false
  }

  /// nil against a property that has none is probably not what was meant.
  mutating func warnAboutNil(
    _ syntax: ComparisonSyntax, _ left: BoundExpression, _ right: BoundExpression, _ range: SourceRange
  ) {
    for (operand, side, other) in [(left, syntax.left, right), (right, syntax.right, left)] {
      guard other.constant == .null else { continue }
      if let column = operand.column, !entity.columns[column].column.isOptional {
        warn(.neverNil, "'\(side.predicateFormat)' is never nil", range)
      } else if operand.constant == .bool(true), case .path = side.kind {
        warn(.neverNil, "'\(side.predicateFormat)' is never nil", range)
      }
    }
  }
}

/// Texts from people in error messages.
enum NameQuotes {
  /// The text in single quotes, cut when long.
  static func quoted(_ text: String) -> String {
    text.count > 40 ? "'\(text.prefix(40))…'" : "'\(text)'"
  }
}
