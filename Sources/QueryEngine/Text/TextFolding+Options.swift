package import PredicateLanguage
package import Storage

extension TextFolding {
  /// The folding that options ask for; `[n]` asks for none.
  package init(_ options: StringOptions) {
    self.init(
      ignoresCase: options.contains(.caseInsensitive), ignoresDiacritics: options.contains(.diacriticInsensitive))
  }
}
