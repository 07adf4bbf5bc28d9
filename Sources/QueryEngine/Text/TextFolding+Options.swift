package import PredicateLanguage
package import Storage

extension TextFolding {
  /// The folding of comparison options; `[n]` means none.
  package init(_ options: StringOptions) {
    self.init(
      ignoresCase: options.contains(.caseInsensitive), ignoresDiacritics: options.contains(.diacriticInsensitive))
  }
}

extension TextFolding {
  /// Calls `body` with the folded form of text of any length, of which a long one is folded in parts.
  func withFoldedParts<R>(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    if text.count <= LongText.partSize || isNone { return try withFolded(text, body) }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    LongText.forEachPart(of: text) { part in withFolded(part) { folded.append(contentsOf: $0) } }
    return try folded.withUnsafeBytes(body)
  }
}
