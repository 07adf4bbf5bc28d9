internal import QueryEngine
internal import Schema
internal import Storage
internal import Synchronization
internal import Values

/// The positions of a model's columns in a file: made once for each model and version of the file's schema.
///
/// The file may have columns that the model lacks: new objects get their defaults there, or are refused if there is
/// none; changed objects keep their values.
final class ModelLayout: Sendable {
  let definition: ModelDefinition
  let entity: StoredEntity
  /// The position in the file of each of the model's columns; nil if the file lacks it.
  let positions: [Int?]
  /// The values that the model reads for columns that the file lacks.
  let substitutes: [Value]
  /// The properties that are saved as a unit, by their paths, with the model's columns of each: an array of structs and
  /// an optional struct are a unit, and so is each other column.
  let properties: [(path: String, columns: [Int])]
  /// Whether rows of the model are rows of the file.
  let isDirect: Bool
  /// A row of the file with the defaults.
  let template: [Value]
  /// The columns that the model lacks.
  private let unseen: UnseenColumns
  /// Recently used properties, for lookups and reads.
  private let latest = Mutex<[Place]>([])

  /// Relates a model to an entity of a file. Throws `migrationNeeded` when a type differs.
  init(_ definition: ModelDefinition, _ entity: StoredEntity, in schema: Schema) throws(StoreError) {
    self.definition = definition
    self.entity = entity
    var positions: [Int?] = []
    var differences: [String] = []
    for column in definition.columns {
      let position = entity.column(at: column.path)
      if let position, entity.columns[position].column.kind != column.kind {
        differences.append(
          "\(entity.name).\(column.path) is \(entity.columns[position].column.typeName) in the file and "
            + "\(column.typeName) in the model")
      }
      positions.append(position)
    }
    guard differences.isEmpty else { throw .migrationNeeded(differences) }
    self.positions = positions
    substitutes = definition.columns.map { column in
      // A struct that is not optional in the file always exists.
      column.kind == .presence ? .bool(true) : column.defaultValue
    }
    properties = Self.properties(of: definition.columns)
    template = entity.columns.map(\.column.defaultValue)
    isDirect = positions == entity.columns.indices.map { $0 }
    var isKnown = [Bool](repeating: false, count: entity.columns.count)
    for case let position? in positions { isKnown[position] = true }
    unseen = UnseenColumns(of: entity, in: schema) { isKnown[$0] }
  }

  private static func properties(of columns: [Column]) -> [(path: String, columns: [Int])] {
    let whole = columns.filter { column in
      switch column.kind {
      case .presence, .structs: true
      case .scalar, .collection, .parts, .presences, .link, .links: false
      }
    }.map(\.path)
    var properties: [(path: String, columns: [Int])] = []
    for (index, column) in columns.enumerated() {
      let path = whole.first { column.path == $0 || column.path.hasPrefix($0 + ".") } ?? column.path
      if let last = properties.last, last.path == path {
        properties[properties.count - 1].columns.append(index)
      } else {
        properties.append((path, [index]))
      }
    }
    return properties
  }

  /// The position of a property: its path, and its columns. A class, so that passing it on costs one reference count.
  final class Place: @unchecked Sendable {
    /// Immutable, so it may be shared.
    fileprivate let keyPath: AnyKeyPath
    let path: String
    /// The position in the model of the first of its columns.
    let firstColumn: Int
    /// The position in the file of each of its columns; nil if the file lacks it.
    let positions: [Int?]
    /// The values for columns that the file lacks.
    let substitutes: [Value]
    /// Its index, where it is unique.
    let key: UniqueKey?

    fileprivate init(_ keyPath: AnyKeyPath, _ path: String, _ columns: Range<Int>, in layout: ModelLayout) {
      self.keyPath = keyPath
      self.path = path
      firstColumn = columns.lowerBound
      positions = Array(layout.positions[columns])
      substitutes = Array(layout.substitutes[columns])
      key = layout.positions[columns.lowerBound].flatMap { UniqueKey(column: $0, of: layout.entity) }
    }
  }

  /// The position of the property at a key path with a number of columns; nil for a computed property. A key path that
  /// is written in one place of a program is a single object, so repeated lookups are fast.
  func place(of keyPath: AnyKeyPath, columnCount: Int) -> Place? {
    if let known = latest.withLock({ $0.first { $0.keyPath === keyPath } }) { return known }
    guard let path = definition.path(of: keyPath),
      let first = definition.columns.firstIndex(where: { $0.path == path || $0.path.hasPrefix(path + ".") })
    else { return nil }
    let found = Place(keyPath, path, first..<Swift.min(first + columnCount, positions.count), in: self)
    latest.withLock { places in
      if places.count >= 4 { places.removeFirst() }
      places.append(found)
    }
    return found
  }

  /// The value of a column of the file for an object with the values of the model; nil if the model lacks it.
  func value(of column: Int, in values: [Value]) -> Value? {
    if isDirect { return values[column] }
    return positions.firstIndex(of: column).map { values[$0] }
  }

  /// The row of the file for a new object with the values of the model.
  func row(of values: [Value]) throws(StoreError) -> [Value] {
    if isDirect { return values }
    var row = template
    for (position, value) in zip(positions, values) {
      if let position { row[position] = value }
    }
    try requireKept(values)
    try unseen.complete(&row, from: nil)
    return row
  }

  /// The values of the model, merged with additional content of a file's row in encoded columns.
  func keepingEncoded(_ row: [Value], in values: [Value]) -> [Value] {
    var values = values
    for (column, property) in definition.encoded {
      guard let position = positions[column], position < row.count, column < values.count else { continue }
      values[column] = property.keeping(row[position], in: values[column])
    }
    return values
  }

  /// The columns of the file that change when `old` becomes the values of the model.
  func changes(from old: [Value], to values: [Value]) throws(StoreError) -> [(column: Int, value: Value)] {
    try requireKept(values)
    let values = definition.encoded.isEmpty ? values : keepingEncoded(old, in: values)
    var changes: [(column: Int, value: Value)] = []
    for (position, value) in zip(positions, values) {
      if let position, position < old.count, !old[position].isIdentical(to: value) { changes.append((position, value)) }
    }
    guard old.count == entity.columns.count, !isDirect else { return changes }
    var row = old
    for change in changes { row[change.column] = change.value }
    try unseen.complete(&row, from: old)
    return row.indices.filter { !old[$0].isIdentical(to: row[$0]) }.map { ($0, row[$0]) }
  }

  /// The values of the model in a row of the file.
  func values(in row: [Value]) -> [Value] {
    if isDirect { return row }
    return zip(positions, substitutes).map { position, substitute in
      position.map { row[$0] } ?? substitute
    }
  }

  /// Refuses values for which the file has no column: they would be lost.
  private func requireKept(_ values: [Value]) throws(StoreError) {
    for index in positions.indices where positions[index] == nil && values[index] != substitutes[index] {
      throw entity.unknownProperty(definition.columns[index].path)
    }
  }
}
