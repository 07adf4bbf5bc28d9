extension DiagnosticError {
  /// The source with the best fix of every diagnostic applied; nil when there are no fixes.
  ///
  /// Fixes that overlap an earlier fix are left out, so a text may need this more than once.
  public var fixedSource: String? {
    var fixes: [Fix] = []
    for fix in diagnostics.compactMap(\.fixes.first) where !fixes.contains(where: { $0.overlaps(fix) }) {
      fixes.append(fix)
    }
    return fixes.isEmpty ? nil : fixes.applied(to: source)
  }
}

extension Fix {
  /// The source with this fix applied.
  public func applied(to source: String) -> String { [self].applied(to: source) }

  /// Whether both change the same part. Two insertions at the same place do not.
  fileprivate func overlaps(_ other: Fix) -> Bool {
    if range == other.range { return range.lowerBound < range.upperBound }
    return range.lowerBound < other.range.upperBound && other.range.lowerBound < range.upperBound
  }
}

extension [Fix] {
  /// The source with all fixes applied, the last first, so that none moves another. They must not overlap.
  ///
  /// For insertions at the same place, the one of the later diagnostic comes first: a bracket opened later is closed
  /// earlier.
  fileprivate func applied(to source: String) -> String {
    var bytes = Array<UInt8>(source.utf8)
    let ordered = enumerated().sorted {
      ($1.element.range.lowerBound, $0.offset) < ($0.element.range.lowerBound, $1.offset)
    }
    for fix in ordered.map(\.element) {
      let start = Swift.min(Swift.max(fix.range.lowerBound, 0), bytes.count)
      let end = Swift.min(Swift.max(fix.range.upperBound, start), bytes.count)
      bytes.replaceSubrange(start..<end, with: fix.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
