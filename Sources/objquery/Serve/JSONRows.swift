import ObjectStoreCore
internal import Values

/// The rows of a result of any kind, as JSON.
struct JSONRows: Sendable {
  private enum Source: Sendable {
    case objects(DynamicResults, identified: Bool)
    case rows(RowResults)
    case sections(SectionResults)
  }

  private let source: Source
  let warnings: [Diagnostic]
  /// `[{"name": …, "type": …}, …]`
  let columns: String

  /// Whole objects.
  ///
  /// - Parameter identified: Whether each begins with its number, `@id`.
  init(_ results: DynamicResults, identified: Bool) {
    source = .objects(results, identified: identified)
    warnings = results.warnings
    let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
    columns = Self.columns(of: results.entity, shape)
  }

  init(_ rows: RowResults) {
    source = .rows(rows)
    warnings = rows.warnings
    columns = Self.columns(rows.columns)
  }

  init(_ sections: SectionResults) {
    source = .sections(sections)
    warnings = sections.warnings
    columns = Self.columns(sections.columns)
  }

  /// Whether the rows are in sections.
  var hasSections: Bool { if case .sections = source { true } else { false } }

  /// Calls `body` with each row, and the key of its section, in one version of the store.
  func forEach(_ cancellation: Cancellation, _ body: (_ row: String, _ section: String?) throws -> Void) throws {
    switch source {
    case .objects(let results, let identified):
      let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
      let encoder = JSONObjectEncoder(shape)
      try results.cancellable(by: cancellation).forEachNamedRow(shape.paths) { number, row in
        if cancellation.isCancelled { throw QueryCancelled() }
        try body(encoder.text(identified ? row + [number.asValue] : row), nil)
      }
    case .rows(let rows):
      let encoder = JSONObjectEncoder(OutputShape(columns: rows.columns))
      try rows.cancellable(by: cancellation).forEachFlat(naming: true) { row in
        if cancellation.isCancelled { throw QueryCancelled() }
        try body(encoder.text(row), nil)
      }
    case .sections(let sections):
      let encoder = JSONObjectEncoder(OutputShape(columns: sections.columns))
      try sections.cancellable(by: cancellation).forEachFlat(naming: true) { section in
        let key = ValueText.json(section.key)
        for row in section.rows {
          if cancellation.isCancelled { throw QueryCancelled() }
          try body(encoder.text(row), key)
        }
      }
    }
  }

  // MARK: Columns

  /// The properties of objects, and `@id` if the shape has it.
  static func columns(of entity: Entity, _ shape: OutputShape) -> String {
    list(
      shape.fields.map { field in
        let property = entity.property(named: field.heading)
        return column(
          field.heading, property?.type.swiftName ?? "Int", isOptional: property?.isOptional ?? false)
      })
  }

  static func columns(_ columns: [ResultColumn]) -> String {
    list(columns.map { column($0.heading, $0.typeName, isOptional: nil) })
  }

  /// - Parameter isOptional: nil if it is not known.
  private static func column(_ name: String, _ type: String?, isOptional: Bool?) -> String {
    var members = JSONMembers()
    members.add("name", .string(name))
    members.add("type", type.map { .string($0) } ?? .null)
    if let isOptional { members.add("optional", .bool(isOptional)) }
    return members.object
  }

  private static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }
}

extension JSONObjectEncoder {
  /// A row as one object.
  func text(_ values: [Value]) -> String {
    var text = TextBytes()
    append(values, to: &text)
    return text.string(0..<text.count)
  }
}
