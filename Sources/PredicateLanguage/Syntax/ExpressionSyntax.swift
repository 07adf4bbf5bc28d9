public import Diagnostics
public import Values

/// A value as written: a literal, a path, a placeholder, or an expression of these.
///
/// Equality and hashing ignore ranges, and the words that literals were written as.
public struct ExpressionSyntax: Hashable, Sendable {
  /// The content of the expression. Setting it resets `word`.
  public var kind: Kind { didSet { written = WrittenWord() } }
  /// The range in the source; empty at 0 for a tree made by code.
  public var range: SourceRange
  /// The word that a literal was written as, such as `no` or `nil`; nil for any other. If the object has a property
  /// with this name, the word means the property. Like a range it is not part of the meaning. Words of constants have at
  /// most 15 bytes; a longer one is not kept.
  public var word: String? {
    get { written.text }
    set { written = WrittenWord(newValue) }
  }
  private var written = WrittenWord()

  /// The kinds of expression.
  public indirect enum Kind: Hashable, Sendable {
    /// A constant. Lists of constants are still `list`.
    case literal(Value)
    /// A value given separately from the text.
    case placeholder(Placeholder)
    /// Names, indexes and `@` operators joined by dots.
    case path(PathSyntax)
    /// `-x`, `~x`.
    case unary(UnaryOperator, ExpressionSyntax)
    /// `a + b - c`: operators of one precedence, applied left to right. At least one step; the first operand is not
    /// itself arithmetic of that precedence. Flat, so that a sum of any length is a single node; see `binary(_:_:_:)`.
    case arithmetic(ExpressionSyntax, [ArithmeticStep])
    /// A function by its canonical name (`uppercase`, `modulus:by:`), with its arguments.
    case call(String, [ExpressionSyntax])
    /// `{a, b, …}`.
    case list([ExpressionSyntax])
    /// `TERNARY(p, a, b)`.
    case ternary(PredicateSyntax, ExpressionSyntax, ExpressionSyntax)
    /// `SUBQUERY(path, $variable, predicate)` followed by a path such as `.@count` (empty if nothing follows).
    case subquery(PathSyntax, variable: String, PredicateSyntax, tail: PathSyntax)
    /// `[longitude, latitude]`: a literal point.
    case point([ExpressionSyntax])
    /// `geoCircle(…)`, `geoBox(…)`, `geoPolygon(…)`.
    case shape(ShapeSyntax)
  }

  /// Creates an expression of the given kind.
  public init(_ kind: Kind, range: SourceRange = SourceRange(0, 0)) {
    self.kind = kind
    self.range = range
  }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (left: ExpressionSyntax, right: ExpressionSyntax) -> Bool {
    if case .literal(let first) = left.kind, case .literal(let second) = right.kind {
      return first.saysSame(as: second)
    }
    return left.kind == right.kind
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    if case .literal(let value) = kind { value.hashWhatItSays(into: &hasher) } else { hasher.combine(kind) }
  }
}

/// One operator of a chain with its right operand.
public struct ArithmeticStep: Hashable, Sendable {
  /// The operator between everything to the left and the operand.
  public var operation: BinaryOperator
  /// The range of the operator in the source.
  public var range: SourceRange
  /// The right operand.
  public var operand: ExpressionSyntax

  /// A step of a chain.
  public init(_ operation: BinaryOperator, range: SourceRange = SourceRange(0, 0), _ operand: ExpressionSyntax) {
    self.operation = operation
    self.range = range
    self.operand = operand
  }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (left: ArithmeticStep, right: ArithmeticStep) -> Bool {
    left.operation == right.operation && left.operand == right.operand
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(operand)
  }
}

extension ExpressionSyntax {
  /// `left operation right`, appended to the chain in `left` if the precedence is the same.
  public static func binary(
    _ operation: BinaryOperator, _ left: ExpressionSyntax, _ right: ExpressionSyntax,
    range: SourceRange = SourceRange(0, 0)
  ) -> ExpressionSyntax {
    binary(ArithmeticStep(operation, right), left, range: range)
  }

  /// `left` with one more step.
  static func binary(_ step: ArithmeticStep, _ left: ExpressionSyntax, range: SourceRange) -> ExpressionSyntax {
    if case .arithmetic(let first, let steps) = left.kind, let last = steps.last,
      last.operation.precedence == step.operation.precedence
    {
      return ExpressionSyntax(.arithmetic(first, steps + [step]), range: range)
    }
    return ExpressionSyntax(.arithmetic(left, [step]), range: range)
  }
}

/// A path: `location.name`, `SELF.a`, `$t.isComplete`, `tasks.@avg.priority`, `labels[0]`, `@count`.
public struct PathSyntax: Hashable, Sendable {
  /// The start of the path: nil for the object (`SELF` or nothing), otherwise the variable's name without `$`.
  public var variable: String?
  /// The steps. Empty for the object or variable itself (`SELF`).
  public var steps: [Step]

  /// One step of a path.
  public struct Step: Hashable, Sendable {
    /// The kind of the step.
    public var kind: Kind
    /// The range in the source.
    public var range: SourceRange

    /// The kinds of step.
    public indirect enum Kind: Hashable, Sendable {
      /// A property by name, whichever way it was escaped.
      case name(String)
      /// A property whose name is an argument: `%K`, `$K0`.
      case placeholder(Placeholder)
      /// `@count`, `@size` (as `count`), `@sum`, `@avg`, `@min`, `@max`, `@distinctUnionOfObjects`, `@keys`, `@values`,
      /// `@type`, `@links`: the canonical name without `@`; that of a percentile with its share, `percentile(0.9)`.
      case operation(String)
      /// `[i]` or `["key"]`.
      case index(ExpressionSyntax)
      /// `[FIRST]`
      case first
      /// `[LAST]`
      case last
      /// `[SIZE]`
      case size
    }

    /// Creates a step of the given kind.
    public init(_ kind: Kind, range: SourceRange = SourceRange(0, 0)) {
      self.kind = kind
      self.range = range
    }

    /// Whether both have the same meaning, regardless of their ranges.
    public static func == (left: Step, right: Step) -> Bool { left.kind == right.kind }

    /// Hashes the meaning.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
  }

  /// Creates a path of the given steps.
  public init(variable: String? = nil, steps: [Step]) {
    self.variable = variable
    self.steps = steps
  }

  /// A path of plain names: `PathSyntax("location", "name")`.
  public init(_ names: String...) {
    self.init(steps: names.map { Step(.name($0)) })
  }
}

/// A position in the text whose value is given separately.
public enum Placeholder: Hashable, Sendable {
  /// The n-th of `%@ %K %d …`, counted from 0 over all of them, with its letters (`@`, `K`, `lld`).
  case sequential(Int, String)
  /// `$0`, `$K0`.
  case positional(Int)
  /// `$name`, `:name`.
  case named(String)
}

/// Operators before a value.
public enum UnaryOperator: String, Hashable, Sendable, CaseIterable {
  case negate = "-"
  case complement = "~"
}

/// Operators between two values.
public enum BinaryOperator: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case power = "**"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"

  /// The precedence: operators with a higher one bind more tightly. Operators with equal precedence apply left to
  /// right.
  public var precedence: Int {
    switch self {
    case .bitOr: 1
    case .bitXor: 2
    case .bitAnd: 3
    case .shiftLeft, .shiftRight: 4
    case .add, .subtract: 5
    case .multiply, .divide: 6
    case .power: 7
    }
  }
}

/// A shape on the earth as written.
public indirect enum ShapeSyntax: Hashable, Sendable {
  /// The centre, and the radius in `unit` (`m`, `km` or `mi`), or in radians without a unit.
  case circle(center: ExpressionSyntax, radius: ExpressionSyntax, unit: String?)
  /// Bottom left and top right corner.
  case box(ExpressionSyntax, ExpressionSyntax)
  /// Outer ring and holes, each a list of points.
  case polygon(outer: [ExpressionSyntax], holes: [[ExpressionSyntax]])
}
