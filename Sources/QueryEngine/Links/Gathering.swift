internal import Storage
internal import Values

/// A number for every object of a cluster, got from the objects it links to: what a to-one link's target has, or an
/// aggregate over the targets of a to-many link. The linked objects' values are found once for each execution.
///
/// It is compared by identity: `Scratch` keeps what was found by it.
package final class Gathering: Hashable, Sendable {
  /// How the targets' values become one.
  enum Operation: Sendable {
    /// Of a to-one link: the target's value.
    case value
    /// How many targets there are.
    case count
    /// What their values come to.
    case reduced(Reduction)
  }

  /// The link column of the row's object.
  let column: Int
  /// The entity it leads to.
  let entity: LinkedEntity
  let operation: Operation
  /// Of a target; nil where only their number counts. It can be computed for whole clusters.
  let value: BoundExpression?
  /// The targets that count; nil for all.
  let targets: TargetSet?
  /// What it stands for, for a single row.
  let original: BoundExpression

  init(
    column: Int, entity: LinkedEntity, _ operation: Operation, _ value: BoundExpression?, _ targets: TargetSet?,
    original: BoundExpression
  ) {
    self.column = column
    self.entity = entity
    self.operation = operation
    self.value = value
    self.targets = targets
    self.original = original
  }

  package static func == (left: Gathering, right: Gathering) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Fills a vector for a cluster.
  func gather(into vector: NumberVector, _ cluster: ClusterView, _ scratch: Scratch) throws {
    let view = try cluster.column(column)
    switch operation {
    case .value:
      guard let numbers = try scratch.gathered?.numbers(self) else { return vector.fill(.null) }
      vector.gather(view, numbers)
    case .count: try vector.countTargets(view, in: try targets.map { try scratch.bits($0) })
    case .reduced(let reduction):
      guard let numbers = try scratch.gathered?.numbers(self) else { return vector.fill(.null) }
      try vector.reduce(reduction, view, numbers, in: try targets.map { try scratch.bits($0) })
    }
  }
}
