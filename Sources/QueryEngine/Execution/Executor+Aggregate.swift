internal import Schema
internal import Storage
internal import Values

extension Executor {
  /// Aggregates a column of a node's objects; nil and NaN are skipped.
  func aggregate(_ function: AggregateFunction, column: Int, _ root: PlanNode) throws -> Value {
    try attempt(root) { try aggregated(function, column: column, $0) }
  }

  func aggregated(_ function: AggregateFunction, column: Int, _ root: PlanNode) throws -> Value {
    guard entity.columns.indices.contains(column) else {
      throw StoreError.unsupported(
        "\(function.name) of column \(column) of '\(entity.name)', which has none of that number")
    }
    let type = ExpressionType(entity.columns[column])
    guard function.type(of: type) != nil else {
      throw StoreError.unsupported(
        "\(function.name) of '\(entity.columns[column].path)', which is \(type.name) and not a number")
    }
    if function.isExtreme {
      if case .indexEnds(let ends) = root.kind { return try extreme(function, column, ends, root) }
      if let value = try extremeFromIndex(function, column, root) { return value }
    }
    if let value = try function.accumulate(type, ColumnTotal(executor: self, function: function, column: column, root))
    {
      return value
    }
    let argument = GroupAggregate(function: function, argument: .column(column, type))
    return try groups(root, [], [argument]).value(0, 0)
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

  /// The aggregate of a column in one accumulator, read in its stored form and on several threads; nil for one that is
  /// computed as that of a single group.
  private struct ColumnTotal: AccumulatorUse {
    let executor: Executor
    let function: AggregateFunction
    let column: Int
    let root: PlanNode
    let type: ScalarType

    init(executor: Executor, function: AggregateFunction, column: Int, _ root: PlanNode) {
      self.executor = executor
      self.function = function
      self.column = column
      self.root = root
      type = executor.entity.columns[column].scalarType
    }

    func callAsFunction<Total: Accumulator>(_ empty: Total) throws -> Value? {
      var total = empty
      if Total.hasEdges {
        try executor.addEdges(function == .minimum, column, type, root, to: &total)
      } else if Total.storedType != nil {
        try executor.addAll(column, type, root, to: &total)
      } else {
        return nil
      }
      return total.value(function, of: ExpressionType(type))
    }
  }

  /// Adds the minimum or maximum of a column in each cluster. A zone map has it for a whole cluster, and often shows that
  /// the cluster cannot improve on the best value so far.
  private func addEdges<Total: Accumulator>(
    _ isLeast: Bool, _ column: Int, _ type: ScalarType, _ root: PlanNode, to total: inout Total
  ) throws {
    try places(of: root, reading: column) { place, mask in
      if !Total.takesValues, let edges = try place.edges(column) {
        let bits = isLeast ? edges.minimum : edges.maximum
        if type.isInteger {
          if !total.wouldTake(Int64(bitPattern: bits)) { return }
          if mask == place.present { return total.add(Int64(bitPattern: bits)) }
        } else {
          let number = type.number(ofBits: bits)
          if !total.wouldTake(number) { return }
          if mask == place.present { return total.add(number) }
        }
      }
      let cluster = try place.view()
      if Total.takesValues, let range = cluster.range(column) {
        let edge = isLeast ? range.minimum : range.maximum
        if !total.wouldTake(edge) { return }
        if mask == cluster.present { return total.add(edge) }
      }
      try add(column, of: cluster, mask, to: &total)
    }
  }

  /// Adds a column, in its stored form where possible. The digits of a Float are not those of the Double that it is.
  private func addAll<Total: Accumulator>(
    _ column: Int, _ type: ScalarType, _ root: PlanNode, to total: inout Total
  ) throws {
    let isStored = ExpressionType(type) == Total.storedType
    func take(_ place: ClusterCursor, _ mask: Mask) throws {
      if isStored, let stored = try place.fixed(column), total.add(stored, mask) { return }
      try add(column, of: try place.view(), mask, to: &total)
    }
    var shared: ColumnSum<Total>?
    let isShared = try reduced(root, reading: [column], more: CostModel.summed) { [total] scan, threads in
      if isStored { shared = try scan.column(column).map { ColumnSum($0, total, threads: threads) } }
      return shared
    } rest: {
      try take($0, $1)
    }
    if !isShared { try places(of: root, reading: column, take) }
    shared?.merge(into: &total)
  }

  /// Adds some objects of a cluster.
  private func add<Total: Accumulator>(
    _ column: Int, of cluster: ClusterView, _ mask: Mask, to total: inout Total
  ) throws {
    let view = try cluster.column(column)
    if Total.hasEdges, case .numbers(let numbers) = view.values, numbers.kind == .decimals {
      for edge in numbers.edges(mask.andNot(view.nulls)) { total.add(.decimal(edge)) }
      return
    }
    if Total.takesValues { return try mask.andNot(view.nulls).forEach { total.add(try view.value(at: $0)) } }
    try context.withVector { vector in
      try vector.load(view)
      let there = mask.andNot(vector.nulls)
      if vector.isInteger {
        total.add(vector.integers, Mask.slotCount, there)
      } else {
        total.add(vector.doubles, Mask.slotCount, there)
      }
    }
  }
}
