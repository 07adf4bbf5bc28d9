public import Diagnostics

/// A name as written, with its range.
public struct NameSyntax: Hashable, Sendable {
  /// The name, unescaped.
  public var text: String
  /// The range in the source.
  public var range: SourceRange

  /// Creates a name.
  public init(_ text: String, range: SourceRange = SourceRange(0, 0)) {
    self.text = text
    self.range = range
  }

  /// Whether both are the same name, regardless of their ranges.
  public static func == (left: NameSyntax, right: NameSyntax) -> Bool { left.text == right.text }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// One key of a sort.
public struct SortKeySyntax: Hashable, Sendable {
  /// The expression to sort by.
  public var expression: ExpressionSyntax
  /// Ascending unless DESC was written.
  public var ascending: Bool

  /// A sort key.
  public init(_ expression: ExpressionSyntax, ascending: Bool = true) {
    self.expression = expression
    self.ascending = ascending
  }
}

/// A stage after a predicate, applied to the result of the stages before it.
public enum TailSyntax: Hashable, Sendable {
  /// `FILTER(p)`: keeps the remaining objects that satisfy the predicate.
  case filter(PredicateSyntax)
  /// `SORT(a DESC, b)`
  case sort([SortKeySyntax])
  /// `DISTINCT(a, b)`: the first of each group of equal values.
  case distinct([ExpressionSyntax])
  /// `OFFSET(n)` then `LIMIT(m)`; adjacent ones form a single window. nil means no limit. Values ≥ 0.
  case window(offset: ExpressionSyntax?, limit: ExpressionSyntax?)
}

/// A predicate with its tails: the argument of `filter("…")`.
public struct FilterSyntax: Hashable, Sendable {
  /// The condition; nil when only tails were written.
  public var predicate: PredicateSyntax?
  /// The tails in the order they apply.
  public var tails: [TailSyntax]

  /// A condition with tails.
  public init(predicate: PredicateSyntax?, tails: [TailSyntax] = []) {
    self.predicate = predicate
    self.tails = tails
  }
}
