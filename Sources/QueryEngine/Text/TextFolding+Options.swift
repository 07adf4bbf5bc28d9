package import PredicateLanguage
package import Storage

extension TextFolding {
  /// The folding of comparison options; `[n]` means none.
  package init(_ options: StringOptions) {
    self.init(
      ignoresCase: options.contains(.caseInsensitive), ignoresDiacritics: options.contains(.diacriticInsensitive))
  }
}
