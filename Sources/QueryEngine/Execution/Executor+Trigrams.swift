internal import Storage

/// Strings found by their trigrams.
extension Executor {
  /// The objects that a search finds. It reads clusters only for irregular strings.
  func objectSet(_ search: TrigramSearch) throws -> ObjectSet {
    let reader = try snapshot.trigrams(search.index, of: entity)
    var set: ObjectSet?
    for phrase in search.phrases {
      if let known = set {
        set = try narrowed(known, by: phrase, reader)
      } else {
        var found = ObjectSet()
        try reader.forEachCluster(with: phrase, work: noteTrigrams) { cluster, mask in
          found.append(cluster, mask)
          return true
        }
        set = found
      }
    }
    return try asked(search, set ?? ObjectSet(), reader)
  }

  /// The objects of a set that also contain another phrase; the phrase is read only if the set has objects.
  private func narrowed(_ set: ObjectSet, by phrase: TrigramPhrase, _ reader: TrigramReader) throws -> ObjectSet {
    var found = ObjectSet()
    try reader.forEach(of: set.clusters, with: phrase, work: noteTrigrams) { place, mask in
      found.append(set.clusters[place], set.masks[place] & mask)
    }
    return found
  }

  /// The set, after checking its irregular strings.
  private func asked(_ search: TrigramSearch, _ set: ObjectSet, _ reader: TrigramReader) throws -> ObjectSet {
    guard !search.asked.isEmpty, let first = set.clusters.first else { return set }
    var doubtful = ObjectSet()
    try reader.forEachIrregular(search.gaps, from: first) { cluster, mask in
      try cancellation.step()
      doubtful.append(cluster, mask)
      return true
    }
    if doubtful.isEmpty { return set }
    let filter = AllFilter(search.asked)
    var found = ObjectSet()
    var place = 0
    for (number, mask) in zip(set.clusters, set.masks) {
      while place < doubtful.clusters.count, doubtful.clusters[place] < number { place += 1 }
      guard place < doubtful.clusters.count, doubtful.clusters[place] == number else {
        found.append(number, mask)
        continue
      }
      try checkCancelled()
      let open = mask & doubtful.masks[place]
      var sure = mask.andNot(open)
      if !open.isEmpty, let cluster = try snapshot.cluster(number, of: entity) {
        sure |= try filter.mask(cluster, open & cluster.present, context)
      }
      found.append(number, sure)
    }
    return found
  }

  /// Counts positions that were read. Several positions cost as much as one index entry.
  private func noteTrigrams(_ places: Int) throws {
    try checkCancelled()
    try noteWalk(Int(Double(places) * CostModel.trigramPlace / CostModel.indexEntry))
  }
}
