internal import Storage

/// Objects found by indexes, without reading any cluster.
extension Executor {
  /// The objects that index nodes find, without reading clusters.
  func objectSet(_ node: PlanNode) throws -> ObjectSet {
    let set: ObjectSet
    switch node.kind {
    case .indexRange(let range): set = try ObjectSet(try walked(range, node), cancellation)
    case .indexSearch(let search):
      set = try search.objectSet(of: entity, in: snapshot, context) { cost in
        try checkCancelled()
        try noteWalked(Int(cost / CostModel.indexEntry))
      }
    case .inverseWalk(let walk): set = try ObjectSet(try walked(back: walk), cancellation)
    case .indexUnion:
      // Sorted once for all children, of which there may be thousands.
      var objects: [UInt64] = []
      for child in node.children {
        if case .indexRange(let range) = child.kind {
          objects += try walked(range, child)
        } else {
          objects += try objectSet(child).objects
        }
      }
      set = try ObjectSet(objects, cancellation)
    case .indexIntersection:
      guard let first = node.children.first else { return ObjectSet() }
      set = try node.children.dropFirst().reduce(try objectSet(first)) { $0.intersection(try objectSet($1)) }
    case .nothing: return ObjectSet()
    case .scan, .given, .indexOrder, .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK, .distinct, .window,
      .select, .sections, .statement:
      throw node.isMisplaced
    }
    if let metrics {
      metrics.nodes[node.id].ran = true
      metrics.nodes[node.id].rows = set.count
      metrics.nodes[node.id].clustersRead = set.clusters.count
    }
    return set
  }

  /// The objects in the ranges of an index, in the order of its keys; `node` is the node of the walk.
  private func walked(_ range: IndexRange, _ node: PlanNode) throws -> [UInt64] {
    let reader = try snapshot.index(range.index, of: entity)
    var objects: [UInt64] = []
    if range.ranges.count == 1, let key = reader.uniqueKey(range.ranges[0]) {
      if let object = try reader.firstObject(of: key) { objects = [object] }
      try checkCancelled()
      try noteWalked(objects.count)
    } else {
      try reader.forEachPart(range.ranges) { run in
        objects.append(contentsOf: run)
        try checkCancelled()
        try noteWalked(run.count)
        return true
      }
    }
    if let metrics {
      metrics.nodes[node.id].ran = true
      metrics.nodes[node.id].rows = objects.count
    }
    return objects
  }

  /// The objects that link to those of a set, which is evaluated first.
  private func walked(back walk: InverseWalk) throws -> [UInt64] {
    let reader = try snapshot.index(walk.index, of: entity)
    var objects: [UInt64] = []
    // A lookup costs as much as many entries.
    let lookUp = Int(CostModel.indexSeek / CostModel.indexEntry)
    let targets = try context.bits(walk.targets)
    try noteWalked(targets.count * lookUp)
    let numbers = targets.numbers
    // Targets that nothing links to are skipped without a callback.
    try cancellation.forEachPart(numbers.count) { part in
      try reader.forEachSource(of: numbers[part]) { _, run in
        try cancellation.step(run.count)
        objects.append(contentsOf: run)
        try noteWalked(run.count)
        return true
      }
    }
    return objects
  }
}
