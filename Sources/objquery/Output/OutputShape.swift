import ObjectStoreCore

/// The structure of the rows of a result: leaf columns in a row of values, and the tree of structs that they form.
///
/// Tables show the leaves, JSON the tree. It knows the schema's names, not values.
struct OutputShape {
  /// A heading with its contents.
  struct Field {
    var heading: String
    var content: Content
  }

  indirect enum Content {
    /// The value at an index of the row.
    case leaf(Int)
    /// A struct; nil when the value at `presence` is.
    case structure(presence: Int?, [Field])
  }

  /// A column of a table.
  struct Leaf {
    var heading: String
    var place: Int
    var isNumeric: Bool
    /// Whether it may be cut when there is not enough space.
    var isText: Bool
    /// The name of the type of its values; empty if it is not known.
    var type = ""
  }

  /// The paths of the values in a row, in order.
  private(set) var paths: [String] = []
  /// The columns of a table.
  private(set) var leaves: [Leaf] = []
  /// The fields of an object.
  var fields: [Field] = []
  /// The number of values in a row.
  private(set) var width = 0

  /// Whole objects.
  ///
  /// - Parameter identified: Whether the objects' numbers come first, under `@id`; their index in the row is the last
  ///   one.
  init(entity: Entity, columns: [Column], identified: Bool = false) {
    if identified { leaves.append(Leaf(heading: "@id", place: 0, isNumeric: true, isText: false, type: "Int")) }
    fields = entity.properties.compactMap { property in
      add(path: property.name, heading: property.name, leafHeading: property.name, columns)
    }
    width = paths.count + (identified ? 1 : 0)
    guard identified else { return }
    leaves[0].place = paths.count
    fields.insert(Field(heading: "@id", content: .leaf(paths.count)), at: 0)
  }

  /// The columns of rows.
  init(columns: [ResultColumn]) {
    var width = 0
    fields = columns.map { add($0, leafHeading: $0.heading, &width) }
    self.width = width
  }

  /// Adds a column before the others, whose value is the last one of a row.
  mutating func lead(with heading: String) {
    leaves.insert(Leaf(heading: heading, place: width, isNumeric: false, isText: false), at: 0)
    fields.insert(Field(heading: heading, content: .leaf(width)), at: 0)
    width += 1
  }

  /// The shape without some fields of objects; the columns of a table stay.
  func removing(_ headings: [String]) -> OutputShape {
    var shape = self
    shape.fields.removeAll { headings.contains($0.heading) }
    return shape
  }

  private mutating func add(_ column: ResultColumn, leafHeading: String, _ width: inout Int) -> Field {
    let place = width
    guard case .structure(let isOptional, let inner) = column.content else {
      width += 1
      leaves.append(
        Leaf(
          heading: leafHeading, place: place, isNumeric: column.content == .number,
          isText: column.content == .text || column.content == .collection, type: column.typeName ?? ""))
      return Field(heading: column.heading, content: .leaf(place))
    }
    if isOptional { width += 1 }
    let fields = inner.map { add($0, leafHeading: leafHeading + "." + $0.heading, &width) }
    return Field(heading: column.heading, content: .structure(presence: isOptional ? place : nil, fields))
  }

  /// One field for a property, or for a struct with all its leaves.
  private mutating func add(path: String, heading: String, leafHeading: String, _ columns: [Column]) -> Field? {
    if let column = columns.first(where: { $0.path == path }), case .scalar(let type) = column.kind {
      leaves.append(
        Leaf(
          heading: leafHeading, place: paths.count, isNumeric: type.isNumeric,
          isText: type == .string || type == .data, type: type.rawValue))
      paths.append(path)
      return Field(heading: heading, content: .leaf(paths.count - 1))
    }
    if let column = columns.first(where: { $0.path == path && ($0.isCollection || $0.target != nil) }) {
      leaves.append(
        Leaf(
          heading: leafHeading, place: paths.count, isNumeric: false, isText: true,
          type: column.kind.typeName))
      paths.append(path)
      return Field(heading: heading, content: .leaf(paths.count - 1))
    }
    let prefix = path + "."
    guard columns.contains(where: { $0.path.hasPrefix(prefix) }) else { return nil }
    var presence: Int?
    if columns.contains(where: { $0.path == path }) {
      presence = paths.count
      paths.append(path)
    }
    var names: [String] = []
    for column in columns where column.path.hasPrefix(prefix) {
      let name = column.path.dropFirst(prefix.count).prefix { $0 != "." }
      if names.last != String(name) { names.append(String(name)) }
    }
    let inner = names.compactMap {
      add(path: prefix + $0, heading: $0, leafHeading: leafHeading + "." + $0, columns)
    }
    return Field(heading: heading, content: .structure(presence: presence, inner))
  }
}

extension Column.Kind {
  /// The type as a schema writes it; empty for what has no type of its own.
  var typeName: String {
    switch self {
    case .scalar(let type), .parts(let type, _): type.rawValue
    case .collection(.array, let type): "[\(type.rawValue)]"
    case .collection(.set, let type): "Set<\(type.rawValue)>"
    case .collection(.dictionary, let type): "[String: \(type.rawValue)]"
    case .link(let entity): entity
    case .links(let entity): "List<\(entity)>"
    case .structs(let name): "[\(name)]"
    case .presence, .presences: ""
    }
  }
}

extension Column {
  /// Whether it holds collections, of values or of structs.
  var isCollection: Bool {
    switch kind {
    case .collection, .structs, .parts, .presences: true
    case .scalar, .presence, .link, .links: false
    }
  }
}
