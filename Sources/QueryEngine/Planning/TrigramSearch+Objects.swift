internal import Schema
internal import Storage

extension TrigramSearch {
  /// The objects whose strings contain the phrases. It reads clusters only for irregular strings.
  func objectSet(
    of entity: StoredEntity, in snapshot: Snapshot, _ context: ExecutionContext, noteWork: (Double) throws -> Void
  ) throws -> ObjectSet {
    let reader = try snapshot.trigrams(index, of: entity)
    func notePlaces(_ places: Int) throws { try noteWork(Double(places) * CostModel.trigramPlace) }
    var set: ObjectSet?
    for phrase in phrases {
      var found = ObjectSet()
      if let known = set {
        // The phrase is read only if the set has objects.
        try reader.forEach(of: known.clusters, with: phrase, work: notePlaces) { place, mask in
          found.append(known.clusters[place], known.masks[place] & mask)
        }
      } else {
        try reader.forEachCluster(with: phrase, work: notePlaces) { cluster, mask in
          found.append(cluster, mask)
          return true
        }
      }
      set = found
    }
    return try checked(set ?? ObjectSet(), entity, snapshot, context, reader)
  }

  /// The set, after checking its irregular strings.
  private func checked(
    _ set: ObjectSet, _ entity: StoredEntity, _ snapshot: Snapshot, _ context: ExecutionContext, _ reader: TrigramReader
  ) throws -> ObjectSet {
    guard !asked.isEmpty, let first = set.clusters.first else { return set }
    var doubtful = ObjectSet()
    try reader.forEachIrregular(gaps, from: first) { cluster, mask in
      try context.cancellation.step()
      doubtful.append(cluster, mask)
      return true
    }
    if doubtful.isEmpty { return set }
    let filter = AllFilter(asked)
    var found = ObjectSet()
    var place = 0
    for (number, mask) in zip(set.clusters, set.masks) {
      while place < doubtful.clusters.count, doubtful.clusters[place] < number { place += 1 }
      guard place < doubtful.clusters.count, doubtful.clusters[place] == number else {
        found.append(number, mask)
        continue
      }
      try context.cancellation.check()
      let open = mask & doubtful.masks[place]
      var sure = mask.andNot(open)
      if !open.isEmpty {
        let cluster = try snapshot.reader(of: entity).cluster(
          number, with: open, namedBy: "the index \(index.index.name)")
        sure |= try filter.mask(cluster, open, context)
      }
      found.append(number, sure)
    }
    return found
  }
}
