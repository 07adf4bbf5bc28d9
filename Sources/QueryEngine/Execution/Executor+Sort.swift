internal import Storage
internal import Values

extension Executor {
  /// The objects of a node ordered by keys, ties in insertion order.
  func sorted(_ node: PlanNode, _ keys: [BoundSortKey]) throws -> [UInt64] {
    let columns = keys.compactMap { SortColumn($0, entity) }
    if columns.count == keys.count { return try sortedByWords(try source(node), keys, columns) }
    return try ordered(try gathered(node, limit: nil), keys)
  }

  /// Objects ordered by keys of any kind, ties in insertion order.
  func ordered(_ objects: [UInt64], _ keys: [BoundSortKey]) throws -> [UInt64] {
    var objects = objects
    try objects.sort(patience)
    let rows = try values(keys.map(\.expression), of: objects)
    let directions = keys.map(\.ascending)
    let order = try objects.indices.sorted(patience) { left, right in
      let order = Self.compare(rows[left], rows[right], directions)
      return order == 0 ? left < right : order < 0
    }
    return order.map { objects[$0] }
  }

  /// A node that gives masks for the objects of any node: itself, or its objects gathered.
  func source(_ node: PlanNode) throws -> Source {
    Self.isSet(node) ? .node(node) : .set(try ObjectSet(try gathered(node, limit: nil), patience))
  }

  /// Where masks come from.
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
        guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
        if try !body(cluster, mask & cluster.present) { return }
      }
    }
  }

  /// Least significant key first: each pass keeps the order of the one before among equals.
  private func sortedByWords(
    _ source: Source, _ keys: [BoundSortKey], _ columns: [SortColumn]
  ) throws -> [UInt64] {
    var objects: [UInt64] = []
    try eachCluster(source) { cluster, mask in
      let base = cluster.number << 8
      mask.forEach { objects.append(base | UInt64(truncatingIfNeeded: $0)) }
      for column in columns { try column.read(cluster, mask, scratch) }
      return true
    }
    // The places of the objects in order; at first they stand as they are.
    var order: [UInt64] = []
    for (key, column) in zip(keys, columns).reversed() {
      try checkCancelled()
      try column.finish(patience)
      // With one key the objects themselves are put in order.
      let isOnly = columns.count == 1
      order = try sorted(order, column, key.ascending, objects: isOnly ? objects : [])
      if isOnly { return order }
    }
    return order.isEmpty ? objects : order.map { objects[Int($0)] }
  }

  /// Places ordered by a key; all of them in insertion order when none are given. Where there are objects, these instead
  /// of their places.
  private func sorted(
    _ order: [UInt64], _ column: SortColumn, _ ascending: Bool, objects: [UInt64]
  ) throws -> [UInt64] {
    let (words, ranks) = (column.words, column.ranks)
    let flip: UInt64 = ascending ? 0 : .max
    var nulls: [UInt64] = []
    var nans: [UInt64] = []
    var keyed: [KeyedObject] = []
    keyed.reserveCapacity(words.count)
    try patience.forEachPart(words.count) { part in
      for index in part {
        let place = order.isEmpty ? index : Int(order[index])
        let shown = objects.isEmpty ? UInt64(place) : objects[place]
        if !ranks.isEmpty, ranks[place] != SortableKey.Rank.number {
          if ranks[place] == SortableKey.Rank.null { nulls.append(shown) } else { nans.append(shown) }
        } else {
          keyed.append(KeyedObject(key: words[place] ^ flip, object: shown))
        }
      }
    }
    try RadixSort.sort(&keyed, patience)
    let numbers = keyed.map(\.object)
    return ascending ? nulls + nans + numbers : numbers + nans + nulls
  }

  private static func compare(_ left: [Value], _ right: [Value], _ ascending: [Bool]) -> Int {
    for index in left.indices {
      let order = SortOrder.compare(left[index], right[index])
      if order != 0 { return ascending[index] ? order : -order }
    }
    return 0
  }
}
