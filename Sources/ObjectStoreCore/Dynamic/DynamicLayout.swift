internal import Schema
internal import Storage
internal import Values

/// Maps the columns of an entity to its properties, including embedded structs.
///
/// Made once for a query's schema, and shared by its objects.
final class DynamicLayout: Sendable {
  /// A property: a leaf, a struct of properties, or a list of structs.
  indirect enum Node: Sendable {
    case leaf(Int)
    case structure(presence: Int?, [(name: String, node: Node)])
    case list(StructList)
  }

  let entity: Entity
  let columns: [Column]
  /// Which of the columns hold links.
  let isLink: [Bool]
  let properties: [(name: String, node: Node)]
  private let nodes: [String: Node]

  init(_ stored: StoredEntity, in schema: Schema) {
    entity = stored.entity
    columns = stored.columns.map(\.column)
    isLink = columns.map { $0.target != nil }
    let positions = Dictionary(
      columns.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    var nodes: [String: Node] = [:]
    properties = Self.nodes(of: stored.entity, prefix: "", [], schema, positions, stored.structLists, &nodes)
    self.nodes = nodes
  }

  private static func nodes(
    of structure: Entity, prefix: String, _ enclosing: [String], _ schema: Schema, _ positions: [String: Int],
    _ lists: [StructList], _ all: inout [String: Node]
  ) -> [(name: String, node: Node)] {
    var found: [(name: String, node: Node)] = []
    for property in structure.properties {
      let path = prefix + property.name
      let node: Node
      switch property.type {
      case .embedded(let name):
        guard !enclosing.contains(name), let inner = schema.structure(named: name) else { continue }
        node = .structure(
          presence: property.isOptional ? positions[path] : nil,
          nodes(of: inner, prefix: path + ".", enclosing + [name], schema, positions, lists, &all))
      case .embeddedList:
        guard let list = lists.first(where: { $0.path == path }) else { continue }
        node = .list(list)
      default:
        guard let position = positions[path] else { continue }
        node = .leaf(position)
      }
      all[path] = node
      found.append((property.name, node))
    }
    return found
  }

  /// The node at a dotted path; nil if there is none.
  func node(at path: String) -> Node? { nodes[path] }

  /// The value of a node in a row of all columns.
  func value(of node: Node, in row: [Value]) -> Value {
    switch node {
    case .leaf(let position): return position < row.count ? row[position] : .null
    case .list(let list): return list.value { $0 < row.count ? row[$0] : .null }
    case .structure(let presence, let properties):
      if let presence, presence < row.count, row[presence].isNull { return .null }
      return .embedded(properties.map { EmbeddedField(name: $0.name, value: value(of: $0.node, in: row)) })
    }
  }
}

extension DynamicLayout.Node {
  /// The columns of the node.
  var columns: [Int] {
    switch self {
    case .leaf(let position): [position]
    case .list(let list): [list.column] + list.parts
    case .structure(let presence, let properties): (presence.map { [$0] } ?? []) + properties.flatMap(\.node.columns)
    }
  }
}
