public import Diagnostics

/// A predicate as written: names are not looked up, placeholders not filled, types not checked.
///
/// Equality and hashing ignore ranges, and the words that constants were written as: two trees are equal if they have
/// the same meaning.
public struct PredicateSyntax: Hashable, Sendable {
  /// The content of the predicate. Setting it resets `word`.
  public var kind: Kind { didSet { written = WrittenWord() } }
  /// The range in the source; empty at 0 for a tree made by code.
  public var range: SourceRange
  /// The word that a constant was written as; nil for any other. If the object has a property with this name, the word
  /// means the property. Like a range it is not part of the meaning. Words of constants have at most 15 bytes; a longer
  /// one is not kept.
  public var word: String? {
    get { written.text }
    set { written = WrittenWord(newValue) }
  }
  private var written = WrittenWord()

  /// The kinds of predicate.
  public indirect enum Kind: Hashable, Sendable {
    /// All hold; at least two, none of them an `and`.
    case and([PredicateSyntax])
    /// At least one holds; at least two, none of them an `or`.
    case or([PredicateSyntax])
    /// The opposite.
    case not(PredicateSyntax)
    /// Two values compared.
    case comparison(ComparisonSyntax)
    /// `TRUEPREDICATE`, `FALSEPREDICATE`.
    case constant(Bool)
    /// A boolean value alone, which means `== TRUE`.
    case truth(ExpressionSyntax)
    /// `$big`: a predicate named by LET.
    case named(String)
  }

  /// Creates a predicate of the given kind.
  public init(_ kind: Kind, range: SourceRange = SourceRange(0, 0)) {
    self.kind = kind
    self.range = range
  }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (left: PredicateSyntax, right: PredicateSyntax) -> Bool { left.kind == right.kind }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A comparison: quantifier, left side, operator with options, right side.
public struct ComparisonSyntax: Hashable, Sendable {
  /// `ANY`, `ALL` or `NONE` before the whole comparison.
  public var quantifier: Quantifier?
  /// Whether the `ANY` was written as `NONE`, which becomes a NOT around the comparison. Like a range it is not part of
  /// the meaning.
  public var isWrittenAsNone = false
  /// The range of the quantifier before the comparison; empty without one, and for a tree made by code.
  public var quantifierRange = SourceRange(0, 0)
  /// The range of the quantifier on the right side.
  public var rightQuantifierRange = SourceRange(0, 0)
  /// The left side.
  public var left: ExpressionSyntax
  /// How.
  public var comparator: Comparator
  /// The range of the operator.
  public var comparatorRange: SourceRange
  /// `[c]`, `[d]`, `[n]`.
  public var options: StringOptions
  /// `ANY`, `ALL` or `NONE` before the right side, as in `x IN ANY {…}` (`x == ANY {…}`).
  public var rightQuantifier: Quantifier?
  /// The right side; a list of two for BETWEEN.
  public var right: ExpressionSyntax

  /// A comparison as written.
  public init(
    quantifier: Quantifier? = nil, left: ExpressionSyntax, comparator: Comparator,
    comparatorRange: SourceRange = SourceRange(0, 0), options: StringOptions = [], rightQuantifier: Quantifier? = nil,
    right: ExpressionSyntax
  ) {
    self.quantifier = quantifier
    self.left = left
    self.comparator = comparator
    self.comparatorRange = comparatorRange
    self.options = options
    self.rightQuantifier = rightQuantifier
    self.right = right
  }

  /// The quantifier as written, for messages.
  public var writtenQuantifier: Quantifier? { isWrittenAsNone ? Quantifier.none : quantifier }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (a: ComparisonSyntax, b: ComparisonSyntax) -> Bool {
    a.comparator == b.comparator && a.options == b.options && a.quantifier == b.quantifier
      && a.rightQuantifier == b.rightQuantifier && a.left == b.left && a.right == b.right
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparator)
    hasher.combine(options)
    hasher.combine(quantifier)
    hasher.combine(rightQuantifier)
    hasher.combine(left)
    hasher.combine(right)
  }
}

/// The quantifier: how many elements of a collection must satisfy a comparison. `SOME` is `any`.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// At least one element.
  case any = "ANY"
  /// Every element.
  case all = "ALL"
  /// No element.
  case none = "NONE"
}

/// The options in brackets after a string comparison.
public struct StringOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt8
  /// Options by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// `[c]`: full Unicode case folding.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `[d]`: nonspacing marks removed after canonical decomposition.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
  /// `[n]`: compares bytes, which is also the default.
  public static let normalized = StringOptions(rawValue: 4)
}
