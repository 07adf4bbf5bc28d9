internal import Schema
internal import Storage

/// Estimates of the clusters that an index range covers. Objects that are neighbours in an index are often neighbours
/// in the store too: many values arrive in order, and objects with equal values are ordered by object ID.
extension CandidateBuilder {
  /// Estimates how many clusters hold the objects of a leaf.
  func clusters(of leaf: IndexLeaf) throws -> Double? {
    switch leaf.kind {
    case .indexSearch(let search): return search.clusters
    case .indexRange(let range):
      let reader = try snapshot.index(range.index, of: entity)
      return try clusters(ofFirst: leaf.rows, in: range, reader, descending: false)
    case .nothing, .scan, .given, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder, .indexKeys, .indexEnds,
      .filter, .group, .having, .sort, .topK, .distinct, .window, .select, .sections, .statement:
      return nil
    }
  }

  /// Estimates how many clusters hold the first `count` objects of a range, or the last if `descending`.
  func clusters(
    ofFirst count: Double, in range: IndexRange, _ reader: IndexReader, descending: Bool
  ) throws -> Double {
    let scattered = CostModel.clustersTouched(count, of: clusterCount)
    if scattered <= 1 { return scattered }
    return min(scattered, 1 + count * (try clustersPerObject(range, reader, descending: descending)))
  }

  /// The number of clusters with the best values of a sort's first key that suffice to fill the limit. nil without a
  /// limit, or if a full sort is used instead of top-k.
  func bestClusters(leaving rows: Double) throws -> Double? {
    guard case .sort(let keys)? = tails.first, tails.count > 1, case .window(let offset, let limit?) = tails[1],
      let key = keys.first, let column = key.expression.column, entity.columns[column].collectionKind == nil,
      ClusterZone.isKnown(of: entity.columns[column].scalarType)
    else { return nil }
    let wanted = Double(offset) + Double(limit)
    guard rows >= wanted * CostModel.fewCandidates, Self.takesFirst(Int(min(1e9, wanted)), of: rows) else { return nil }
    let passed = ways.isEmpty ? wanted * objectCount / rows : try walkedForAll(wanted, left: rows)
    guard let way = ways.first(where: { $0.access.index.columns.first == column && $0.access.index.hasValueKeys })
    else { return CostModel.clustersTouched(passed, of: clusterCount) }
    return try clusters(ofFirst: passed, in: way.access.everything, way.reader, descending: !key.ascending)
  }

  /// The number of distinct strings per object for each tested column with dictionary encoding, estimated from one
  /// cluster.
  static func codedColumns(
    of predicates: [BoundPredicate], _ entity: StoredEntity, _ snapshot: Snapshot, _ memory: SelectivityCache?,
    clusterCount: Double
  ) -> [CostModel.Coded] {
    var tested: [Int] = []
    for predicate in predicates { predicate.collectTexts(of: entity, into: &tested) }
    return tested.compactMap { column in
      let look = { differing(column, entity, snapshot, cluster: UInt64(clusterCount / 2)) }
      return (memory.map { $0.differing(column, of: entity, in: snapshot, look) } ?? look()).map { (column, $0) }
    }
  }

  /// The number of distinct strings of a column per object; nil if there are many. Also nil if the cluster cannot be
  /// read, since the query itself may never read it.
  private static func differing(
    _ column: Int, _ entity: StoredEntity, _ snapshot: Snapshot, cluster number: UInt64
  ) -> Double? {
    guard let cluster = try? snapshot.cluster(number, of: entity) else { return nil }
    return switch try? cluster.column(column).values {
    // With many distinct strings a dictionary saves little.
    case .dictionary(_, let texts)? where texts.count * 8 <= Mask.slotCount: Double(texts.count) / CostModel.slots
    case .same?: 1 / CostModel.slots
    default: nil
    }
  }

  /// The fraction of an index's entries that are in another cluster than the entry before.
  private func clustersPerObject(_ range: IndexRange, _ reader: IndexReader, descending: Bool) throws -> Double {
    var clusters: [UInt64] = []
    clusters.reserveCapacity(Self.neighbours)
    try reader.forEachPart(range.ranges.prefix(Self.firstRanges), descending: descending) { part in
      for object in part.prefix(Self.neighbours - clusters.count) { clusters.append(object >> 8) }
      return clusters.count < Self.neighbours
    }
    if clusters.count < 2 { return 1 }
    clusters.sort()
    return Double(zip(clusters, clusters.dropFirst()).count { $0 != $1 }) / Double(clusters.count - 1)
  }

  /// The number of neighbouring index entries that are sampled.
  private static var neighbours: Int { 64 }
}

extension BoundPredicate {
  /// Collects the string columns that the predicate tests.
  fileprivate func collectTexts(of entity: StoredEntity, into columns: inout [Int]) {
    switch self {
    case .test(let test):
      let column = entity.columns[test.column]
      if column.scalarType == .string, column.collectionKind == nil, !columns.contains(test.column) {
        columns.append(test.column)
      }
    case .and(let parts), .or(let parts): for part in parts { part.collectTexts(of: entity, into: &columns) }
    case .not(let inner): inner.collectTexts(of: entity, into: &columns)
    case .remembered(let remembered): remembered.predicate.collectTexts(of: entity, into: &columns)
    case .constant, .comparison, .quantified, .lists: break
    }
  }
}
