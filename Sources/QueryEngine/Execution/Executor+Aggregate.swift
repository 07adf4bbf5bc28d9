internal import CPlatform
internal import Schema
internal import Storage
internal import Values

extension Executor {
  /// Reduces a column of a node's objects; nil and NaN are skipped.
  func aggregate(_ aggregate: Aggregate, column: Int, _ root: PlanNode) throws -> Value {
    guard entity.columns.indices.contains(column) else { return .null }
    if let value = try aggregateAll(aggregate, column, root) { return value }
    switch aggregate {
    case .minimum, .maximum:
      return try extremeFromIndex(aggregate, column, root) ?? extreme(aggregate, column, root)
    case .sum, .average: return try total(aggregate, column, root)
    }
  }

  private func clustersOf(_ root: PlanNode, _ body: (ClusterView, Mask) throws -> Bool) throws {
    if Self.isSet(root) { return try eachCluster(root, body) }
    try eachCluster(.set(ObjectSet(try objects(root))), body)
  }

  private func extreme(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value {
    let sign = aggregate == .minimum ? -1 : 1
    var best = Value.null
    func offer(_ value: Value) {
      guard ValueOrder.isComparable(value) else { return }
      if best.isNull || (ValueOrder.compare(value, best) ?? 0) * sign > 0 { best = value }
    }
    let type = entity.columns[column].scalarType
    try clustersOf(root) { cluster, mask in
      if let range = cluster.range(column) {
        // The directory knows the answer for a whole cluster, and often that it cannot be better than the best so far.
        let edge = aggregate == .minimum ? range.minimum : range.maximum
        if !best.isNull, let order = ValueOrder.compare(edge, best), order * sign <= 0 { return true }
        if mask == cluster.present {
          offer(edge)
          return true
        }
      }
      let view = try cluster.column(column)
      let left = mask.andNot(view.nulls)
      if type.isNumeric || type == .date {
        scratch.withVector { vector in
          vector.load(view)
          offer(Self.extreme(vector, left, sign, type))
        }
      } else {
        try left.forEach { offer(try view.value(at: $0)) }
      }
      return true
    }
    return best
  }

  private static func extreme(_ vector: NumberVector, _ mask: Mask, _ sign: Int, _ type: ScalarType) -> Value {
    if vector.isInteger {
      var best: Int64?
      mask.forEach { slot in
        let number = vector.integers[slot]
        if let known = best, sign > 0 ? number <= known : number >= known { return }
        best = number
      }
      return best.map(Value.int) ?? .null
    }
    var best = Double.nan
    mask.forEach { slot in
      let number = vector.doubles[slot]
      if number.isNaN { return }
      if best.isNaN || (sign > 0 ? number > best : number < best) { best = number }
    }
    if best.isNaN { return .null }
    switch type {
    case .float: return .float(Float(best))
    case .date: return .date(Instant(seconds: best))
    default: return .double(best)
    }
  }

  private func total(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value {
    let type = entity.columns[column].scalarType
    guard type.isNumeric else {
      throw StoreError.unsupported(
        "\(aggregate.rawValue) of '\(entity.columns[column].path)', which is \(type.rawValue) and not a number")
    }
    var whole: Int128 = 0
    var sum = 0.0
    var count = 0
    try clustersOf(root) { cluster, mask in
      let view = try cluster.column(column)
      let left = mask.andNot(view.nulls)
      if type.isInteger {
        scratch.withVector { vector in
          vector.load(view)
          left.forEach { whole += Int128(vector.integers[$0]) }
        }
        count += left.count
      } else if case .float64(let values) = view.values {
        Self.add(values, view.slotCount, left, &sum, &count)
      } else {
        scratch.withVector { vector in
          vector.load(view)
          Self.add(vector.doubles, Mask.slotCount, left, &sum, &count)
        }
      }
      return true
    }
    if aggregate == .average {
      if count == 0 { return .null }
      return .double((type.isInteger ? Double(whole) : sum) / Double(count))
    }
    if type.isInteger { return Int64(exactly: whole).map(Value.int) ?? .null }
    return .double(sum)
  }

  /// Adds the numbers of some slots; NaN is skipped.
  private static func add(
    _ values: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask, _ sum: inout Double, _ count: inout Int
  ) {
    var added = 0
    sum += withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      guard let base = words.baseAddress else { return 0 }
      for word in 0..<4 { base[word] = mask.word(word) }
      return os_sum_f64(values, min(slotCount, Mask.slotCount), base, &added)
    }
    count += added
  }
}
