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
    var pending = [PlaceholderSource.node(self)]
    while let next = pending.popLast() {
      switch next {
      case .reference(let reference): found.append(reference)
      case .node(let node): pending += node.placeholderSources.reversed()
      }
    }
    return found
  }

  /// Its own placeholder, or its parts, in the order they are printed.
  private var placeholderSources: [PlaceholderSource] {
    switch self {
    case .predicate(let predicate):
      if case .named(let name) = predicate.kind {
        return [.reference(PlaceholderReference(placeholder: .named(name), range: predicate.range, isName: false))]
      }
    case .expression(let expression):
      switch expression.kind {
      case .placeholder(let placeholder):
        return [.reference(PlaceholderReference(placeholder: placeholder, range: expression.range, isName: false))]
      case .path(let path): return path.placeholderSources
      case .subquery(let path, _, let condition, let tail):
        return path.placeholderSources + [.node(.predicate(condition))] + tail.placeholderSources
      default: break
      }
    }
    return children.map(PlaceholderSource.node)
  }
}

/// Where placeholders come from: one that is there, or a part to look into.
private enum PlaceholderSource {
  case reference(PlaceholderReference)
  case node(SyntaxNode)
}

extension PathSyntax {
  /// `%K` and `$K0` among its steps, and its indexes.
  fileprivate var placeholderSources: [PlaceholderSource] {
    steps.compactMap { step in
      switch step.kind {
      case .placeholder(let placeholder):
        .reference(PlaceholderReference(placeholder: placeholder, range: step.range, isName: true))
      case .index(let index): .node(.expression(index))
      default: nil
      }
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
