public import Diagnostics

/// How much a text or a tree may hold. Beyond each of these is an error with a code and a place, never a crash.
///
/// Texts are held against them while they are read; a tree made by code when it is handed to something that uses it,
/// which asks `violation(of:)`. Chains are not nesting: `a AND b AND …` and `1 + 1 + …` may have any length.
public enum SyntaxLimits {
  /// The most bytes a text may have: 1 MiB.
  public static let textBytes = 1 << 20
  /// The most nodes a tree may have: values, predicates, and the steps of paths and arithmetic.
  public static let nodes = 100_000
  /// How deep brackets, calls, NOT and signs may stand inside each other.
  public static let nesting = 200
  /// The most elements a list may have that is given as an argument.
  public static let listElements = 1_000_000

  /// The first limit a predicate exceeds, or nil. It descends no deeper than the limit, whatever the tree.
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

  /// How many nodes a predicate has and how deep it nests; one of them is past its limit when it is too much.
  package static func measure(of predicate: PredicateSyntax) -> (nodes: Int, nesting: Int) {
    var measure = SyntaxMeasure()
    measure.add(predicate)
    return (measure.nodes, measure.deepest)
  }

  /// The same of an expression.
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
