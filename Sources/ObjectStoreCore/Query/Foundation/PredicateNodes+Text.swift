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

// What Foundation has for people's texts in predicates, it has on Apple's platforms only.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// Whether a text contains another, letter case and accents aside: `localizedStandardContains` in a `#Predicate`.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// Whether it does.
      public typealias Output = Bool

      /// The text.
      public let root: Root
      /// What it contains.
      public let other: Other

      /// The question of two texts.
      public init(root: Root, other: Other) {
        self.root = root
        self.other = other
      }

      /// The answer for the values of variables.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        TextContainment.contains(
          String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
          options: [.caseInsensitive, .diacriticInsensitive])
      }
    }

    /// What `#Predicate` makes of `text.localizedStandardContains(other)`.
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
    /// Whether it contains a text, letter case and accents aside: what a `#Predicate` may say. Where Foundation is
    /// imported, its own is called.
    @_disfavoredOverload
    public func localizedStandardContains(_ other: some StringProtocol) -> Bool {
      TextContainment.contains(String(self), String(other), options: [.caseInsensitive, .diacriticInsensitive])
    }
  }
#endif
