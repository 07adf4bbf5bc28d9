internal import Storage

/// A compiled predicate, which also states what EXPLAIN shows of it. A subclass of `FilterBase` that does not state it is
/// no filter.
typealias Filter = any FilterBase & ExplainedFilter

/// What EXPLAIN shows of a filter. It has no defaults, so that no filter is forgotten.
protocol ExplainedFilter: FilterBase {
  /// Whether the filter or a part of it is evaluated row by row.
  var usesRows: Bool { get }

  /// The sets of linked objects that the filter and its parts use.
  func linkSteps(of entity: StoredEntity) -> [LinkStep]
}

/// A filter that is evaluated by a kernel over columns of the cluster.
protocol ColumnFilter: ExplainedFilter {}

extension ColumnFilter {
  var usesRows: Bool { false }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { [] }
}

/// The evaluation of a compiled predicate: given a cluster and a mask of candidates, it returns the mask of the objects
/// that satisfy the predicate.
///
/// Subclasses hold constants in the form that their kernel needs. A filter keeps no state between clusters, so several
/// threads may share it, each with its own context. It does not depend on how clusters are found.
class FilterBase: @unchecked Sendable {
  /// The estimated selectivity, if sampling would not give a better estimate; nil to sample.
  var estimate: Double? { nil }

  /// Whether the filter reads only the given cluster, so that any thread may evaluate it.
  var isLocal: Bool { false }

  /// Announces the approximate number of objects for which the filter will be evaluated.
  func expect(_ objects: Double, _ context: ExecutionContext) {}

  /// The steps between polls for cancellation that one part of an AND or OR counts as, for one cluster: a predicate may
  /// have ten thousand parts.
  static var stepsPerPart: Int { 64 }

  /// The candidates that satisfy the filter, a subset of `candidates`, which are objects of the cluster.
  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask { candidates }

  /// Prepares the columns of a table that the filter reads. Called before `narrow`.
  func prepare(_ scan: TableFilterScan) throws {}

  /// Removes the candidates of some table rows that do not satisfy the filter. After an error the masks are undefined.
  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for row in rows.indices where !rows[row].isEmpty {
      rows[row] = try mask(try rows.view(row), rows[row], context)
    }
  }
}

/// A filter that every object satisfies, or none.
final class ConstantFilter: FilterBase, ColumnFilter, @unchecked Sendable {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    value ? candidates : .none
  }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) { if !value { rows.clear() } }
}

/// The conjunction of filters, in the given order; later filters are evaluated only for the remaining candidates.
final class AllFilter: FilterBase, ExplainedFilter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts }

  var usesRows: Bool { parts.contains(where: \.usesRows) }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { parts.flatMap { $0.linkSteps(of: entity) } }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override var estimate: Double? {
    parts.contains { $0.estimate != nil } ? parts.reduce(1) { $0 * ($1.estimate ?? 0.5) } : nil
  }

  override func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  override func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for part in parts {
      try context.cancellation.step(Self.stepsPerPart * rows.indices.count)
      try part.narrow(rows, context)
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      try context.cancellation.step(Self.stepsPerPart)
      left = try part.mask(cluster, left, context)
    }
    return left
  }
}

/// The disjunction of filters; later filters are evaluated only for candidates that no earlier one accepted.
final class AnyFilter: FilterBase, ExplainedFilter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts }

  var usesRows: Bool { parts.contains(where: \.usesRows) }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { parts.flatMap { $0.linkSteps(of: entity) } }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override var estimate: Double? {
    parts.contains { $0.estimate != nil } ? 1 - parts.reduce(1) { $0 * (1 - ($1.estimate ?? 0.5)) } : nil
  }

  override func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  override func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.withCopy { left in
      rows.clear()
      for part in parts {
        try context.cancellation.step(Self.stepsPerPart * rows.indices.count)
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

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var found = Mask.none
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      try context.cancellation.step(Self.stepsPerPart)
      let more = try part.mask(cluster, left, context)
      found |= more
      left = left.andNot(more)
    }
    return found
  }
}

/// The negation of a filter, among the candidates.
final class NotFilter: FilterBase, ExplainedFilter, @unchecked Sendable {
  let inner: Filter

  init(_ inner: Filter) { self.inner = inner }

  var usesRows: Bool { inner.usesRows }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { inner.linkSteps(of: entity) }

  override var isLocal: Bool { inner.isLocal }

  override var estimate: Double? { inner.estimate.map { 1 - $0 } }

  override func expect(_ objects: Double, _ context: ExecutionContext) { inner.expect(objects, context) }

  override func prepare(_ scan: TableFilterScan) throws { try inner.prepare(scan) }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.withCopy { held in
      try inner.narrow(held, context)
      for row in rows.indices { rows[row] = rows[row].andNot(held[row]) }
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    candidates.andNot(try inner.mask(cluster, candidates, context))
  }
}

/// A filter for nil.
final class NilFilter: FilterBase, ColumnFilter, @unchecked Sendable {
  let column: Int

  init(column: Int) { self.column = column }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    try cluster.column(column).nulls & candidates
  }

  override func prepare(_ scan: TableFilterScan) throws { try scan.prepare(column) }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.narrow(column, self, context) { fixed, candidates in
      switch fixed.pointee.layout {
      case .unchecked, .other: nil
      default: candidates & fixed.pointee.nulls
      }
    }
  }
}
