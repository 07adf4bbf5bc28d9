package import Diagnostics
package import PredicateLanguage

extension PredicateSyntax {
  /// The predicate with values in the place of its placeholders. Names without a value stay, to be filled another time.
  ///
  /// - Parameters:
  ///   - source: The text it was read from; empty for a tree made by code.
  ///   - isProperty: Whether a word is a property's name.
  /// - Throws: what is wrong with the arguments.
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
