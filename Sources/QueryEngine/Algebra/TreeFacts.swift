/// Properties of a whole tree, derived from those of its nodes.
extension BoundTree {
  /// Whether the tree follows links to other objects.
  var goesThroughLinks: Bool { contains(where: \.goesThroughLink) }

  /// Whether the tree follows links row by row. Gathered links are followed for all objects at once.
  var followsLinksByRow: Bool {
    if case .expression(.gathered) = node { return false }
    return node.goesThroughLink || node.anyChild { $0.followsLinksByRow }
  }

  /// Whether the value is the same for every object and every evaluation.
  var isConstant: Bool { !contains(where: \.varies) }

  /// Whether the tree contains `now()`.
  var readsMoment: Bool { contains { if case .expression(.now) = $0 { true } else { false } } }

  /// Adds the columns of the row's object that the tree reads, and `BoundExpression.ownColumn` if it reads the object
  /// itself.
  func collectColumns(into columns: inout Set<Int>) {
    forEachNode { if let column = $0.column { columns.insert(column) } }
  }
}

extension BoundExpression {
  /// The position that represents the object itself among the columns that an expression reads.
  static let ownColumn = -1
}

extension BoundNode {
  /// Whether the node itself, without its children, leads to other objects.
  fileprivate var goesThroughLink: Bool {
    switch self {
    case .predicate: false
    case .expression(let expression):
      switch expression {
      case .property, .gathered: true
      case .constant, .column, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .reduced,
        .item, .entry, .own, .object, .assembled:
        false
      }
    case .collection(let collection):
      switch collection {
      case .column(_, let type), .computed(_, let type): type.objectEntity != nil
      case .property, .propertyKeys, .sources, .among: true
      case .keys, .list, .chosen, .distinct, .joined, .positions, .each, .flattened: false
      }
    }
  }

  /// Whether the node's value may differ between objects or evaluations even if its children's values do not.
  fileprivate var varies: Bool {
    switch self {
    case .predicate(let predicate):
      switch predicate {
      case .test: true
      case .constant, .and, .or, .not, .comparison, .quantified, .lists, .remembered: false
      }
    case .expression(let expression):
      switch expression {
      case .column, .computed, .now, .element, .entry, .own, .property, .assembled, .gathered: true
      case .constant, .negate, .complement, .arithmetic, .call, .ternary, .reduced, .item, .object: false
      }
    case .collection(let collection):
      switch collection {
      case .column, .computed, .keys, .chosen, .among, .property, .propertyKeys, .sources, .positions, .each,
        .flattened:
        true
      case .list, .distinct, .joined: false
      }
    }
  }

  /// The column of the row's object that the node itself reads.
  fileprivate var column: Int? {
    switch self {
    case .predicate(let predicate):
      switch predicate {
      case .test(let test): test.column
      case .constant, .and, .or, .not, .comparison, .quantified, .lists, .remembered: nil
      }
    case .expression(let expression):
      switch expression {
      case .column(let column, _), .entry(let column, _, _): column
      case .own: BoundExpression.ownColumn
      case .constant, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .reduced, .item,
        .object, .property, .assembled, .gathered:
        nil
      }
    case .collection(let collection):
      switch collection {
      case .column(let column, _), .keys(let column): column
      case .computed, .list, .chosen, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .each,
        .flattened, .among:
        nil
      }
    }
  }
}
