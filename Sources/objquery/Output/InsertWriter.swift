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
    try sink.write { text in
      text.append("INSERT \(entity ?? "") ")
      objects.append(values, to: &text)
      text.append(";\n")
    }
  }

  func end() {}
}
