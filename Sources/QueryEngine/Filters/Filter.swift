internal import Storage

/// A predicate ready to run: given a cluster and a mask of candidates, it returns the mask of those for which it holds.
///
/// Subclasses hold constants in the form that their kernel needs. A filter keeps no state between clusters, so that
/// several threads may share one, each with its own context. It does not know how clusters are found.
class Filter: @unchecked Sendable {
  /// The estimated fraction of objects for which it holds, where sampling would tell less; nil to sample.
  var estimate: Double? { nil }

  /// Whether it reads nothing but the cluster it is given, so that any thread may evaluate it.
  var isLocal: Bool { false }

  /// Announces about how many objects it will be evaluated for.
  func expect(_ objects: Double, _ context: ExecutionContext) {}

  /// The candidates for which it holds; a subset of `candidates`, which are objects of the cluster.
  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask { candidates }

  /// Prepares the columns of a table that it reads, before `narrow` is called for rows of the table.
  func prepare(_ scan: TableFilterScan) throws {}

  /// Narrows the candidates of some rows of a table to those for which it holds. After an error they mean nothing.
  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for row in rows.indices where !rows[row].isEmpty {
      rows[row] = try mask(try rows.view(row), rows[row], context)
    }
  }
}

/// Always or never.
final class ConstantFilter: Filter, @unchecked Sendable {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    value ? candidates : .none
  }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) { if !value { rows.clear() } }
}

/// All of several conditions, in the order given; the later ones are asked only about what the earlier ones left.
final class AllFilter: Filter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override var estimate: Double? {
    parts.contains { $0.estimate != nil } ? parts.reduce(1) { $0 * ($1.estimate ?? 0.5) } : nil
  }

  override func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  override func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    for part in parts { try part.narrow(rows, context) }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      left = try part.mask(cluster, left, context)
    }
    return left
  }
}

/// Some of several conditions; the later ones are asked only about what the earlier ones did not take.
final class AnyFilter: Filter, @unchecked Sendable {
  let parts: [Filter]

  init(_ parts: [Filter]) { self.parts = parts }

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
      let more = try part.mask(cluster, left, context)
      found |= more
      left = left.andNot(more)
    }
    return found
  }
}

/// The opposite of a condition, among the candidates.
final class NotFilter: Filter, @unchecked Sendable {
  let inner: Filter

  init(_ inner: Filter) { self.inner = inner }

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

/// nil.
final class NilFilter: Filter, @unchecked Sendable {
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
