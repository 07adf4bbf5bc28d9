internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// Converts a literal or argument to the type of the value it is compared with: rounds to Float for a Float property,
  /// parses a string as a date, reads 0 and 1 as Bools. Other operands stay as they are. Returns nil after an error.
  mutating func adapted(
    _ operand: BoundExpression, _ syntax: ExpressionSyntax, to type: ExpressionType
  ) -> BoundExpression? {
    guard case .literal = syntax.kind, case .constant(let value) = operand else { return operand }
    guard type != .null, ExpressionType(value) != type, let text = adaptable[syntax.range]?[value],
      TextAdaptation.mayBe(text, type)
    else { return literal(value, syntax, to: type) }
    guard let read = TextAdaptation.value(text.text, as: type) else {
      report(.typeMismatch, "\(NameQuotes.quoted(text.text)) cannot be read as \(type.name)", syntax.range)
      return nil
    }
    return literal(read, syntax, to: type)
  }

  private mutating func literal(
    _ value: Value, _ syntax: ExpressionSyntax, to type: ExpressionType
  ) -> BoundExpression? {
    switch (type, value) {
    case (.decimal, .double): return reportsLostDigits(in: syntax) ? nil : .constant(value)
    case (.float, .int(let number)): return .constant(.float(Float(number)))
    case (.float, .double(let number)): return .constant(.float(Float(number)))
    case (.float, .decimal(let number)): return .constant(.float(Float(number.double)))
    case (.bool, .int(let number)) where number == 0 || number == 1: return .constant(.bool(number == 1))
    case (.date, .string(let text)):
      if let instant = ISO8601.instant(text) { return .constant(.date(instant)) }
      report(
        .invalidDate, "\(NameQuotes.quoted(text)) is not a date", syntax.range,
        notes: ["write it as 2018-02-07 or 2018-02-07T01:02:03Z"])
      return nil
    default: return .constant(value)
    }
  }

  /// Whether the types of both sides are comparable; reports types that are not.
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
      if side.type == .date, other.type.isNumeric, let text = written(syntax.range), ISO8601.instant(text) != nil {
        notes.append("without quotes a date is a subtraction")
        fixes.append(Fix(message: "write '\(text)' in quotes", range: syntax.range, replacement: "'\(text)'"))
      }
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
    for (side, syntax, other) in [(left, leftSyntax, right), (right, rightSyntax, left)] where side.type == .structure {
      var isMany = false
      if case .element = side { isMany = true }
      notes = advice(syntax, .structure, isMany: isMany, with: other.type)
    }
    if left.type == .bool || right.type == .bool { notes.append("a Bool compares with TRUE and FALSE, 1 and 0") }
    report(
      .typeMismatch,
      "\(described(leftSyntax, left)) and \(described(rightSyntax, right)); they cannot be compared", range,
      notes: notes, fixes: fixes)
    return false
  }

  /// Checks that comparison options are used with strings only.
  mutating func checkOptions(
    _ syntax: ComparisonSyntax, _ left: ExpressionType?, _ right: ExpressionType?, _ operand: BoundOperand,
    _ range: SourceRange
  ) -> Bool {
    if syntax.options.isEmpty { return true }
    let types: Set<ExpressionType> = [left ?? .null, right ?? .null]
    if types.isSubset(of: [.string, .null]) { return true }
    report(.typeMismatch, "\(described(operand)); options in brackets apply to strings only", range)
    return false
  }

  /// Warns about a comparison with nil of a property that is never nil.
  mutating func warnAboutNil(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, _ range: SourceRange
  ) {
    for (operand, other) in [(left, right), (right, left)] where other.isNil && isNeverNil(operand) {
      let text = operand.syntax.predicateFormat
      if operand.single != nil {
        warn(.neverNil, "'\(text)' is never nil", range)
      } else {
        warn(
          .neverNil, "'\(text)' has no element that is nil", range,
          notes: ["to count the elements, write '\(text).@count'"])
      }
    }
  }

  private func isNeverNil(_ operand: BoundOperand) -> Bool {
    switch operand.content {
    case .many(let collection): return !collection.mayHoldNil
    case .single(let expression):
      if let column = expression.column { return !entity.columns[column].column.isOptional }
      if case .path = operand.syntax.kind { return expression.constant == .bool(true) }
      return false
    }
  }
}

/// User-supplied strings in error messages.
enum NameQuotes {
  /// The string in single quotes, truncated if long.
  static func quoted(_ text: String) -> String {
    text.count > 40 ? "'\(text.prefix(40))…'" : "'\(text)'"
  }
}
