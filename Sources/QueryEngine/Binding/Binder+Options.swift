internal import Diagnostics
internal import PredicateLanguage

/// The options of sort and section keys. They replace a string by another that is compared by its bytes, so plans need
/// not know of them.
extension Binder {
  /// The expression that is compared where objects are ordered by a key with options.
  mutating func ordering(_ bound: BoundExpression, by key: SortKeySyntax) -> BoundExpression? {
    guard checkOptions(key.options, of: bound, key.expression, key.optionsRange) else { return nil }
    return bound.with(key.options)
  }

  /// The expression that is compared where objects are put in sections by a key with options. It is also displayed, so it
  /// is in capitals if case is ignored.
  mutating func sectioning(
    _ bound: BoundExpression, by syntax: ExpressionSyntax, _ options: SortOptions
  ) -> BoundExpression? {
    guard checkOptions(options, of: bound, syntax, syntax.range) else { return nil }
    if options.contains(.numeric) {
      report(
        .unsupportedOption, "SECTIONS BY takes no 'numeric', which is about order", syntax.range,
        notes: ["sections come in the order of their first objects: put it behind a key of SORT BY"])
      return nil
    }
    let folded = bound.with(options)
    return options.contains(.caseInsensitive) ? .call(.uppercase, [folded]) : folded
  }

  private mutating func checkOptions(
    _ options: SortOptions, of bound: BoundExpression, _ syntax: ExpressionSyntax, _ range: SourceRange
  ) -> Bool {
    if options.isEmpty || bound.type == .string || bound.type == .null { return true }
    let isWritten = range.upperBound > range.lowerBound
    report(
      .unsupportedOption, "'\(options.spelling)' is about texts, but \(described(syntax, bound))",
      isWritten ? range : syntax.range,
      fixes: isWritten && range != syntax.range
        ? [Fix(message: "leave '\(options.spelling)' out", range: range, replacement: "")] : [])
    return false
  }
}

extension BoundExpression {
  /// The expression with the functions of the options applied; its bytes compare as the options require.
  fileprivate func with(_ options: SortOptions) -> BoundExpression {
    var folded = self
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): break
    case (true, false): folded = .call(.ignoringCase, [folded])
    case (false, true): folded = .call(.ignoringDiacritics, [folded])
    case (true, true): folded = .call(.ignoringBoth, [folded])
    }
    return options.contains(.numeric) ? .call(.numeric, [folded]) : folded
  }
}
