internal import Schema
internal import Storage

/// Objects that an index named.
extension Executor {
  /// The cluster of objects that an index named.
  func cluster(_ number: UInt64, with objects: Mask) throws -> ClusterView {
    try snapshot.reader(of: entity).cluster(number, with: objects, namedBy: namingIndex)
  }

  /// Throws if an index named objects that are not among those of their cluster.
  @inline(__always)
  func expect(_ objects: Mask, among present: Mask, of cluster: UInt64) throws {
    let lost = objects.andNot(present)
    if !lost.isEmpty { throw try snapshot.reader(of: entity).lostObject(cluster, lost, namedBy: namingIndex) }
  }

  /// The index that the objects come from, for messages.
  private var namingIndex: String {
    switch plan.root.source.kind {
    case .indexRange(let range), .indexOrder(let range, _), .indexKeys(let range): "the index \(range.index.index.name)"
    case .indexSearch(let search): "the index \(search.index.index.name)"
    case .inverseWalk(let walk): "the inverse of \(walk.index.index.name)"
    case .nothing, .scan, .given, .indexUnion, .indexIntersection, .indexEnds, .filter, .group, .having, .sort, .topK,
      .distinct, .window, .select, .sections, .statement:
      "an index"
    }
  }
}
