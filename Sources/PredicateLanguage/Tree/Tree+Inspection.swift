public import Diagnostics

/// A placeholder with its place.
public struct PlaceholderReference: Hashable, Sendable {
  /// What is asked for.
  public var placeholder: Placeholder
  /// Where.
  public var range: SourceRange
  /// Whether it stands for a property's name, as `%K` does, and not for a value.
  public var isName: Bool
}

extension SyntaxNode {
  /// Every path in it, in the order of the text, outer before inner. Those of a SUBQUERY are its collection, then the
  /// paths of its predicate, which start from its variable or from the object.
  public func paths() -> [PathSyntax] {
    var found: [PathSyntax] = []
    walk { node in
      switch node {
      case .expression(let expression):
        switch expression.kind {
        case .path(let path): found.append(path)
        case .subquery(let path, _, _, _): found.append(path)
        default: break
        }
      case .predicate: break
      }
      return true
    }
    return found
  }

  /// Every place that waits for an argument, in the order of the text. `$name` where a whole predicate stands is a name
  /// that LET defines, and is among them too.
  public func placeholders() -> [PlaceholderReference] {
    var found: [PlaceholderReference] = []
    walk { node in
      switch node {
      case .predicate(let predicate):
        if case .named(let name) = predicate.kind {
          found.append(PlaceholderReference(placeholder: .named(name), range: predicate.range, isName: false))
        }
      case .expression(let expression):
        switch expression.kind {
        case .placeholder(let placeholder):
          found.append(PlaceholderReference(placeholder: placeholder, range: expression.range, isName: false))
        case .path(let path): found += path.nameArguments
        case .subquery(let path, _, _, let tail): found += path.nameArguments + tail.nameArguments
        default: break
        }
      }
      return true
    }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension PathSyntax {
  /// `%K` and `$K0` among its steps.
  fileprivate var nameArguments: [PlaceholderReference] {
    steps.compactMap { step in
      guard case .placeholder(let placeholder) = step.kind else { return nil }
      return PlaceholderReference(placeholder: placeholder, range: step.range, isName: true)
    }
  }
}

extension PredicateSyntax {
  /// Every path in it: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { SyntaxNode.predicate(self).paths() }

  /// Every place that waits for an argument: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { SyntaxNode.predicate(self).placeholders() }
}

extension ExpressionSyntax {
  /// Every path in it: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { SyntaxNode.expression(self).paths() }

  /// Every place that waits for an argument: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { SyntaxNode.expression(self).placeholders() }
}

extension FilterSyntax {
  /// Every path in it, tails too: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { children.flatMap { $0.paths() } }

  /// Every place that waits for an argument, in tails too: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { children.flatMap { $0.placeholders() } }
}
