internal import Schema
internal import Storage
internal import Values

/// A bound on the sort position of a cluster's objects by one key, from its zone map: where the first of them could be.
/// It may be better than any requested object.
struct ClusterZone {
  let rank: UInt8
  let word: UInt64
  let cluster: UInt64

  /// Whether columns of a type have zone maps.
  static func isKnown(of type: ScalarType) -> Bool {
    type.isNumeric && type != .decimal || type == .date || type == .string
  }

  /// The zone of a column of numbers or strings.
  @inline(__always)
  init(_ cluster: ClusterView, _ column: Int, _ type: ScalarType, ascending: Bool) {
    self.cluster = cluster.number
    if type == .string, let edges = cluster.textEdges(column) {
      (rank, word) =
        ascending && edges.nullCount > 0
        ? (SortableKey.Rank.null, 0)
        : (SortableKey.Rank.number, SortableKey.word(ascending ? edges.minimum : edges.maximum))
    } else if let edges = cluster.edges(column) {
      if ascending, edges.nullCount > 0 {
        (rank, word) = (SortableKey.Rank.null, 0)
      } else if ascending, edges.hasNaN {
        (rank, word) = (SortableKey.Rank.nan, 0)
      } else {
        let bits = ascending ? edges.minimum : edges.maximum
        rank = SortableKey.Rank.number
        word = type.isInteger ? SortableKey.word(Int64(bitPattern: bits)) : SortableKey.word(type.number(ofBits: bits))
      }
    } else {
      (rank, word) = Self.rare(cluster, column, ascending)
    }
  }

  /// The zone without a zone map: all values nil or NaN, long strings, or the cluster is older than the column.
  @inline(never)
  private static func rare(_ cluster: ClusterView, _ column: Int, _ ascending: Bool) -> (UInt8, UInt64) {
    guard let range = cluster.range(column) else {
      // Without a range, the best possible value is assumed.
      return ascending ? (SortableKey.Rank.null, 0) : (SortableKey.Rank.number, .max)
    }
    let hasNull = range.nullCount > 0
    if range.minimum.isNull {
      return range.hasNaN && !(ascending && hasNull) ? (SortableKey.Rank.nan, 0) : (SortableKey.Rank.null, 0)
    }
    if ascending, hasNull { return (SortableKey.Rank.null, 0) }
    if ascending, range.hasNaN { return (SortableKey.Rank.nan, 0) }
    return SortableKey.entry(ascending ? range.minimum : range.maximum)
  }

  /// Whether the zone comes before another one; with equal values the cluster with the lower number does.
  @inline(__always)
  func comesBefore(_ other: ClusterZone, ascending: Bool) -> Bool {
    if rank != other.rank { return (rank < other.rank) == ascending }
    if word != other.word { return (word < other.word) == ascending }
    return cluster < other.cluster
  }
}
