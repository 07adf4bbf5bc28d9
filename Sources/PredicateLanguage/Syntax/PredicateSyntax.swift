public import Diagnostics

/// A predicate as written: names not looked up, placeholders not filled, types not checked.
///
/// Equality and hashing leave out ranges, and the words that constants were written as: two trees are equal when they say the same.
public struct PredicateSyntax: Hashable, Sendable {
  /// What it says. Another kind was not written as the word that this one was.
  public var kind: Kind { didSet { word = nil } }
  /// Where it stands in the source; empty at 0 for a tree made by code.
  public var range: SourceRange
  /// The word that a constant was written as; nil for any other. It is a property's name instead where the object has a
  /// property of that name. Like a range it says how the tree was written.
  public var word: String?

  /// The kinds of predicate.
  public indirect enum Kind: Hashable, Sendable {
    /// All hold; at least two, none itself an `and`.
    case and([PredicateSyntax])
    /// Some holds; at least two, none itself an `or`.
    case or([PredicateSyntax])
    /// The opposite.
    case not(PredicateSyntax)
    /// Two values compared.
    case comparison(ComparisonSyntax)
    /// `TRUEPREDICATE`, `FALSEPREDICATE`.
    case constant(Bool)
    /// A boolean value standing alone: it `== TRUE`.
    case truth(ExpressionSyntax)
    /// `$big`: a predicate named by LET, put in as a tree.
    case named(String)
  }

  /// A predicate of the given kind.
  public init(_ kind: Kind, range: SourceRange = SourceRange(0, 0)) {
    self.kind = kind
    self.range = range
  }

  /// Whether both say the same, wherever they stand.
  public static func == (left: PredicateSyntax, right: PredicateSyntax) -> Bool { left.kind == right.kind }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A comparison: quantifier, left side, operator with options, right side.
public struct ComparisonSyntax: Hashable, Sendable {
  /// `ANY`, `ALL` or `NONE` before the whole comparison.
  public var quantifier: Quantifier?
  /// Whether the `ANY` was written as `NONE`, which becomes a NOT around it. Like a range it says how the tree was
  /// written, and not what it means.
  public var isWrittenAsNone = false
  /// Where the quantifier before the comparison stands; empty for none, and for a tree made by code.
  public var quantifierRange = SourceRange(0, 0)
  /// Where the quantifier of the right side stands.
  public var rightQuantifierRange = SourceRange(0, 0)
  /// What is compared.
  public var left: ExpressionSyntax
  /// How.
  public var comparator: Comparator
  /// Where the operator stands.
  public var comparatorRange: SourceRange
  /// `[c]`, `[d]`, `[n]`.
  public var options: StringOptions
  /// `ANY`, `ALL` or `NONE` before the right side, as in `x IN ANY {…}` (`x == ANY {…}`).
  public var rightQuantifier: Quantifier?
  /// What it is compared with. For BETWEEN a list of two.
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

  /// The quantifier in the words of the text, to speak of it.
  public var writtenQuantifier: Quantifier? { isWrittenAsNone ? Quantifier.none : quantifier }

  /// Whether both say the same, wherever they stand.
  public static func == (a: ComparisonSyntax, b: ComparisonSyntax) -> Bool {
    a.comparator == b.comparator && a.options == b.options && a.quantifier == b.quantifier
      && a.rightQuantifier == b.rightQuantifier && a.left == b.left && a.right == b.right
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparator)
    hasher.combine(options)
    hasher.combine(quantifier)
    hasher.combine(rightQuantifier)
    hasher.combine(left)
    hasher.combine(right)
  }
}

/// How many elements of a collection must satisfy a comparison. `SOME` is `any`.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// At least one.
  case any = "ANY"
  /// Every one.
  case all = "ALL"
  /// Not one.
  case none = "NONE"
}

/// The operators that compare two values.
public enum Comparator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case isIn = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case geoWithin = "geoWithin"
  case text = "TEXT"

  /// What an operator compares. Who treats the operators of a family alike switches over this, and need not know them
  /// all.
  package enum Family: Hashable, Sendable {
    case relation(Relation)
    case string(StringOperator)
    /// BETWEEN.
    case range
    /// IN.
    case membership
    /// geoWithin.
    case place
    /// TEXT.
    case fullText
  }

  /// `==` to `>=`: values of any one type.
  package enum Relation: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// The operators on strings, which Data takes too, except MATCHES.
  package enum StringOperator: Hashable, Sendable {
    case contains, beginsWith, endsWith, like, matches
  }

  /// The operator's family, and which of it the operator is.
  package var family: Family {
    switch self {
    case .equal: .relation(.equal)
    case .notEqual: .relation(.notEqual)
    case .less: .relation(.less)
    case .lessOrEqual: .relation(.lessOrEqual)
    case .greater: .relation(.greater)
    case .greaterOrEqual: .relation(.greaterOrEqual)
    case .contains: .string(.contains)
    case .beginsWith: .string(.beginsWith)
    case .endsWith: .string(.endsWith)
    case .like: .string(.like)
    case .matches: .string(.matches)
    case .between: .range
    case .isIn: .membership
    case .geoWithin: .place
    case .text: .fullText
    }
  }

  /// The operators on strings, in the order in which they are offered.
  public static let stringOperators = allCases.filter { if case .string = $0.family { true } else { false } }
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
  /// `[n]`: bytes as they are, which is what happens without it too.
  public static let normalized = StringOptions(rawValue: 4)
}
