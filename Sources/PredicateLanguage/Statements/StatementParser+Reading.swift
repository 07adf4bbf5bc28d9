import Diagnostics
import Values

extension StatementParser {
  /// The query that a text means in SQL, or in Swift as `Quake.filter("mag > 5")`, if it can mean only one thing here.
  ///
  /// ```swift
  /// StatementParser.reading(of: "SELECT mag FROM Quake WHERE place IS NULL")?.description
  /// // Quake WHERE place == nil SELECT mag
  /// ```
  ///
  /// - Parameter defaultEntity: The entity of a bare predicate, as in ``statement(_:defaultEntity:example:)``.
  /// - Returns: nil for a text that is valid already, has mistakes of another kind, may mean several things, or changes
  ///   objects.
  public static func reading(of text: String, defaultEntity: String? = nil) -> StatementSyntax? {
    var text = text
    // What one mistake hides shows once it is mended.
    for round in 0..<8 {
      do {
        let statement = try whole(text, defaultEntity: defaultEntity)
        return round > 0 && statement.meansSameInSQL ? statement : nil
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
    var isSame = !sortBy.contains { $0.expression.isLiteral }
    for predicate in [filter.predicate, having].compactMap(\.self) {
      predicate.walk { node in
        guard case .predicate(let predicate) = node, case .comparison(let comparison) = predicate.kind else {
          return isSame
        }
        if !comparison.meansSameInSQL { isSame = false }
        return isSame
      }
    }
    return isSame
  }
}

extension ComparisonSyntax {
  /// The wildcards of LIKE differ, and what is in double quotes is a name in SQL.
  fileprivate var meansSameInSQL: Bool {
    if left.isLiteral, right.isLiteral { return false }
    guard comparator == .like, case .literal(.string(let pattern)) = right.kind else { return true }
    return !pattern.contains { "%_*?".contains($0) }
  }
}

extension ExpressionSyntax {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }
}
