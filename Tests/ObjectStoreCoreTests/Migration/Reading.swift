import ObjectStoreCore

/// What `@Model` writes, by hand: the model of now of what earlier versions of a program stored otherwise.
struct Reading: Model {
  var magnitude: Double
  var name: String
  var size: Double
  var key: String
  private var _objectID = ObjectIdentity<Reading>()

  init(_ magnitude: Double, _ name: String, size: Double = 0, key: String) {
    self.magnitude = magnitude
    self.name = name
    self.size = size
    self.key = key
  }

  static let modelDefinition = ModelDefinition(of: Reading.self, name: "Reading") { model in
    model.property("magnitude", \Reading.magnitude, \Reading?.?.magnitude)
    model.property("name", \Reading.name, \Reading?.?.name)
    model.property("size", \Reading.size, \Reading?.?.size, default: 0)
    model.property("key", \Reading.key, \Reading?.?.key, indexes: [.unique])
  }

  /// The schema text of what an earlier version stored.
  static let before = """
    @Model struct Reading { var mag: String; var first: String; var last: String?; var size: Int; var note = "" }
    """

  var objectID: ObjectID<Reading>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Reading> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    magnitude = try row.next()
    name = try row.next()
    size = try row.next()
    key = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    magnitude.encode(into: &row)
    name.encode(into: &row)
    size.encode(into: &row)
    key.encode(into: &row)
  }

  static func == (left: Reading, right: Reading) -> Bool {
    left.magnitude == right.magnitude && left.name == right.name && left.size == right.size && left.key == right.key
  }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// What `@Model` writes, by hand: of the entity Town.
struct Settlement: Model {
  var name: String
  private var _objectID = ObjectIdentity<Settlement>()

  init(_ name: String) { self.name = name }

  static let modelDefinition = ModelDefinition(of: Settlement.self, name: "Town") { model in
    model.property("name", \Settlement.name, \Settlement?.?.name)
  }

  var objectID: ObjectID<Settlement>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Settlement> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws { name = try row.next() }

  func encode(into row: inout RowEncoder) { name.encode(into: &row) }

  static func == (left: Settlement, right: Settlement) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
