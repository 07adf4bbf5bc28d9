internal import Schema
internal import Storage
internal import Values

extension Executor {
  /// Aggregates a column of a node's objects; nil and NaN are skipped.
  func aggregate(_ aggregate: Aggregate, column: Int, _ root: PlanNode) throws -> Value {
    try attempt(root) { try aggregated(aggregate, column: column, $0) }
  }

  func aggregated(_ aggregate: Aggregate, column: Int, _ root: PlanNode) throws -> Value {
    guard entity.columns.indices.contains(column) else { return .null }
    let type = entity.columns[column].scalarType
    switch aggregate {
    case .minimum, .maximum:
      if case .indexEnds(let ends) = root.kind { return try extreme(aggregate, column, ends, root) }
      if let value = try extremeFromIndex(aggregate, column, root) { return value }
      if type == .string, entity.columns[column].collectionKind == nil {
        return try text(aggregate, column, root)
      }
      return type.isNumeric && type != .decimal || type == .date
        ? try edge(aggregate, column, type, root) : try extreme(aggregate, column, root)
    case .sum, .average: return try total(aggregate, column, type, root)
    }
  }

  /// Visits the clusters of a node's objects, to read one of their columns.
  private func places(
    of root: PlanNode, reading column: Int, _ body: (ClusterCursor, Mask) throws -> Void
  ) throws {
    if Self.isSet(root) { return try eachPlace(root, reading: [column], body) }
    let place = ClusterCursor()
    try eachCluster(.set(try ObjectSet(try gathered(root, limit: nil), cancellation))) { cluster, mask in
      place.move(to: cluster)
      try body(place, mask)
      return true
    }
  }

  /// The minimum or maximum of a numeric column. A zone map has it for a whole cluster, and often shows that the
  /// cluster cannot improve on the best value so far.
  private func edge(_ aggregate: Aggregate, _ column: Int, _ type: ScalarType, _ root: PlanNode) throws -> Value {
    var total = NumberAccumulator()
    try places(of: root, reading: column) { place, mask in
      if let edges = try place.edges(column) {
        let bits = aggregate == .minimum ? edges.minimum : edges.maximum
        let isWhole = type.isInteger
        let number = isWhole ? 0 : type.number(ofBits: bits)
        if isWhole
          ? !total.wouldTake(aggregate, Int64(bitPattern: bits)) : !total.wouldTake(aggregate, number)
        {
          return
        }
        if mask == place.present {
          if isWhole { total.add(aggregate, Int64(bitPattern: bits)) } else { total.add(aggregate, number) }
          return
        }
      }
      let view = try place.view().column(column)
      try context.withVector { vector in
        try vector.load(view)
        total.add(aggregate, vector, mask)
      }
    }
    return total.value(aggregate, of: ExpressionType(type))
  }

  /// The minimum or maximum of a string column.
  private func text(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value {
    var best = StringMinMax()
    try places(of: root, reading: column) { place, mask in
      let view = try place.view().column(column)
      try mask.andNot(view.nulls).forEach { best.offer(try view.text(at: $0), aggregate) }
    }
    return best.value
  }

  /// The minimum or maximum of a column of another type.
  private func extreme(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value {
    let sign = aggregate == .minimum ? -1 : 1
    var best = Value.null
    func offer(_ value: Value) {
      guard ValueOrder.isComparable(value) else { return }
      if best.isNull || (ValueOrder.compare(value, best) ?? 0) * sign > 0 { best = value }
    }
    try places(of: root, reading: column) { place, mask in
      let cluster = try place.view()
      if let range = cluster.range(column) {
        let edge = aggregate == .minimum ? range.minimum : range.maximum
        if !best.isNull, let order = ValueOrder.compare(edge, best), order * sign <= 0 { return }
        if mask == cluster.present {
          offer(edge)
          return
        }
      }
      let view = try cluster.column(column)
      try mask.andNot(view.nulls).forEach { offer(try view.value(at: $0)) }
    }
    return best
  }

  private func total(_ aggregate: Aggregate, _ column: Int, _ type: ScalarType, _ root: PlanNode) throws -> Value {
    guard type.isNumeric else {
      throw StoreError.unsupported(
        "\(aggregate.rawValue) of '\(entity.columns[column].path)', which is \(type.rawValue) and not a number")
    }
    if type == .decimal { return try decimalTotal(aggregate, column, root) }
    var total = NumberAccumulator()
    func take(_ place: ClusterCursor, _ mask: Mask) throws {
      if let fixed = try place.fixed(column), total.add(fixed, type, mask) { return }
      let view = try place.view().column(column)
      try context.withVector { vector in
        try vector.load(view)
        total.add(aggregate, vector, mask)
      }
    }
    var shared: ColumnSum?
    let isShared = try reduced(root, reading: [column], more: CostModel.summed) { scan, threads in
      shared = try scan.column(column).map { ColumnSum($0, type, threads: threads) }
      return shared
    } rest: {
      try take($0, $1)
    }
    if !isShared { try places(of: root, reading: column, take) }
    shared?.merge(into: &total)
    return total.value(aggregate, of: ExpressionType(type))
  }

  private func decimalTotal(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value {
    var total = ValueAccumulator(.decimal)
    try places(of: root, reading: column) { place, mask in
      let view = try place.view().column(column)
      try mask.andNot(view.nulls).forEach { slot in
        let value = try view.value(at: slot)
        if ValueOrder.isComparable(value) { total.take(value, aggregate) }
      }
    }
    return total.value(aggregate)
  }
}

extension ScalarType {
  /// The number that a column of Doubles, Floats or dates stores as `bits`.
  @inline(__always)
  func number(ofBits bits: UInt64) -> Double {
    self == .float ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }
}
