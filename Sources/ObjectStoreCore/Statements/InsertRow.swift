internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Makes a row of the fields of an INSERT. What is not given has its declared default, or nil where that is allowed.
/// What links lead to is told by `InsertLinks`.
struct InsertRow {
  let entity: StoredEntity
  let schema: StoredSchema
  let source: String

  /// Whether it stands within another, and may be merged with one that is there.
  private let isWithin: Bool

  init(_ entity: StoredEntity, schema: StoredSchema, source: String, isWithin: Bool = false) {
    self.entity = entity
    self.isWithin = isWithin
    self.schema = schema
    self.source = source
  }

  private struct Field {
    var name: String
    var value: Value
    var range: SourceRange
  }

  /// The row; `place` is where the entity is named.
  func row(of fields: [ObjectFieldSyntax], at place: SourceRange) throws(QueryError) -> NewRow {
    var row = empty
    try fill(
      &row, entity.entity, prefix: "", fields.map { Field(name: $0.name.text, value: $0.value, range: $0.valueRange) },
      names: fields.map(\.name.range), place)
    return row
  }

  /// The row of an object within another's; `range` is where that stands.
  func row(of fields: [EmbeddedField], at range: SourceRange) throws(QueryError) -> NewRow {
    var row = empty
    try fill(
      &row, entity.entity, prefix: "", fields.map { Field(name: $0.name, value: $0.value, range: range) }, names: [],
      range)
    return row
  }

  private var empty: NewRow {
    NewRow(entity: entity.name, values: Array(repeating: .null, count: entity.columns.count))
  }

  private func fill(
    _ row: inout NewRow, _ structure: Entity, prefix: String, _ fields: [Field], names: [SourceRange],
    _ place: SourceRange
  ) throws(QueryError) {
    for (index, field) in fields.enumerated() where structure.property(named: field.name) == nil {
      let known = structure.properties.map(\.name)
      let meant = Suggestion.nearest(to: field.name, among: known).map { "did you mean '\($0)'? " } ?? ""
      throw error(
        .unknownProperty, "\(structure.name) has no property '\(field.name)'",
        names.indices.contains(index) ? names[index] : field.range,
        notes: ["\(meant)\(structure.name) has \(known.joined(separator: ", "))"])
    }
    for property in structure.properties {
      let path = prefix + property.name
      let given = fields.last { $0.name == property.name }
      switch property.type {
      case .embedded(let name):
        guard let inner = schema.schema.structure(named: name) else { continue }
        try fill(&row, property, inner, path: path, given, place)
      case .linkingObjects(let other, let link):
        guard let given else { continue }
        throw error(
          .typeMismatch, "'\(path)' is the other end of \(other).\(link)", given.range,
          notes: ["set '\(link)' of the objects of \(other)"])
      default:
        guard let position = entity.column(at: path) else { continue }
        let column = entity.columns[position]
        guard let given else {
          row.values[position] = column.column.defaultValue
          // A collection that is not given has no elements.
          let needsNone =
            property.isOptional || property.defaultValue != nil || column.collectionKind != nil || column.target != nil
          if !needsNone {
            guard isWithin else { throw error(.missingValue, "'\(path)' needs a value", place) }
            row.missing = row.missing ?? path
          }
          continue
        }
        row.given.insert(position)
        if let target = column.target {
          row.values[position] = column.column.defaultValue
          let targets = try links(of: column, to: target, given.value, given.range)
          row.links.append(NewRow.Link(column: position, targets: targets))
          continue
        }
        guard let kept = column.converted(given.value) else {
          throw column.mismatch(given.value, source: source, range: given.range)
        }
        row.values[position] = kept
      }
    }
  }

  private func fill(
    _ row: inout NewRow, _ property: Property, _ inner: Entity, path: String, _ given: Field?, _ place: SourceRange
  ) throws(QueryError) {
    let presence = property.isOptional ? entity.column(at: path) : nil
    switch given?.value {
    case .none where property.isOptional: return
    case .null? where property.isOptional:
      if let presence { row.given.insert(presence) }
    case .none, .null?: try fill(&row, inner, prefix: path + ".", [], names: [], given?.range ?? place)
    case .embedded(let fields)?:
      let range = given?.range ?? place
      if let presence {
        row.values[presence] = .bool(true)
        row.given.insert(presence)
      }
      try fill(
        &row, inner, prefix: path + ".", fields.map { Field(name: $0.name, value: $0.value, range: range) }, names: [],
        range)
    case .some:
      throw error(.typeMismatch, "'\(path)' is a \(inner.name): write an object", given?.range ?? place)
    }
  }

  func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [])
    -> QueryError
  {
    QueryError(source: source, Diagnostic(code: code, message: message, range: range, notes: notes))
  }
}
