import ObjectStoreCore
internal import PredicateLanguage

extension Diagnostic {
  /// A diagnostic of a piece of a script, about the place in the script. One without a place is about the whole piece.
  func moved(into piece: ScriptPiece) -> Diagnostic {
    func moved(_ range: SourceRange) -> SourceRange {
      SourceRange(range.lowerBound + piece.range.lowerBound, range.upperBound + piece.range.lowerBound)
    }
    var diagnostic = self
    diagnostic.range = range.map(moved) ?? piece.range
    for place in fixes.indices { diagnostic.fixes[place].range = moved(fixes[place].range) }
    return diagnostic
  }
}
