public import Diagnostics

/// The limits on texts and trees. Exceeding a limit is an error with a code and a position, never a crash.
///
/// Texts are checked while they are parsed; trees made by code are checked with `violation(of:)` when they are used.
/// Chains are not nesting: `a AND b AND …` and `1 + 1 + …` may have any length.
public enum SyntaxLimits {
  /// The maximum number of bytes of a text: 1 MiB.
  public static let textBytes = 1 << 20
  /// The most nodes a tree may have: values, predicates, and the steps of paths and arithmetic.
  public static let nodes = 100_000
  /// The maximum nesting of brackets, calls, NOT and signs.
  public static let nesting = 200
  /// The maximum number of elements of a list given as an argument.
  public static let listElements = 1_000_000

  /// The first limit that a predicate exceeds, or nil. It descends no deeper than the limit, regardless of the tree.
  public static func violation(of predicate: PredicateSyntax) -> Diagnostic? {
    var measure = SyntaxMeasure()
    measure.add(predicate)
    return measure.violation
  }

  /// The first limit an expression exceeds, or nil.
  public static func violation(of expression: ExpressionSyntax) -> Diagnostic? {
    var measure = SyntaxMeasure()
    measure.add(expression)
    return measure.violation
  }

  /// The first limit a predicate with its tails exceeds, or nil.
  public static func violation(of filter: FilterSyntax) -> Diagnostic? {
    var measure = SyntaxMeasure()
    for child in filter.children {
      switch child {
      case .predicate(let predicate): measure.add(predicate)
      case .expression(let expression): measure.add(expression)
      }
    }
    return measure.violation
  }

  /// The number of nodes and the nesting of a predicate. If a limit is exceeded, counting stops and one of them is
  /// above its limit.
  package static func measure(of predicate: PredicateSyntax) -> (nodes: Int, nesting: Int) {
    var measure = SyntaxMeasure()
    measure.add(predicate)
    return (measure.nodes, measure.deepest)
  }

  /// The number of nodes and the nesting of an expression.
  package static func measure(of expression: ExpressionSyntax) -> (nodes: Int, nesting: Int) {
    var measure = SyntaxMeasure()
    measure.add(expression)
    return (measure.nodes, measure.deepest)
  }

  static func tooDeep(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      code: .nestingTooDeep, message: "this is nested more than \(nesting) deep", range: range,
      notes: ["chains such as 'a AND b AND …' may have any length; it is brackets, calls and NOT that count"])
  }

  static func tooLong(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      code: .listTooLong, message: "this list has more than \(listElements) elements", range: range,
      notes: ["ask with several lists, one after the other"])
  }

  static func tooManyNodes(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      code: .tooManyNodes, message: "there are more than \(nodes) parts", range: range,
      notes: ["pass long lists as one argument: 'x IN %@'"])
  }
}
