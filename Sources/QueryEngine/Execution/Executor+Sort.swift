internal import Storage
internal import Values

extension Executor {
  /// The objects of a node ordered by keys, ties in insertion order.
  func sorted(_ node: PlanNode, _ keys: [BoundSortKey]) throws -> [UInt64] {
    if keys.allSatisfy(\.expression.isVectorizable) {
      return try sortedByNumbers(try source(node), keys)
    }
    return try ordered(try gathered(node, limit: nil), keys)
  }

  /// Objects ordered by keys of any kind, ties in insertion order.
  func ordered(_ objects: [UInt64], _ keys: [BoundSortKey]) throws -> [UInt64] {
    let objects = objects.sorted()
    let rows = try values(keys.map(\.expression), of: objects)
    let directions = keys.map(\.ascending)
    let order = objects.indices.sorted { left, right in
      let order = Self.compare(rows[left], rows[right], directions)
      return order == 0 ? left < right : order < 0
    }
    return order.map { objects[$0] }
  }

  /// The first `count` objects of a node ordered by keys.
  func first(_ count: Int, of node: PlanNode, _ keys: [BoundSortKey]) throws -> [UInt64] {
    if count == 0 { return [] }
    guard let key = keys.first else { return Array(try sorted(node, keys).prefix(count)) }
    guard keys.count == 1 else { return try firstBySeveral(count, of: node, keys, key) }
    guard key.expression.isVectorizable else {
      guard let column = key.expression.column, count <= 1000 else {
        return Array(try sorted(node, keys).prefix(count))
      }
      return try firstByValue(count, of: node, column, ascending: key.ascending)
    }
    var best = TopObjects(count: count, ascending: key.ascending)
    let column = key.expression.column
    try eachCluster(try source(node)) { cluster, mask in
      if let column, let bound = best.bound, let range = cluster.range(column), Self.cannotEnter(range, bound, key) {
        return true
      }
      let base = cluster.number << 8
      try scratch.withVector { vector in
        try vector.evaluate(key.expression, cluster, scratch)
        best.offer(vector, mask, base)
      }
      return true
    }
    return best.objects
  }

  /// The first objects by a column of any type. Each text of a cluster's dictionary is looked at once.
  private func firstByValue(
    _ count: Int, of node: PlanNode, _ column: Int, ascending: Bool
  ) throws -> [UInt64] {
    var best = TopValues(count: count, ascending: ascending)
    try eachCluster(try source(node)) { cluster, mask in
      let view = try cluster.column(column)
      let base = cluster.number << 8
      var left = mask
      if case .dictionary(let codes, let entries) = view.values {
        var keeps = [Bool?](repeating: nil, count: max(256, entries.count))
        try mask.andNot(view.nulls).forEach { slot in
          let code = Int(codes[slot])
          if keeps[code] == nil { keeps[code] = best.wouldKeep(try view.value(at: slot)) }
          if keeps[code] == false { left[slot] = false }
        }
      } else if case .same = view.values, let slot = mask.andNot(view.nulls).first,
        !best.wouldKeep(try view.value(at: slot))
      {
        left = mask & view.nulls
      }
      try left.forEach { best.offer(try view.value(at: $0), base | UInt64(truncatingIfNeeded: $0)) }
      return true
    }
    return best.objects
  }

  /// Whether no object of a cluster can come before the last of the best found so far. Ties stay out, as the cluster's
  /// objects are younger.
  private static func cannotEnter(_ range: ColumnRange, _ bound: TopObjects.Entry, _ key: BoundSortKey) -> Bool {
    guard bound.rank == SortableKey.Rank.number, !range.minimum.isNull else { return false }
    let edge = key.ascending ? range.minimum : range.maximum
    if key.ascending && (range.nullCount > 0 || range.hasNaN) { return false }
    let word: UInt64
    switch edge {
    case .int(let number): word = SortableKey.word(number)
    case .double(let number): word = SortableKey.word(number)
    case .float(let number): word = SortableKey.word(Double(number))
    case .date(let instant): word = SortableKey.word(instant.seconds)
    default: return false
    }
    return key.ascending ? word >= bound.word : word <= bound.word
  }

  /// A node that gives masks for the objects of any node: itself, or its objects gathered.
  func source(_ node: PlanNode) throws -> Source {
    Self.isSet(node) ? .node(node) : .set(ObjectSet(try gathered(node, limit: nil)))
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
  private func sortedByNumbers(_ source: Source, _ keys: [BoundSortKey]) throws -> [UInt64] {
    var columns: [[KeyedObject]] = Array(repeating: [], count: keys.count)
    var ranks: [[UInt8]] = Array(repeating: [], count: keys.count)
    var objects: [UInt64] = []
    try eachCluster(source) { cluster, mask in
      let base = cluster.number << 8
      let first = objects.count
      mask.forEach { objects.append(base | UInt64(truncatingIfNeeded: $0)) }
      // Where each slot's object stands among those of the cluster.
      for (number, key) in keys.enumerated() {
        columns[number].append(
          contentsOf: repeatElement(KeyedObject(key: 0, object: 0), count: objects.count - first))
        ranks[number].append(contentsOf: repeatElement(SortableKey.Rank.number, count: objects.count - first))
        try scratch.withVector { vector in
          try vector.evaluate(key.expression, cluster, scratch)
          let whole = mask == cluster.present && mask == Mask(firstCount: cluster.slotCount)
          columns[number].withUnsafeMutableBufferPointer { column in
            ranks[number].withUnsafeMutableBufferPointer { ranks in
              SortableKey.forEach(vector, mask) { slot, rank, word in
                let place = first + (whole ? slot : (mask & Mask(firstCount: slot)).count)
                column[place] = KeyedObject(key: key.ascending ? word : ~word, object: UInt64(place))
                ranks[place] = rank
              }
            }
          }
        }
      }
      return true
    }
    guard let last = keys.indices.last else { return objects }
    var order: [UInt64] = []
    for number in keys.indices.reversed() {
      var keyed: [KeyedObject]
      if number == last {
        keyed = columns[number]
      } else {
        keyed = order.map { KeyedObject(key: columns[number][Int($0)].key, object: $0) }
      }
      columns[number] = number == 0 ? [] : columns[number]
      let ranks = ranks[number]
      if ranks.contains(where: { $0 != SortableKey.Rank.number }) {
        let nulls = keyed.filter { ranks[Int($0.object)] == SortableKey.Rank.null }
        let nans = keyed.filter { ranks[Int($0.object)] == SortableKey.Rank.nan }
        keyed.removeAll { ranks[Int($0.object)] != SortableKey.Rank.number }
        RadixSort.sort(&keyed)
        keyed = keys[number].ascending ? nulls + nans + keyed : keyed + nans + nulls
      } else {
        RadixSort.sort(&keyed)
      }
      order = keyed.map(\.object)
    }
    return order.map { objects[Int($0)] }
  }

  private static func compare(_ left: [Value], _ right: [Value], _ ascending: [Bool]) -> Int {
    for index in left.indices {
      let order = SortOrder.compare(left[index], right[index])
      if order != 0 { return ascending[index] ? order : -order }
    }
    return 0
  }
}
