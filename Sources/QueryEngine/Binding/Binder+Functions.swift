internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

/// Functions that need more than arguments of the right types.
extension Binder {
  /// Binds `bucket(time, 'day')`. The period must be a constant, so that a wrong name is an error at once and the
  /// planner can make an interval of the date.
  mutating func bucket(
    _ date: BoundExpression, _ period: BoundExpression, _ syntax: ExpressionSyntax
  ) -> BoundExpression? {
    guard case .constant(let value) = period, case .string(let name) = value else {
      report(
        .typeMismatch, "the period of bucket is a name in quotes, not \(period.isNil ? "nil" : "a property")",
        syntax.range, notes: ["the periods are \(CalendarPeriod.listed)"])
      return nil
    }
    if let known = CalendarPeriod(name: name) {
      return .call(.bucket, [date, .constant(.string(known.rawValue))])
    }
    let lowered = name.lowercased()
    let plural = lowered.last == "s" ? CalendarPeriod(name: String(lowered.dropLast()))?.rawValue : nil
    let near = plural ?? Suggestion.nearest(to: lowered, among: CalendarPeriod.allCases.map(\.rawValue))
    let isWritten = if case .literal = syntax.kind { syntax.range.upperBound > syntax.range.lowerBound } else { false }
    report(
      .typeMismatch, "'\(name.prefix(40))' is not a period of the calendar", syntax.range,
      notes: ["the periods are \(CalendarPeriod.listed)"],
      fixes: isWritten
        ? near.map { [Fix(message: "write '\($0)'", range: syntax.range, replacement: "'\($0)'")] } ?? [] : [])
    return nil
  }

  /// Binds `coalesce(a, b)`. Numbers of several types are converted to one, as by arithmetic, so that every result has
  /// the same type.
  mutating func firstOf(
    _ operands: [BoundExpression], _ syntaxes: [ExpressionSyntax], range: SourceRange
  ) -> BoundExpression? {
    var operands = operands
    if operands.contains(where: { $0.type == .decimal }) {
      for (place, syntax) in syntaxes.enumerated() {
        guard let exact = decimal(operands[place], syntax) else { return nil }
        operands[place] = exact
      }
    }
    guard let type = ScalarFunction.coalesce.type(of: operands.map(\.type)) else {
      let odd = operands.indices.dropFirst().first {
        ScalarFunction.coalesce.type(of: Array(operands[...$0].map(\.type))) == nil
      }
      let first = operands.firstIndex { $0.type != .null } ?? 0
      let place = odd ?? operands.count - 1
      report(
        .typeMismatch,
        "the values of coalesce must be of one type, but \(described(syntaxes[first], operands[first])) and \(described(syntaxes[place], operands[place]))",
        syntaxes[place].range)
      return nil
    }
    return .call(.coalesce, operands.map { $0.converted(to: type) })
  }
}

extension BoundExpression {
  /// The number as one of another type. A number that is no constant is multiplied by 1 of that type, which converts it
  /// as arithmetic does.
  fileprivate func converted(to target: ExpressionType) -> BoundExpression {
    if type == target || type == .null { return self }
    let one: Value
    switch target {
    case .double: one = .double(1)
    case .decimal: one = .decimal(DecimalValue(1))
    case .null, .bool, .int, .float, .number, .string, .date, .uuid, .data, .list, .structure, .object: return self
    }
    if let constant { return .constant(Arithmetic.apply(.multiply, constant, one)) }
    return .arithmetic(self, [Step(operation: .multiply, operand: .constant(one), type: target)])
  }
}
