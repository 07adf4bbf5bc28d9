extension DiagnosticError {
  /// The source with the best fix of every diagnostic made; nil when none offers one.
  ///
  /// Fixes that touch a part which another changes already are left out, so a text may need this more than once.
  public var fixedSource: String? {
    var fixes: [Fix] = []
    for fix in diagnostics.compactMap(\.fixes.first) where !fixes.contains(where: { $0.overlaps(fix) }) {
      fixes.append(fix)
    }
    return fixes.isEmpty ? nil : fixes.applied(to: source)
  }
}

extension Fix {
  /// The source with this one change made.
  public func applied(to source: String) -> String { [self].applied(to: source) }

  /// Whether both change one part. Insertions at one place do, for nothing says which comes first.
  fileprivate func overlaps(_ other: Fix) -> Bool {
    if range == other.range { return true }
    return range.lowerBound < other.range.upperBound && other.range.lowerBound < range.upperBound
  }
}

extension [Fix] {
  /// The source with all changes made, the last first, so that none moves another. They must not overlap.
  fileprivate func applied(to source: String) -> String {
    var bytes = Array<UInt8>(source.utf8)
    for fix in sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let start = Swift.min(Swift.max(fix.range.lowerBound, 0), bytes.count)
      let end = Swift.min(Swift.max(fix.range.upperBound, start), bytes.count)
      bytes.replaceSubrange(start..<end, with: fix.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
