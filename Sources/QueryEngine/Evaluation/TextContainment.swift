package import PredicateLanguage
internal import Storage

/// What CONTAINS says of two texts, without a query around it.
package enum TextContainment {
  /// Whether a text contains another.
  package static func contains(_ text: String, _ part: String, options: StringOptions) -> Bool {
    Comparison.holds(.contains, .string(text), .string(part), folding: TextFolding(options))
  }
}
