internal import PredicateLanguage
internal import Storage
internal import Values

extension Executor {
  /// The objects of a node sorted by keys. Ties keep insertion order; given objects keep the given order.
  func sorted(_ node: PlanNode, _ keys: [BoundSortKey]) throws -> [UInt64] {
    if !Self.sortsRows(node, keys) {
      let columns = try keys.compactMap { key in
        try cancellation.step(CancellationCheck.stepsPerPart)
        return try SortColumn(key, plan.compiler)
      }
      return try sortedByWords(node, keys, columns)
    }
    var objects = try gathered(node, limit: nil)
    if !node.isGiven { try objects.sort(cancellation) }
    return try ordered(objects, keys)
  }

  /// Whether a sort evaluates all keys row by row: if any of them has no words, or the objects are given.
  static func sortsRows(_ node: PlanNode, _ keys: [BoundSortKey]) -> Bool {
    node.isGiven || !keys.allSatisfy(SortColumn.exists)
  }

  /// The objects sorted by keys of any kind; ties keep their order.
  private func ordered(_ objects: [UInt64], _ keys: [BoundSortKey]) throws -> [UInt64] {
    let columns = try ExpressionEvaluation.columns(keys.map(\.expression), of: objects, entity, snapshot, context)
    return try columns.order(keys.map(\.ascending), cancellation).map { objects[$0] }
  }

  /// A node that returns masks for the objects of any node: itself, or its objects collected.
  func source(_ node: PlanNode) throws -> Source {
    Self.isSet(node) ? .node(node) : .set(try ObjectSet(try gathered(node, limit: nil), cancellation))
  }

  /// A source of masks.
  enum Source {
    case node(PlanNode)
    case set(ObjectSet)
  }

  func eachCluster(_ source: Source, _ body: (ClusterView, Mask) throws -> Bool) throws {
    switch source {
    case .node(let node): try eachCluster(node, body)
    case .set(let set):
      for (number, mask) in zip(set.clusters, set.masks) {
        try checkCancelled()
        if try !body(try cluster(number, with: mask), mask) { return }
      }
    }
  }

  private func sortedByWords(
    _ node: PlanNode, _ keys: [BoundSortKey], _ columns: [SortColumn]
  ) throws -> [UInt64] {
    var objects: [UInt64] = []
    func read(_ place: ClusterCursor, _ mask: Mask) throws {
      let base = place.number << 8
      // The object, and a word and its place for each key.
      try cancellation.hold(mask.count * MemoryLayout<UInt64>.size * (1 + 2 * columns.count))
      if mask == .all {
        objects.append(contentsOf: base..<base + UInt64(Mask.slotCount))
      } else {
        mask.forEach { objects.append(base | UInt64(truncatingIfNeeded: $0)) }
      }
      for column in columns {
        try cancellation.step(mask.count)
        StepCounter.add(mask.count)
        let known = column.stringBytes
        try column.read(place, mask, context)
        try cancellation.hold(column.stringBytes - known)
      }
    }
    if Self.isSet(node) {
      try eachPlace(node, reading: columns.compactMap(\.column)) { table, rows in
        if rows * Self.looks >= table.count { for column in columns { try column.prepare(table) } }
      } _: { place, mask in
        try read(place, mask)
      }
    } else {
      let place = ClusterCursor()
      try eachCluster(.set(try ObjectSet(try gathered(node, limit: nil), cancellation))) { cluster, mask in
        place.move(to: cluster)
        try read(place, mask)
        return true
      }
    }
    // With one key the objects themselves are sorted.
    if columns.count == 1 {
      return try columns[0].keys(ascending: keys[0].ascending, cancellation).sorted(objects: objects, cancellation)
    }
    let order = try SortKeys.order(columns.count, cancellation) { key in
      try columns[key].keys(ascending: keys[key].ascending, cancellation)
    }
    return order.isEmpty ? objects : order.map { objects[Int($0)] }
  }

  /// The number of table rows that can be checked in the time saved by reading one row with fewer bits to sort by.
  private static let looks = 8
}
