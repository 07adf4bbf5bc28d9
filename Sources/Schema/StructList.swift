public import Values

/// A list of embedded structs as stored in columns: one column for the number of structs, and one for each leaf, with
/// its values in all structs. It converts structs to columns and back, and does not know rows.
public struct StructList: Hashable, Sendable {
  /// A property of the structs: a leaf by the position of its column, or a struct of properties.
  public indirect enum Node: Hashable, Sendable {
    /// The position of the column that has the leaf of every struct.
    case leaf(Int)
    /// A struct within each element; an optional one has a presence column.
    case structure(presence: Int?, [Field])
  }

  /// A property by its name.
  public struct Field: Hashable, Sendable {
    /// The name within the struct.
    public let name: String
    /// The contents of the struct.
    public let node: Node
  }

  /// The dotted path of the list.
  public let path: String
  /// The name of the struct.
  public let structure: String
  /// The index of the column with the number of structs.
  public let column: Int
  /// The positions of the columns that have a value for each struct, ascending.
  public let parts: [Int]
  /// The properties of each struct, in declaration order.
  public let fields: [Field]

  /// The lists among the leaf columns of an entity, in their order.
  public static func lists(in columns: [Column]) -> [StructList] {
    columns.indices.compactMap { position in
      guard case .structs(let name) = columns[position].kind else { return nil }
      let path = columns[position].path
      let parts = columns.indices.filter { columns[$0].kind.isPart && columns[$0].path.hasPrefix(path + ".") }
      return StructList(
        path: path, structure: name, column: position, parts: parts,
        fields: fields(parts[...], below: path + ".", columns))
    }
  }

  /// The properties formed by the columns of some parts; the columns of a nested struct are adjacent.
  private static func fields(_ parts: ArraySlice<Int>, below prefix: String, _ columns: [Column]) -> [Field] {
    var fields: [Field] = []
    var rest = parts
    while let position = rest.first {
      let path = columns[position].path.dropFirst(prefix.count)
      let name = String(path.prefix { $0 != "." })
      let inner = prefix + name + "."
      let presence = columns[position].kind == .presences && path == name ? position : nil
      if presence == nil, path == name {
        rest = rest.dropFirst()
        fields.append(Field(name: name, node: .leaf(position)))
        continue
      }
      if presence != nil { rest = rest.dropFirst() }
      let own = rest.prefix { columns[$0].path.hasPrefix(inner) }
      rest = rest.dropFirst(own.count)
      fields.append(Field(name: name, node: .structure(presence: presence, self.fields(own, below: inner, columns))))
    }
    return fields
  }
}

// MARK: Structs of columns

extension StructList {
  /// The structs in the columns of a row, as a list; nil if the list is nil. A missing part is nil.
  public func value(in row: (Int) throws -> Value) rethrows -> Value {
    guard case .int(let number) = try row(column) else { return .null }
    var values: [Int: [Value]] = [:]
    for part in parts {
      if case .list(let elements) = try row(part) { values[part] = elements }
    }
    // For a damaged list, the number is limited by the parts present: without any part, it can't be verified.
    let count = Swift.min(Int(clamping: number), values.values.map(\.count).max() ?? 0)
    return .list(
      (0..<Swift.max(0, count)).map { place in
        assembled(fields) { part in
          guard let elements = values[part], place < elements.count else { return .null }
          return elements[place]
        }
      })
  }

  /// One struct, from its value in each part.
  public func structure(_ part: (Int) throws -> Value) rethrows -> Value { try assembled(fields, part) }

  private func assembled(_ fields: [Field], _ part: (Int) throws -> Value) rethrows -> Value {
    try .embedded(
      fields.map { field in
        switch field.node {
        case .leaf(let position): EmbeddedField(name: field.name, value: try part(position))
        case .structure(let presence?, _) where try part(presence).isNull:
          EmbeddedField(name: field.name, value: .null)
        case .structure(_, let inner): EmbeddedField(name: field.name, value: try assembled(inner, part))
        }
      })
  }
}

// MARK: Columns of structs

extension StructList {
  /// The reason a value is not a list of these structs.
  public struct Fault: Error, Hashable, Sendable {
    /// The kind of fault.
    public enum Reason: Hashable, Sendable {
      /// Neither a list nor an allowed nil.
      case notAList
      /// An element of the list is not a struct.
      case notAStruct
      /// A struct has an unknown property; the associated names are the known ones.
      case unknownProperty(String, among: [String])
      /// A required property has no value.
      case missingValue
    }

    /// Which struct of the list, from 0; nil for the list itself.
    public let element: Int?
    /// The dotted path from the entity.
    public let path: String
    /// The fault.
    public let reason: Reason

    /// The fault in words.
    public var message: String {
      let place = element.map { "struct \($0 + 1) of '\(path)'" } ?? "'\(path)'"
      return switch reason {
      case .notAList: "\(place) is a list of structs, which this is not"
      case .notAStruct: "\(place) is not written as an object with its properties"
      case .unknownProperty(let name, _): "\(place) has no property '\(name.prefix(40))'"
      case .missingValue: "'\(path)' needs a value in struct \((element ?? 0) + 1)"
      }
    }
  }

  /// The values of the columns for a list of structs; a property that a struct lacks gets its declared default,
  /// otherwise nil if it is optional. The types of the leaves are not checked here.
  public func columns(of value: Value, in columns: [Column]) throws(Fault) -> [(column: Int, value: Value)] {
    if value.isNull, columns[column].isOptional { return [(column, .null)] + parts.map { ($0, .null) } }
    guard case .list(let elements) = value else { throw Fault(element: nil, path: path, reason: .notAList) }
    var values: [Int: [Value]] = [:]
    for part in parts {
      values[part] = []
      values[part]?.reserveCapacity(elements.count)
    }
    for (place, element) in elements.enumerated() {
      guard case .embedded(let given) = element else {
        throw Fault(element: place, path: path, reason: .notAStruct)
      }
      try take(given, fields, path, place, columns, &values)
    }
    return [(column, .int(Int64(elements.count)))] + parts.map { ($0, .list(values[$0] ?? [])) }
  }

  private func take(
    _ given: [EmbeddedField], _ fields: [Field], _ path: String, _ place: Int, _ columns: [Column],
    _ values: inout [Int: [Value]]
  ) throws(Fault) {
    for field in given where !fields.contains(where: { $0.name == field.name }) {
      throw Fault(
        element: place, path: path, reason: .unknownProperty(field.name, among: fields.map(\.name)))
    }
    for field in fields {
      let path = "\(path).\(field.name)"
      let found = given.last { $0.name == field.name }?.value
      switch field.node {
      case .leaf(let position):
        let value = found ?? columns[position].part?.makeDefault() ?? .null
        if value.isNull, columns[position].part?.isRequired ?? false {
          throw Fault(element: place, path: path, reason: .missingValue)
        }
        values[position]?.append(value)
      case .structure(let presence?, let inner):
        guard let found, !found.isNull else {
          values[presence]?.append(.null)
          leaveOut(inner, &values)
          continue
        }
        values[presence]?.append(.bool(true))
        try take(found, inner, path, place, columns, &values)
      case .structure(nil, let inner): try take(found ?? .embedded([]), inner, path, place, columns, &values)
      }
    }
  }

  private func take(
    _ value: Value, _ fields: [Field], _ path: String, _ place: Int, _ columns: [Column],
    _ values: inout [Int: [Value]]
  ) throws(Fault) {
    guard case .embedded(let given) = value else {
      throw Fault(element: place, path: path, reason: value.isNull ? .missingValue : .notAStruct)
    }
    try take(given, fields, path, place, columns, &values)
  }

  private func leaveOut(_ fields: [Field], _ values: inout [Int: [Value]]) {
    for field in fields {
      switch field.node {
      case .leaf(let position): values[position]?.append(.null)
      case .structure(let presence, let inner):
        if let presence { values[presence]?.append(.null) }
        leaveOut(inner, &values)
      }
    }
  }
}

extension Column {
  /// The value for a struct of a list that was stored before this leaf existed: the declared default, otherwise nil if
  /// the leaf is optional, otherwise the default of the type.
  public var olderPart: Value {
    guard case .parts(let type, _) = kind, let part else { return .null }
    return part.defaultValue ?? (part.isRequired ? type.zero : .null)
  }
}
