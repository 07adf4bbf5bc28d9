package import PredicateLanguage
internal import Storage

/// CONTAINS on two strings, without a query.
package enum TextContainment {
  /// Whether a string contains another.
  package static func contains(_ text: String, _ part: String, options: StringOptions) -> Bool {
    Comparison.holds(.contains, .string(text), .string(part), folding: TextFolding(options))
  }
}
