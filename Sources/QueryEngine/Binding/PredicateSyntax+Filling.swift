package import Diagnostics
package import PredicateLanguage

extension PredicateSyntax {
  /// The predicate with its placeholders replaced by values. Named placeholders without a value are kept, to be filled
  /// later.
  ///
  /// - Parameters:
  ///   - source: The text that the predicate was read from; empty for a tree made by code.
  ///   - isProperty: Whether a word is the name of a property.
  /// - Throws: A `DiagnosticError` if arguments are missing, superfluous or of a wrong type.
  package func filled(
    with arguments: Arguments, source: String, isProperty: @escaping (String) -> Bool
  ) throws(DiagnosticError) -> PredicateSyntax {
    let context = SourceContext(source: source, arguments: arguments)
    var substitution = ArgumentSubstitution(context: context, keepsNames: true, isProperty: isProperty)
    let filled = substitution.predicate(self)
    substitution.finish()
    if let error = substitution.error { throw error }
    return filled
  }
}
