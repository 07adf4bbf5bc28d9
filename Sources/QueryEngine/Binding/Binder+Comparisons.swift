internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// Binds a comparison. Returns an arbitrary predicate after an error.
  mutating func comparison(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    plain(syntax, in: whole) ?? comparisonAtLength(syntax, in: whole)
  }

  /// Binds a comparison without the fast path.
  mutating func comparisonAtLength(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    if Self.isAboutPlace(syntax) { return place(syntax, in: whole) }
    guard !refused(syntax, range: whole.range) else { return .constant(false) }
    let bound =
      switch syntax.comparator.family {
      case .membership: membership(syntax, in: whole)
      case .range: between(syntax, in: whole)
      case .string: textual(syntax, in: whole)
      case .relation, .place, .fullText: ordinary(syntax, in: whole)
      }
    return bound ?? .constant(false)
  }

  /// Reports a comparison that is not supported yet.
  private mutating func refused(_ syntax: ComparisonSyntax, range: SourceRange) -> Bool {
    if syntax.comparator == .text {
      report(.unsupported, "TEXT needs a full-text index, which is not supported yet", range)
      return true
    }
    return false
  }

  private mutating func ordinary(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    let first = structured(syntax.left, syntax.quantifier, comparedWith: syntax.right)
    if let first, meetsText(first), isUnquotedWord(syntax.right) { return nil }
    guard let second = structured(syntax.right, syntax.rightQuantifier, comparedWith: syntax.left), let first,
      !isMisplaced(syntax, first, second, in: whole),
      !isOrderOfObjects(syntax, first, second, range: whole.range),
      !isOrderOfObjects(syntax, second, first, range: whole.range),
      let (first, second) = keyed(first, second, range: whole.range)
    else { return nil }
    if let whole = self.whole(syntax, first, second, in: whole) { return whole }
    guard !isListAgainstSingle(syntax, first, second, range: whole.range) else { return nil }
    if syntax.comparator == .equal, syntax.rightQuantifier != nil, second.list != nil {
      // `x == ANY {…}` is `x IN {…}`, which indexes can answer.
      return member(first, syntax.quantifier, of: second, syntax.rightQuantifier, syntax, in: whole)
    }
    guard let (left, right) = fitted(first, second, range: whole.range),
      checkOptions(syntax, element(of: left)?.type, element(of: right)?.type, left, whole.range)
    else { return nil }
    warnAboutNil(syntax, left, right, whole.range)
    if syntax.comparator == .equal || syntax.comparator == .notEqual { warnAboutFraction(left, right, whole.range) }
    return compared(syntax, left, right, in: whole)
  }

  /// Compares every element of one side with every element of the other, as the quantifiers say.
  private mutating func compared(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    ranging(syntax.quantifier, over: left, syntax: whole) { binder, a in
      binder.ranging(syntax.rightQuantifier, over: right, syntax: whole) { binder, b in
        .comparison(
          binder.made(syntax.comparator, syntax.options, a, [b], range: syntax.right.range, syntax: whole))
      }
    }
  }

  /// Reports a list compared with a single value, `x == {1, 2}`; the fix is IN.
  private mutating func isListAgainstSingle(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, range: SourceRange
  ) -> Bool {
    let isLeft = left.list != nil && right.single != nil && syntax.quantifier == nil
    let isRight = right.list != nil && left.single != nil && syntax.rightQuantifier == nil
    guard isLeft || isRight else { return false }
    for (single, list) in [(left, right), (right, left)] where single.single?.type == .structure {
      report(
        .typeMismatch, "\(described(single)), and one side is a list; they cannot be compared", range,
        notes: advice(single.syntax, .structure, isMany: false, with: list.elementType))
      return true
    }
    let asksForOne = syntax.comparator == .equal && isRight
    let fix = Fix(message: "write IN", range: syntax.comparatorRange, replacement: "IN")
    report(
      .typeMismatch, "'\(syntax.comparator.rawValue)' compares single values, and one side is a list", range,
      notes: asksForOne ? ["to ask whether it is one of them, write IN"] : [],
      fixes: asksForOne && written(fix.range)?.hasPrefix("=") == true ? [fix] : [])
    return true
  }

  /// Reports each word of a list that lacks its quotes. Returns whether there is one.
  mutating func hasUnquotedWords(_ syntax: ExpressionSyntax) -> Bool {
    guard case .list(let elements) = syntax.kind else { return isUnquotedWord(syntax) }
    var found = false
    for element in elements where isUnquotedWord(element) { found = true }
    return found
  }

  /// Whether an operand is compared as a string: it is one, or an object with a unique string property.
  func meetsText(_ operand: BoundOperand) -> Bool {
    guard let type = operand.elementType, let entity = type.objectEntity.flatMap(linkedEntity)?.stored else {
      return operand.elementType == .string
    }
    let keys = entity.indexes.filter { $0.isUnique && $0.columns.count == 1 }.compactMap(\.columns.first)
    return keys.count == 1 && keys.allSatisfy { entity.columns[$0].elementType == .string }
  }

  /// Reports a string without quotes: a single name that is not a property, compared with a string.
  private mutating func isUnquotedWord(_ syntax: ExpressionSyntax) -> Bool {
    guard case .path(let path) = syntax.kind, path.variable == nil, path.steps.count == 1,
      case .name(let word) = path.steps[0].kind, (try? paths.resolve(path, range: syntax.range)) == nil,
      entity.entity.property(named: word) == nil, groups?.headings[word] == nil, written(syntax.range) == word,
      Suggestion.nearest(to: word, among: entity.entity.properties.map(\.name)) == nil
    else { return false }
    report(
      .unknownProperty, "\(entity.name) has no property '\(word)'", syntax.range,
      notes: ["if it is a string, write it in quotes"],
      fixes: [Fix(message: "write \"\(word)\"", range: syntax.range, replacement: "\"\(word)\"")])
    return true
  }

  /// Binds an operand. A struct or object that is never nil may be compared with nil; the comparison is then constant.
  private mutating func structured(
    _ syntax: ExpressionSyntax, _ quantifier: Quantifier?, comparedWith other: ExpressionSyntax
  ) -> BoundOperand? {
    if case .path(let path) = syntax.kind, case .literal(.null) = other.kind,
      let target = try? paths.resolve(path, range: syntax.range)
    {
      switch target {
      case .structure where structure(syntax)?.presence == nil: fallthrough
      case .object: return BoundOperand(syntax: syntax, content: .single(.constant(.bool(true))))
      default: break
      }
    }
    return side(syntax, quantifier)
  }

  private mutating func textual(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    let first = side(syntax.left, syntax.quantifier)
    if let first, meetsText(first), isUnquotedWord(syntax.right) { return nil }
    let second = side(syntax.right, syntax.rightQuantifier)
    guard let left = first, let right = second, !isMisplaced(syntax, left, right, in: whole) else { return nil }
    let isPairwise = Self.isPairwise(syntax, left, right)
    if syntax.comparator == .contains, !isPairwise, syntax.quantifier == nil, let collection = left.collection,
      !collection.isTextOfEach
    {
      // CONTAINS on a collection tests for an element.
      return member(right, syntax.rightQuantifier, of: left, nil, syntax, in: whole)
    }
    guard let (left, right) = asTexts(left, right), areTexts(syntax, left, right, isPairwise: isPairwise),
      syntax.comparator != .matches || isPattern(syntax, right, range: whole.range)
    else { return nil }
    if isPairwise { return pairwise(syntax, left, right, in: whole) }
    guard checkOptions(syntax, element(of: left)?.type, element(of: right)?.type, left, whole.range) else { return nil }
    warnAboutNil(syntax, left, right, whole.range)
    if syntax.comparator == .like { warnAboutPercent(right) }
    return compared(syntax, left, right, in: whole)
  }

  /// Whether both sides of a string operator are strings, or both are Data; reports other types.
  private mutating func areTexts(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, isPairwise: Bool
  ) -> Bool {
    guard let first = element(of: left)?.type, let second = element(of: right)?.type else { return false }
    let isOfData = syntax.comparator != .matches && (first == .data || second == .data)
    for (side, type) in [(left, first), (right, second)] where type != (isOfData ? .data : .string) && type != .null {
      let isOfParts = type == .structure || type.objectEntity != nil
      var notes = isOfParts ? advice(side.syntax, type, isMany: side.collection != nil, with: .string) : []
      var fixes: [Fix] = []
      if isPairwise, syntax.comparator == .contains, left.list == nil {
        let text = "ANY \(right.syntax.predicateFormat) IN \(left.syntax.predicateFormat)"
        notes.append(
          "two lists are compared in order, element by element; whether one has some of the other is "
            + (text.utf8.count > 60 ? "'ANY … IN …'" : "'\(text)'"))
      }
      if isOfData, case .literal(.string) = side.syntax.kind, let text = written(side.syntax.range) {
        fixes = [Fix(message: "write 'binary(\(text))'", range: side.syntax.range, replacement: "binary(\(text))")]
      }
      let takes = isOfData ? "Data on both sides" : "texts"
      report(
        .typeMismatch, "\(syntax.comparator.rawValue) takes \(takes), and \(described(side))", side.syntax.range,
        notes: notes, fixes: fixes)
      return false
    }
    return true
  }

  /// Warns about `LIKE '%x%'`: `%` is the wildcard in SQL, but stands for itself here.
  private mutating func warnAboutPercent(_ right: BoundOperand) {
    guard case .string(let pattern)? = right.single?.constant, pattern.utf8.contains(UInt8(ascii: "%")),
      !pattern.utf8.contains(UInt8(ascii: "*"))
    else { return }
    if escapesEveryPercent(pattern) { return warnAboutEscapedPercent(right, pattern) }
    let meant = ExpressionSyntax(.literal(.string(String(pattern.map { $0 == "%" ? "*" : $0 })))).predicateFormat
    var fixes: [Fix] = []
    // At the start or end `%` is the wildcard of SQL; in the middle it may be a percent sign.
    let isClear =
      pattern.allSatisfy { $0 != "_" && $0 != "\\" } && pattern.dropFirst().dropLast().allSatisfy { $0 != "%" }
    if isClear, let text = written(right.syntax.range), text.hasSuffix("'") || text.hasSuffix("\"") {
      let replacement = String(text.map { $0 == "%" ? "*" : $0 })
      fixes = [Fix(message: "write '*'", range: right.syntax.range, replacement: replacement)]
    }
    warn(
      .percentInLike, "'%' is an ordinary character in a LIKE pattern", right.syntax.range,
      notes: [
        "write '*' for any run of characters and '?' for one: LIKE \(pattern.utf8.count > 40 ? "\"*…*\"" : meant)"
      ],
      fixes: fixes)
  }

  /// Whether each `%` follows a backslash that escapes it.
  private func escapesEveryPercent(_ pattern: String) -> Bool {
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == UInt8(ascii: "%"), !isEscaped { return false }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return true
  }

  /// Warns about `LIKE '100\%'`: in SQL the backslash escapes the percent sign, here the pattern contains a backslash.
  private mutating func warnAboutEscapedPercent(_ right: BoundOperand, _ pattern: String) {
    var fixes: [Fix] = []
    if !pattern.contains("\\\\"), let text = written(right.syntax.range), text.hasSuffix("'") || text.hasSuffix("\"") {
      var mended = ""
      for character in text {
        if character == "%" { while mended.last == "\\" { mended.removeLast() } }
        mended.append(character)
      }
      fixes = [Fix(message: "leave the backslash out", range: right.syntax.range, replacement: mended)]
    }
    warn(
      .percentInLike, "'%' needs no backslash in a pattern of LIKE: this asks for a backslash before it",
      right.syntax.range, notes: ["'*' and '?' are the wildcards; '%' is an ordinary character"], fixes: fixes)
  }

  /// Whether the right side of MATCHES is a constant pattern, which can be compiled once; reports any other.
  private mutating func isPattern(_ syntax: ComparisonSyntax, _ right: BoundOperand, range: SourceRange) -> Bool {
    if syntax.options.contains(.diacriticInsensitive) {
      report(.unsupportedOption, "MATCHES has no [d]", range)
      return false
    }
    if right.single?.isConstant == true || right.list?.allSatisfy(\.isConstant) == true { return true }
    report(
      .typeMismatch, "MATCHES takes a pattern that is the same for every object", syntax.right.range,
      notes: ["\(Self.operatorsWithoutPatterns) take any text on the right"])
    return false
  }

  private static let operatorsWithoutPatterns: String = {
    let names = Comparator.stringOperators.filter { $0 != .matches }.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }()

  /// Makes a comparison and compiles its constant pattern; reports an invalid pattern.
  mutating func made(
    _ comparator: Comparator, _ options: StringOptions, _ left: BoundExpression, _ right: [BoundExpression],
    range: SourceRange, syntax: PredicateSyntax
  ) -> BoundComparison {
    let folding = TextFolding(options)
    let isFolded = right.count != 1 || right[0].constant != nil
    let right = isFolded ? right : right.map(\.folded)
    var test: TextTest?
    if right.count == 1, case .constant(.data(let bytes)) = right[0], left.type == .data {
      test = TextTest(comparator, bytes)
    }
    if right.count == 1, comparator != .isIn, case .constant(.string(let text)) = right[0], left.type == .string {
      do throws(RegularExpression.Failure) {
        test = try TextTest(comparator, text, folding: folding)
      } catch {
        report(
          .badPattern, error.message, range,
          notes: error.count < text.utf8.count ? ["it stands at byte \(error.offset + 1) of the pattern"] : [])
      }
    }
    return BoundComparison(
      comparator: comparator, folding: folding, left: left, right: right, test: test, syntax: syntax)
  }
}
