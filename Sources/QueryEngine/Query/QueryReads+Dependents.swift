package import Storage
internal import Values

extension QueryReads {
  /// Whether the query follows links.
  package var followsLinks: Bool { !links.isEmpty }

  /// Finds the objects of the query's entity from which the query may reach changed objects, by following its links
  /// backward. Returns nil if the query may reach them otherwise, or if more than `limit` objects are on the way.
  ///
  /// It may find too many, since it follows the query's links in any order. An object depends on a change if it reaches
  /// a changed object either in the version before the change or in the one after it.
  ///
  /// - Parameter changed: Object IDs by entity number.
  /// - Complexity: Proportional to the number of objects on the way and their links.
  package func dependents(
    _ entity: StoredEntity, of changed: [UInt32: Set<UInt64>], in snapshot: Snapshot, limit: Int
  ) throws -> Set<UInt64>? {
    guard startsAtRow else { return nil }
    var reached: [String: Set<UInt64>] = [:]
    var frontier: [String: Set<UInt64>] = [:]
    for entity in snapshot.schema.entities { frontier[entity.name] = changed[entity.number] }
    var left = limit
    for _ in 0..<linkDepth {
      var next: [String: Set<UInt64>] = [:]
      for link in links {
        guard let end = link.end, let origin = link.origin, let objects = frontier[end], !objects.isEmpty else {
          continue
        }
        let isWhole = try link.forEachOrigin(of: objects, in: snapshot) { object in
          if reached[origin, default: []].insert(object).inserted {
            next[origin, default: []].insert(object)
            left -= 1
          }
          return left >= 0
        }
        if !isWhole { return nil }
      }
      if next.isEmpty { break }
      frontier = next
    }
    return reached[entity.name] ?? []
  }
}

extension LinkPath.Link {
  /// The name of the entity that the link is followed from.
  fileprivate var origin: String? { isBackward ? source.stored.columns[column].target : source.stored.name }
  /// The name of the entity that the link leads to.
  fileprivate var end: String? { isBackward ? source.stored.name : source.stored.columns[column].target }

  /// Calls `body` with each object from which the link leads to one of `objects`, possibly several times. Returns false
  /// if `body` did, or if the objects cannot be found.
  fileprivate func forEachOrigin(
    of objects: Set<UInt64>, in snapshot: Snapshot, _ body: (UInt64) -> Bool
  ) throws -> Bool {
    let entity = source.stored
    let objects = objects.sorted().map { ObjectNumber($0) }
    if isBackward {
      for object in objects {
        guard let cluster = try snapshot.cluster(object.cluster, of: entity), cluster.present[object.slot] else {
          continue
        }
        for target in try cluster.column(column).value(at: object.slot).targets
        where !body(ObjectNumber(target: target).rawValue) {
          return false
        }
      }
      return true
    }
    guard let inverse = entity.inverse(ofColumn: column), inverse.isComplete else { return false }
    var goesOn = true
    try snapshot.index(inverse, of: entity).forEachSource(of: objects) { _, sources in
      goesOn = sources.allSatisfy(body)
      return goesOn
    }
    return goesOn
  }
}
