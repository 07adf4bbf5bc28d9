import PredicateLanguage
import QueryEngine
import Values

/// What holds of string arguments, whatever they contain: a filled predicate is the one of any other strings but for these
/// strings, and as it prints it reads back. Of an argument for `%K` only a path comes.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
enum ArgumentProperties {
  /// What does not hold of `predicate` with parts of its own text as arguments; nil when all does.
  static func violation(_ predicate: PredicateSyntax, _ text: String) -> String? {
    guard !predicate.placeholders().isEmpty else { return nil }
    for argument in [text, String(text.suffix(text.count / 2 + 1)), String(text.suffix(3))] {
      if let violation = violation(predicate, filledWith: argument) {
        return "with \(argument.debugDescription): \(violation)"
      }
    }
    return nil
  }

  /// A string that is nothing in the language.
  fileprivate static let other = "other"

  private static func violation(_ predicate: PredicateSyntax, filledWith argument: String) -> String? {
    guard !argument.isEmpty else { return nil }
    switch (Self.filled(predicate, argument), Self.filled(predicate, other)) {
    case (let first?, let second?):
      var blanking = Blanking(argument: argument)
      let (one, two) = (blanking.rewrite(first).predicateFormat, blanking.rewrite(second).predicateFormat)
      if one != two { return "it is \(one), and with another string \(two)" }
      // Names that are none do not print as anything that reads back, and neither does a string where only a list can be.
      if predicate.placeholders().contains(where: \.isName) || unreadable(second) != nil { return nil }
      return unreadable(first)
    case (nil, nil): return nil
    case (nil, _): return "it is refused, and another string is not"
    case (_, nil): return "it is taken, and another string is not"
    }
  }

  /// What is wrong with the tree that a filled predicate reads back as; nil when it is the same.
  private static func unreadable(_ filled: PredicateSyntax) -> String? {
    let printed = filled.predicateFormat
    do {
      return try PredicateParser.predicate(printed) == filled ? nil : "\(printed) reads back as another tree"
    } catch {
      return "\(printed) does not read back: \(error)"
    }
  }

  private static func filled(_ predicate: PredicateSyntax, _ argument: String) -> PredicateSyntax? {
    var positional = 0
    var named: [String: Value] = [:]
    for reference in predicate.placeholders() {
      switch reference.placeholder {
      case .sequential(let index, _), .positional(let index): positional = max(positional, index + 1)
      case .named(let name): named[name] = .string(argument)
      }
    }
    // More would be an error of its own.
    guard positional < 100 else { return nil }
    let arguments = Arguments(Array(repeating: .string(argument), count: positional), named: named)
    return try? predicate.filled(with: arguments, source: "") { _ in false }
  }

  /// Makes strings and names that may be the argument all the same.
  private struct Blanking: SyntaxRewriter {
    let argument: String

    mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax {
      if case .literal(.string(let text)) = expression.kind, text == argument || text == ArgumentProperties.other {
        return ExpressionSyntax(.literal(.string("")))
      }
      return rewriteChildren(of: expression)
    }

    /// Names in a row are one, since an argument may have dots.
    mutating func rewrite(_ path: PathSyntax) -> PathSyntax {
      var result = rewriteChildren(of: path)
      var steps: [PathSyntax.Step] = []
      for step in result.steps {
        guard case .name = step.kind else {
          steps.append(step)
          continue
        }
        let name = PathSyntax.Step(.name("name"))
        if steps.last != name { steps.append(name) }
      }
      result.steps = steps
      return result
    }
  }
}
