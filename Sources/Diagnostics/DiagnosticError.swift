/// The error thrown for an invalid text, with the text and all its diagnostics.
///
/// There is always at least one diagnostic; the first is the most relevant.
public struct DiagnosticError: Error, Sendable {
  /// The text the ranges refer to.
  public var source: String
  /// A name for the text, such as a file's; nil for text typed or passed in.
  public var sourceName: String?
  /// The diagnostics, in the order of the text.
  public var diagnostics: [Diagnostic]

  /// The maximum number of diagnostics reported for one text; the others appear once the first are fixed.
  public static let most = 20

  /// Creates an error about `source`; the diagnostics are sorted in the order of the text, those without a range first.
  public init(source: String, sourceName: String? = nil, diagnostics: [Diagnostic]) {
    self.source = source
    self.sourceName = sourceName
    let ordered = diagnostics.enumerated().sorted {
      let (first, second) = ($0.element.range?.lowerBound ?? -1, $1.element.range?.lowerBound ?? -1)
      return (first, $0.offset) < (second, $1.offset)
    }
    self.diagnostics = ordered.prefix(Self.most).map(\.element)
  }

  /// An error with a single diagnostic.
  public init(source: String, sourceName: String? = nil, _ diagnostic: Diagnostic) {
    self.init(source: source, sourceName: sourceName, diagnostics: [diagnostic])
  }
}
