import Diagnostics

/// Words of SQL between and after conditions, such as XOR and COLLATE.
extension Parser {
  /// Reports `a XOR b` at the word; the fix uses AND, OR and NOT if the extent of both sides is clear.
  mutating func junctionOfSQL(_ found: Token, after node: Node) -> ParseFailure {
    let word = text(found).uppercased()
    let before = node.range.map { textBefore($0.lowerBound).uppercased() }
    let place = diagnostics.count
    advance()
    let right = try? parse(Level.not)
    var fixes: [Fix] = []
    // AND binds more tightly in SQL, so a side may consist of several conditions.
    if let left = node.range, let right = right?.range, diagnostics.count == place, before != "AND", before != "&&",
      !at(.and), token.kind != .ampersandAmpersand
    {
      let (a, b) = (text(left), text(right))
      let replacement =
        switch word {
        case "XOR": "((\(a) OR \(b)) AND NOT (\(a) AND \(b)))"
        case "NAND": "NOT (\(a) AND \(b))"
        default: "NOT (\(a) OR \(b))"
        }
      fixes = [Fix(message: "write '\(shortened(replacement))'", range: left.union(right), replacement: replacement)]
    }
    return fail(
      .unsupportedOperator, "there is no \(word)", found.range,
      notes: fixes.isEmpty ? ["write it with AND, OR and NOT: '(a OR b) AND NOT (a AND b)'"] : [], fixes: fixes)
  }

  /// `name == 'x' COLLATE NOCASE`, with the word in hand: the option `[c]`.
  mutating func collation(_ found: Token, after node: Node) -> ParseFailure {
    var ahead = lexer
    let name = ahead.next()
    let whole = SourceRange(found.start, name.kind == .word ? name.end : found.end)
    var fixes: [Fix] = []
    if name.kind == .word {
      switch text(name).uppercased() {
      case "NOCASE": fixes = withoutCase(whole, after: node, before: ahead.next())
      case "BINARY":
        fixes = [Fix(message: "leave it out: texts compare by their bytes", range: whole, replacement: "")]
      default: break
      }
    }
    return fail(
      .unsupportedOperator, "there is no COLLATE", whole, notes: ["'[c]' after an operator ignores case"], fixes: fixes)
  }

  /// Adds `[c]` to the operator of the comparison that NOCASE applies to.
  private func withoutCase(_ collation: SourceRange, after node: Node, before next: Token) -> [Fix] {
    if case .value = node {
      // `name COLLATE NOCASE == 'x'`
      let isOperator =
        switch next.kind {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: next.kind == .word && next.keyword?.comparator?.takesOptions == true
        }
      guard isOperator, lexer.byte(next.end) != UInt8(ascii: "[") else { return [] }
      let written = text(next) + "[c]"
      return [
        Fix(
          message: "write '\(written)'", range: SourceRange(collation.lowerBound, next.end), replacement: written)
      ]
    }
    guard case .predicate(var predicate) = node else { return [] }
    while case .not(let inner) = predicate.kind { predicate = inner }
    guard case .comparison(let comparison) = predicate.kind, comparison.comparator.takesOptions,
      predicate.range.upperBound == comparison.right.range.upperBound
    else { return [] }
    let sign = comparison.comparatorRange
    if comparison.options.contains(.caseInsensitive) {
      return [Fix(message: "leave it out", range: collation, replacement: "")]
    }
    guard comparison.options.isEmpty else { return [] }
    let replacement = text(sign) + "[c]" + text(sign.upperBound, comparison.right.range.upperBound)
    return [
      Fix(
        message: "write '\(shortened(replacement))'", range: sign.union(collation), replacement: replacement)
    ]
  }

  /// Reports `DATE '2018-02-07'`, whose string is the current token.
  mutating func dateOfSQL(_ found: Token) -> ParseFailure? {
    let word = textBefore(found.start)
    guard found.kind == .string, ["DATE", "TIMESTAMP", "DATETIME"].contains(word.uppercased()) else { return nil }
    let range = SourceRange(lastEnd - word.utf8.count, found.end)
    let replacement = "date(\(text(found)))"
    return fail(
      .expectedOperator, "a date is written with parentheses", range,
      fixes: [Fix(message: "write '\(shortened(replacement))'", range: range, replacement: replacement)])
  }

  /// Reports `UTI-CONFORMS-TO(name)` and `UTI-EQUALS(name)`, operators that parse as a subtraction and a call; `range`
  /// is the name of the call.
  mutating func typeIdentifier(_ range: SourceRange) -> ParseFailure? {
    var start = range.lowerBound
    let farthest = max(0, start - 16)
    while start > farthest, Lexer.continuesWord(lexer.byte(start - 1)) || lexer.byte(start - 1) == UInt8(ascii: "-") {
      start -= 1
    }
    let written = text(start, range.upperBound)
    guard written.uppercased().hasPrefix("UTI-") else { return nil }
    return fail(
      .unsupportedOperator, "there is no operator '\(shortened(written))'", SourceRange(start, range.upperBound),
      notes: ["there are no uniform type identifiers here; compare texts instead"])
  }
}

extension Comparator {
  /// Whether `[c]` may follow the operator.
  fileprivate var takesOptions: Bool {
    switch self {
    case .between, .geoWithin, .text: false
    default: true
    }
  }
}
