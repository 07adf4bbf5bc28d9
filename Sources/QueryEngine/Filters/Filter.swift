internal import Storage

/// The evaluation of a compiled predicate: given a cluster and a mask of candidates, it returns the mask of the objects
/// that satisfy the predicate.
///
/// A filter holds constants in the form that its kernel needs, and keeps no state between clusters, so several threads
/// may share it, each with its own context. It does not depend on how clusters are found. What EXPLAIN shows of it has no
/// defaults, so that no filter is forgotten.
protocol Filter: AnyObject, Sendable {
  /// Whether the filter or a part of it is evaluated row by row.
  var usesRows: Bool { get }

  /// The sets of linked objects that the filter and its parts use.
  func linkSteps(of entity: StoredEntity) -> [LinkStep]

  /// The estimated selectivity, if sampling would not give a better estimate; nil to sample.
  var estimate: Double? { get }

  /// Whether the filter reads only the given cluster, so that any thread may evaluate it.
  var isLocal: Bool { get }

  /// Announces the approximate number of objects for which the filter will be evaluated.
  func expect(_ objects: Double, _ context: ExecutionContext)

  /// The candidates that satisfy the filter, a subset of `candidates`, which are objects of the cluster.
  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask

  /// Prepares the columns of a table that the filter reads. Called before `narrow`.
  func prepare(_ scan: TableFilterScan) throws

  /// Removes the candidates of some table rows that do not satisfy the filter. After an error the masks are undefined.
  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws
}

extension Filter {
  var estimate: Double? { nil }

  var isLocal: Bool { false }

  func expect(_ objects: Double, _ context: ExecutionContext) {}

  func prepare(_ scan: TableFilterScan) throws {}

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws { try narrowByMasks(rows, context) }

  /// Narrows the rows cluster by cluster.
  func narrowByMasks(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for row in rows.indices where !rows[row].isEmpty {
      rows[row] = try mask(try rows.view(row), rows[row], context)
    }
  }
}

/// A filter that is evaluated by a kernel over columns of the cluster.
protocol ColumnFilter: Filter {}

extension ColumnFilter {
  var usesRows: Bool { false }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { [] }
}

/// A filter that every object satisfies, or none.
final class ConstantFilter: ColumnFilter {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    value ? candidates : .none
  }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) { if !value { rows.clear() } }
}

/// The conjunction of filters, in the given order; later filters are evaluated only for the remaining candidates.
final class AllFilter: Filter {
  let parts: [any Filter]

  init(_ parts: [any Filter]) { self.parts = parts }

  var usesRows: Bool { parts.contains(where: \.usesRows) }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { parts.flatMap { $0.linkSteps(of: entity) } }

  var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  var estimate: Double? {
    parts.contains { $0.estimate != nil } ? parts.reduce(1) { $0 * ($1.estimate ?? 0.5) } : nil
  }

  func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for part in parts {
      try context.cancellation.step(CancellationCheck.stepsPerPart * rows.indices.count)
      try part.narrow(rows, context)
    }
  }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      try context.cancellation.step(CancellationCheck.stepsPerPart)
      left = try part.mask(cluster, left, context)
    }
    return left
  }
}

/// The disjunction of filters; later filters are evaluated only for candidates that no earlier one accepted.
final class AnyFilter: Filter {
  let parts: [any Filter]

  init(_ parts: [any Filter]) { self.parts = parts }

  var usesRows: Bool { parts.contains(where: \.usesRows) }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { parts.flatMap { $0.linkSteps(of: entity) } }

  var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  var estimate: Double? {
    parts.contains { $0.estimate != nil } ? 1 - parts.reduce(1) { $0 * (1 - ($1.estimate ?? 0.5)) } : nil
  }

  func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.withCopy { left in
      rows.clear()
      for part in parts {
        try context.cancellation.step(CancellationCheck.stepsPerPart * rows.indices.count)
        try left.withCopy { more in
          try part.narrow(more, context)
          for row in rows.indices {
            rows[row] |= more[row]
            left[row] = left[row].andNot(more[row])
          }
        }
      }
    }
  }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var found = Mask.none
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      try context.cancellation.step(CancellationCheck.stepsPerPart)
      let more = try part.mask(cluster, left, context)
      found |= more
      left = left.andNot(more)
    }
    return found
  }
}

/// The negation of a filter, among the candidates.
final class NotFilter: Filter {
  let inner: any Filter

  init(_ inner: any Filter) { self.inner = inner }

  var usesRows: Bool { inner.usesRows }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { inner.linkSteps(of: entity) }

  var isLocal: Bool { inner.isLocal }

  var estimate: Double? { inner.estimate.map { 1 - $0 } }

  func expect(_ objects: Double, _ context: ExecutionContext) { inner.expect(objects, context) }

  func prepare(_ scan: TableFilterScan) throws { try inner.prepare(scan) }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.withCopy { held in
      try inner.narrow(held, context)
      for row in rows.indices { rows[row] = rows[row].andNot(held[row]) }
    }
  }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    candidates.andNot(try inner.mask(cluster, candidates, context))
  }
}

/// A filter for nil.
final class NilFilter: ColumnFilter {
  let column: Int

  init(column: Int) { self.column = column }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    try cluster.column(column).nulls & candidates
  }

  func prepare(_ scan: TableFilterScan) throws { try scan.prepare(column) }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.narrow(column, self, context) { fixed, candidates in
      switch fixed.pointee.layout {
      case .unchecked, .other: nil
      default: candidates & fixed.pointee.nulls
      }
    }
  }
}
