import ObjectStoreCore

/// Nodes and leaves that link to each other in all ways there are, with all three delete rules: what `@Model` writes,
/// by hand.
struct Node: Model {
  var key: String
  var value: Int
  /// Goes with it: nodes that go round in a circle go together.
  var next: Link<Node>?
  var others: List<Node>
  /// Go with it.
  var leaves: List<Leaf>
  /// Keeps it from going.
  var needs: Link<Leaf>?
  /// Those whose next it is stay.
  var before = LinkingObjects<Node>()
  private var _objectID = ObjectIdentity<Node>()

  init(
    _ key: String, _ value: Int = 0, next: Link<Node>? = nil, others: List<Node> = [], leaves: List<Leaf> = [],
    needs: Link<Leaf>? = nil
  ) {
    self.key = key
    self.value = value
    self.next = next
    self.others = others
    self.leaves = leaves
    self.needs = needs
  }

  static let modelDefinition = ModelDefinition(of: Node.self, name: "Node") { model in
    model.property("key", \Node.key, \Node?.?.key, indexes: [.unique])
    model.property("value", \Node.value, \Node?.?.value, indexes: [.ordered])
    model.property("next", \Node.next, \Node?.?.next, deleteRule: .cascade)
    model.property("others", \Node.others, \Node?.?.others)
    model.property("leaves", \Node.leaves, \Node?.?.leaves, deleteRule: .cascade)
    model.property("needs", \Node.needs, \Node?.?.needs, deleteRule: .deny)
    model.inverse("before", \Node.before, of: \Node.next, path: "next")
  }

  var objectID: ObjectID<Node>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Node> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    key = try row.next()
    value = try row.next()
    next = try row.next()
    others = try row.next()
    leaves = try row.next()
    needs = try row.next()
    before = LinkingObjects(through: "next", in: row)
  }

  func encode(into row: inout RowEncoder) {
    key.encode(into: &row)
    value.encode(into: &row)
    next.encode(into: &row)
    others.encode(into: &row)
    leaves.encode(into: &row)
    needs.encode(into: &row)
  }
}

struct Leaf: Model {
  var key: String
  var home: Link<Node>?
  /// The nodes that have it among their leaves stay.
  var holders = LinkingObjects<Node>()
  private var _objectID = ObjectIdentity<Leaf>()

  init(_ key: String, home: Link<Node>? = nil) {
    self.key = key
    self.home = home
  }

  static let modelDefinition = ModelDefinition(of: Leaf.self, name: "Leaf") { model in
    model.property("key", \Leaf.key, \Leaf?.?.key, indexes: [.unique])
    model.property("home", \Leaf.home, \Leaf?.?.home)
    model.inverse("holders", \Leaf.holders, of: \Node.leaves, path: "leaves")
  }

  var objectID: ObjectID<Leaf>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Leaf> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    key = try row.next()
    home = try row.next()
    holders = LinkingObjects(through: "leaves", in: row)
  }

  func encode(into row: inout RowEncoder) {
    key.encode(into: &row)
    home.encode(into: &row)
  }
}
