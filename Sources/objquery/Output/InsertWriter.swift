import ObjectStoreCore

/// Writes objects as INSERT statements, which can be run on a store with the same entity.
final class InsertWriter: ResultWriter {
  private let sink: OutputSink
  private let entity: String?
  private let objects: JSONWriter

  /// - Parameter entity: The entity of the objects; nil for rows that are none.
  init(_ shape: OutputShape, entity: String?, _ sink: OutputSink) {
    self.sink = sink
    self.entity = entity
    objects = JSONWriter(.lines, shape, sink)
  }

  func begin() throws {
    if entity == nil {
      throw CommandFailure(
        description:
          "only objects can be inserted, and these rows are none: leave GROUP BY and SELECT out, or choose another mode",
        code: "no-objects")
    }
  }

  func row(_ values: [Value]) throws {
    if values.contains(where: Self.linksByNumber) {
      throw CommandFailure(
        description:
          "a link leads to an object without a unique property, which an INSERT cannot name: choose --json, or .dump",
        code: "no-unique")
    }
    try sink.write { text in
      text.append("INSERT \(entity ?? "") ")
      objects.append(values, to: &text)
      text.append(";\n")
    }
  }

  func end() {}

  /// Whether a value is a link to an object that has only a number, which is another one in another store.
  private static func linksByNumber(_ value: Value) -> Bool {
    switch value {
    case .object: true
    case .list(let elements): elements.contains(where: linksByNumber)
    case .embedded(let fields): fields.contains { linksByNumber($0.value) }
    case .null, .bool, .int, .float, .double, .decimal, .string, .date, .uuid, .data: false
    }
  }
}
