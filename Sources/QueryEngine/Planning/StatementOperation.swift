package import Storage

/// The operation of a statement on the objects or rows that its plan finds. EXPLAIN shows it as the topmost node.
package enum StatementOperation: Hashable, Sendable {
  case count
  case delete
  /// The paths of the properties that are set, and the values that are computed for each object, as written.
  case update([String], computed: [String])
  case insert
}

extension Plan {
  /// The plan of a statement that does something with the objects or rows of this plan.
  package func under(_ operation: StatementOperation) -> Plan {
    func node(over child: PlanNode) -> PlanNode {
      PlanNode(kind: .statement(operation), children: [child], rows: operation == .count ? 1 : child.rows).numbered()
    }
    return Plan(self, root: node(over: root), fallback: fallback.map(node))
  }

  /// The plan of an INSERT, which finds nothing.
  package static func insertion(into entity: StoredEntity) -> Plan {
    Plan(
      entity: entity, root: PlanNode(kind: .statement(.insert), rows: 1), cost: 0, options: PlannerOptions())
  }
}
