internal import Storage

/// A predicate ready to run: asked about a cluster, it answers with the mask of the candidates for which it holds.
///
/// Subclasses hold constants in the form their kernel wants. A condition keeps nothing between clusters, so that one
/// may serve several threads, each with its own scratch. It does not know how clusters are found.
class Condition: @unchecked Sendable {
  /// What part of the objects it should hold for, where that is not to be found out by asking about some.
  var estimate: Double? { nil }

  /// Whether it reads nothing but the cluster it is asked about, so that any thread may ask it.
  var isLocal: Bool { false }

  /// Says about how many objects it will be asked about.
  func expect(_ objects: Double, _ scratch: Scratch) {}

  /// The candidates for which it holds; a subset of `candidates`, which are objects of the cluster.
  func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask { candidates }

  /// Has what it reads of a table lie ready, before `narrow` is called for rows of it.
  func prepare(_ scan: ConditionScan) throws {}

  /// Leaves of the candidates of some rows of a table those for which it holds. When it throws, they mean nothing.
  func narrow(_ rows: ScanRows, _ scratch: Scratch) throws {
    for row in rows.indices where !rows[row].isEmpty {
      rows[row] = try mask(try rows.view(row), rows[row], scratch)
    }
  }
}

/// Always or never.
final class ConstantCondition: Condition, @unchecked Sendable {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    value ? candidates : .none
  }

  override func narrow(_ rows: ScanRows, _ scratch: Scratch) { if !value { rows.clear() } }
}

/// All of several conditions, in the order given; the later ones are asked only about what the earlier ones left.
final class AllCondition: Condition, @unchecked Sendable {
  let parts: [Condition]

  init(_ parts: [Condition]) { self.parts = parts }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override var estimate: Double? {
    parts.contains { $0.estimate != nil } ? parts.reduce(1) { $0 * ($1.estimate ?? 0.5) } : nil
  }

  override func expect(_ objects: Double, _ scratch: Scratch) { parts.forEach { $0.expect(objects, scratch) } }

  override func prepare(_ scan: ConditionScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ scratch: Scratch) throws {
    for part in parts { try part.narrow(rows, scratch) }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      left = try part.mask(cluster, left, scratch)
    }
    return left
  }
}

/// Some of several conditions; the later ones are asked only about what the earlier ones did not take.
final class AnyCondition: Condition, @unchecked Sendable {
  let parts: [Condition]

  init(_ parts: [Condition]) { self.parts = parts }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override var estimate: Double? {
    parts.contains { $0.estimate != nil } ? 1 - parts.reduce(1) { $0 * (1 - ($1.estimate ?? 0.5)) } : nil
  }

  override func expect(_ objects: Double, _ scratch: Scratch) { parts.forEach { $0.expect(objects, scratch) } }

  override func prepare(_ scan: ConditionScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ scratch: Scratch) throws {
    try rows.withCopy { left in
      rows.clear()
      for part in parts {
        try left.withCopy { more in
          try part.narrow(more, scratch)
          for row in rows.indices {
            rows[row] |= more[row]
            left[row] = left[row].andNot(more[row])
          }
        }
      }
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    var found = Mask.none
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      let more = try part.mask(cluster, left, scratch)
      found |= more
      left = left.andNot(more)
    }
    return found
  }
}

/// The opposite of a condition, among the candidates.
final class NotCondition: Condition, @unchecked Sendable {
  let inner: Condition

  init(_ inner: Condition) { self.inner = inner }

  override var isLocal: Bool { inner.isLocal }

  override var estimate: Double? { inner.estimate.map { 1 - $0 } }

  override func expect(_ objects: Double, _ scratch: Scratch) { inner.expect(objects, scratch) }

  override func prepare(_ scan: ConditionScan) throws { try inner.prepare(scan) }

  override func narrow(_ rows: ScanRows, _ scratch: Scratch) throws {
    try rows.withCopy { held in
      try inner.narrow(held, scratch)
      for row in rows.indices { rows[row] = rows[row].andNot(held[row]) }
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    candidates.andNot(try inner.mask(cluster, candidates, scratch))
  }
}

/// nil.
final class NilCondition: Condition, @unchecked Sendable {
  let column: Int

  init(column: Int) { self.column = column }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    try cluster.column(column).nulls & candidates
  }

  override func prepare(_ scan: ConditionScan) throws { try scan.prepare(column) }

  override func narrow(_ rows: ScanRows, _ scratch: Scratch) throws {
    try rows.narrow(column, self, scratch) { fixed, candidates in
      switch fixed.pointee.layout {
      case .unchecked, .other: nil
      default: candidates & fixed.pointee.nulls
      }
    }
  }
}
