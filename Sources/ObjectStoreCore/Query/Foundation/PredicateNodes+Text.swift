public import FoundationEssentials
internal import PredicateLanguage
internal import QueryEngine

extension PredicateExpressions.CollectionContainsCollection: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.unsupported(self, " of the type \(Base.Output.self)")
    }
    return .comparison(try translation.term(base), .contains, try translation.term(other))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.unsupported(self, " of the type \(Base.Output.self)")
    }
    return .comparison(try translation.term(base), .beginsWith, try translation.term(prefix))
  }
}

// Foundation has these string methods of predicates on Apple's platforms only.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// Whether a string contains another, ignoring case and diacritics: `localizedStandardContains` in a `#Predicate`.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// The result.
      public typealias Output = Bool

      /// The string.
      public let root: Root
      /// The string to search.
      public let other: Other

      /// Creates the node for two strings.
      public init(root: Root, other: Other) {
        self.root = root
        self.other = other
      }

      /// The answer for the values of variables.
      ///
      /// - Throws: The errors of evaluating the two strings.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        TextContainment.contains(
          String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
          options: [.caseInsensitive, .diacriticInsensitive])
      }
    }

    /// The node that `#Predicate` creates for `text.localizedStandardContains(other)`.
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
      StringLocalizedStandardContains(root: root, other: other)
    }
  }

  extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StringLocalizedStandardContains: TranslatableNode {
    func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
      QueryTerm(
        PredicateSyntax(
          .comparison(
            ComparisonSyntax(
              left: try translation.term(root).expression, comparator: .contains,
              options: [.caseInsensitive, .diacriticInsensitive], right: try translation.term(other).expression))))
    }
  }

  extension StringProtocol {
    /// Whether the string contains another, ignoring case and diacritics. For use in a `#Predicate`; if Foundation is
    /// imported, its own method is called.
    @_disfavoredOverload
    public func localizedStandardContains(_ other: some StringProtocol) -> Bool {
      TextContainment.contains(String(self), String(other), options: [.caseInsensitive, .diacriticInsensitive])
    }
  }
#endif
