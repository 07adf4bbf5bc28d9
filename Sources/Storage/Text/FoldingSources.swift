/// The inverse of folding: the scalars whose folding contains a given scalar. For searching a folded needle in unfolded
/// strings. It covers only scalars that change, and no Hangul syllables.
package final class FoldingSources: Sendable {
  private let first: [UInt32: [UInt32]]
  private let last: [UInt32: [UInt32]]
  private let any: [UInt32: [UInt32]]
  private let neighbours: [UInt64: [UInt32]]
  /// The first bytes of all scalars that fold to nothing.
  package let firstBytesOfDropped: Set<UInt8>

  private init(_ folding: TextFolding) {
    var first: [UInt32: [UInt32]] = [:]
    var last: [UInt32: [UInt32]] = [:]
    var any: [UInt32: [UInt32]] = [:]
    var neighbours: [UInt64: [UInt32]] = [:]
    var dropped: Set<UInt8> = []
    for scalar in Set(folding.changing).sorted() {
      let folded = folding.scalars(of: scalar)
      if folded == [scalar] { continue }
      guard let start = folded.first, let end = folded.last else {
        dropped.formUnion(UTF8Scalars.encode(scalar).prefix(1))
        continue
      }
      first[start, default: []].append(scalar)
      last[end, default: []].append(scalar)
      for part in Set(folded) { any[part, default: []].append(scalar) }
      for pair in Set(zip(folded, folded.dropFirst()).map(Self.pair)) { neighbours[pair, default: []].append(scalar) }
    }
    self.first = first
    self.last = last
    self.any = any
    self.neighbours = neighbours
    firstBytesOfDropped = dropped
  }

  private static func pair(_ left: UInt32, _ right: UInt32) -> UInt64 { UInt64(left) << 32 | UInt64(right) }

  /// Scalars that fold to something that begins with `scalar`, itself among them.
  package func beginning(with scalar: UInt32) -> [[UInt8]] { encode([scalar] + (first[scalar] ?? [])) }

  /// Scalars that fold to something that ends with `scalar`, itself among them.
  package func ending(with scalar: UInt32) -> [[UInt8]] { encode([scalar] + (last[scalar] ?? [])) }

  /// Scalars that fold to something that has `scalar` anywhere, itself among them.
  package func having(_ scalar: UInt32) -> [[UInt8]] { encode([scalar] + (any[scalar] ?? [])) }

  /// Scalars whose folding contains both scalars in a row.
  package func having(_ left: UInt32, _ right: UInt32) -> [[UInt8]] { encode(neighbours[Self.pair(left, right)] ?? []) }

  /// Whether other scalars fold to something with `scalar`.
  package func hasOthers(_ scalar: UInt32) -> Bool { any[scalar] != nil }

  private func encode(_ scalars: [UInt32]) -> [[UInt8]] { scalars.map(UTF8Scalars.encode) }

  private static let ofCase = FoldingSources(TextFolding(ignoresCase: true, ignoresDiacritics: false))
  private static let ofDiacritics = FoldingSources(TextFolding(ignoresCase: false, ignoresDiacritics: true))
  private static let ofBoth = FoldingSources(.full)

  /// The sources of a folding that does something.
  package static func of(_ folding: TextFolding) -> FoldingSources {
    folding.ignoresCase ? folding.ignoresDiacritics ? ofBoth : ofCase : ofDiacritics
  }
}
