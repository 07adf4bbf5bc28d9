public import Diagnostics

/// A placeholder with its range.
public struct PlaceholderReference: Hashable, Sendable {
  /// The placeholder.
  public var placeholder: Placeholder
  /// Its range.
  public var range: SourceRange
  /// Whether the placeholder is a property's name, such as `%K`, instead of a value.
  public var isName: Bool
}

extension SyntaxNode {
  /// All paths in the tree, in the order of the text, outer before inner. Those of a SUBQUERY are its collection, then
  /// the paths of its predicate, which start from its variable or from the object.
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

  /// All placeholders, in the order of the text. Includes `$name` in the position of a predicate, which LET defines.
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

/// A placeholder, or a node that may contain some.
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
  /// All paths in the predicate: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { SyntaxNode.predicate(self).paths() }

  /// All placeholders of the predicate: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { SyntaxNode.predicate(self).placeholders() }
}

extension ExpressionSyntax {
  /// All paths in the expression: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { SyntaxNode.expression(self).paths() }

  /// All placeholders of the expression: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { SyntaxNode.expression(self).placeholders() }
}

extension FilterSyntax {
  /// All paths in the predicate and the tails: see ``SyntaxNode/paths()``.
  public func paths() -> [PathSyntax] { children.flatMap { $0.paths() } }

  /// All placeholders of the predicate and the tails: see ``SyntaxNode/placeholders()``.
  public func placeholders() -> [PlaceholderReference] { children.flatMap { $0.placeholders() } }
}

extension ExpressionSyntax {
  /// The content of a string that is a placeholder in quotes, probably by mistake: there it is plain text.
  package var quotedPlaceholder: String? {
    guard case .literal(.string(let text)) = kind, ["%@", "%d", "%f", "%K", "$0", "$1"].contains(text) else {
      return nil
    }
    return text
  }
}
