import Diagnostics
import Values

extension StatementParser {
  /// The query that a text means in SQL, or in Swift as `Quake.filter("mag > 5")`, if it can mean only one thing here.
  ///
  /// ```swift
  /// let reading = StatementParser.reading(of: "SELECT mag FROM Quake WHERE place IS NULL")?.description
  /// // Quake WHERE place == nil SELECT mag
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text that is no statement.
  ///   - defaultEntity: The entity of a bare predicate, as in ``statement(_:defaultEntity:example:)``.
  /// - Returns: nil for a text that is valid already, has mistakes of another kind, may mean several things, changes
  ///   objects, or is longer than 16 KiB.
  public static func reading(of text: String, defaultEntity: String? = nil) -> StatementSyntax? {
    if text.utf8.count > longest { return nil }
    let written = text
    var text = text
    // What one mistake hides shows once it is mended.
    for round in 0..<8 {
      do {
        let statement = try whole(text, defaultEntity: defaultEntity)
        return round > 0 && statement.meansSameInSQL && !meansOtherwiseInSQL(written) ? statement : nil
      } catch {
        guard error.diagnostics.allSatisfy({ isReadable($0.code) && !$0.fixes.isEmpty }),
          let mended = error.fixedSource,
          mended != text
        else { return nil }
        text = mended
      }
    }
    return nil
  }

  /// The most bytes of a text that is read as SQL: a person types less, and each round parses it once more.
  private static let longest = 1 << 14

  /// Whether a text of SQL has a name in double quotes, which is a string here, or compares with NULL, which is never
  /// true there.
  private static func meansOtherwiseInSQL(_ text: String) -> Bool {
    var tokens: [String] = []
    var token = ""
    var quote: Character?
    func end() {
      if !token.isEmpty { tokens.append(token.lowercased()) }
      token = ""
    }
    for character in text {
      if let open = quote {
        token.append(character)
        if character == open {
          end()
          quote = nil
        }
      } else if character == "'" || character == "\"" {
        end()
        token = String(character)
        quote = character
      } else if character.isWhitespace || "(),;".contains(character) {
        end()
      } else {
        if "=<>!".contains(character) != token.last.map({ "=<>!".contains($0) }) ?? true { end() }
        token.append(character)
      }
    }
    end()
    guard tokens.first == "select" || tokens.first == "explain" else { return false }
    for (place, token) in tokens.enumerated() {
      let last = place > 0 ? tokens[place - 1] : ""
      if token.hasPrefix("\""), last != "as" { return true }
      if token == "null", ["=", "==", "!=", "<>"].contains(last) { return true }
    }
    return false
  }

  /// Whether a mistake is another way to write what exists here, and its fix writes just that.
  private static func isReadable(_ code: DiagnosticCode) -> Bool {
    switch code {
    case .foreignClause, .countStar, .isNull, .listInParentheses, .betweenBounds, .missingEntity: true
    // Most mistakes have a fix that is only probable.
    default: false
    }
  }
}

extension StatementSyntax {
  /// Whether it is a query whose parts mean in SQL what they mean here.
  fileprivate var meansSameInSQL: Bool {
    switch self {
    case .select(let query), .count(let query): query.meansSameInSQL
    case .explain(_, let explained): explained.meansSameInSQL
    case .delete, .update, .insert, .begin, .commit, .rollback, .define, .schema: false
    }
  }
}

extension SelectSyntax {
  fileprivate var meansSameInSQL: Bool {
    var isSame = !(sortBy.map(\.expression) + groupBy).contains(where: \.isLiteral)
    // In SQL a name after AS goes before a column in ORDER BY.
    let headings = Set((select ?? []).filter { $0.heading != $0.expression.description }.map(\.heading))
    if sortBy.contains(where: { headings.contains($0.expression.description) }) { isSame = false }
    for predicate in [filter.predicate, having].compactMap(\.self) {
      predicate.walk { node in
        guard case .predicate(let predicate) = node else { return isSame }
        switch predicate.kind {
        // What is unknown stays unknown in SQL.
        case .not: isSame = false
        case .comparison(let comparison): if !comparison.meansSameInSQL { isSame = false }
        default: break
        }
        return isSame
      }
    }
    return isSame
  }
}

extension ComparisonSyntax {
  /// The wildcards of LIKE differ, what is in double quotes is a name in SQL, and NULL is neither equal to anything nor
  /// unequal.
  fileprivate var meansSameInSQL: Bool {
    if left.isLiteral, right.isLiteral { return false }
    switch comparator {
    // What IS NOT NULL has become.
    case .notEqual: return left.isNil || right.isNil
    case .equal, .lessOrEqual, .greaterOrEqual: return left.isLiteral || right.isLiteral
    // A text alone is searched in here.
    case .isIn: return !right.hasNil && !right.isText
    case .like:
      guard case .literal(.string(let pattern)) = right.kind else { return false }
      return !pattern.contains { "%_*?".contains($0) }
    default: return true
    }
  }
}

extension ExpressionSyntax {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }
  fileprivate var isText: Bool { if case .literal(.string) = kind { true } else { false } }
  fileprivate var isNil: Bool { if case .literal(.null) = kind { true } else { false } }
  /// Whether it is a list with nil in it.
  fileprivate var hasNil: Bool {
    if case .list(let elements) = kind { elements.contains(where: \.isNil) } else { false }
  }
}
