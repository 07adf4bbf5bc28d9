internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Makes a row of the fields of an INSERT. What is not given has its declared default, or nil where that is allowed.
struct InsertRow {
  private let entity: StoredEntity
  private let schema: Schema
  private let source: String

  init(_ entity: StoredEntity, schema: Schema, source: String) {
    self.entity = entity
    self.schema = schema
    self.source = source
  }

  private struct Field {
    var name: String
    var value: Value
    var range: SourceRange
  }

  /// The row, one value for each column; `place` is where the entity is named.
  func values(of fields: [ObjectFieldSyntax], at place: SourceRange) throws(QueryError) -> [Value] {
    var row = [Value](repeating: .null, count: entity.columns.count)
    try fill(
      &row, entity.entity, prefix: "", fields.map { Field(name: $0.name.text, value: $0.value, range: $0.valueRange) },
      names: fields.map(\.name.range), place)
    return row
  }

  private func fill(
    _ row: inout [Value], _ structure: Entity, prefix: String, _ fields: [Field], names: [SourceRange],
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
        guard let inner = schema.structure(named: name) else { continue }
        try fill(&row, property, inner, path: path, given, place)
      default:
        guard let position = entity.column(at: path) else { continue }
        let column = entity.columns[position]
        guard let given else {
          // A collection that is not given has no elements.
          guard property.isOptional || property.defaultValue != nil || column.collectionKind != nil else {
            throw error(.missingValue, "'\(path)' needs a value", place)
          }
          row[position] = column.column.defaultValue
          continue
        }
        guard let kept = column.converted(given.value) else {
          throw column.mismatch(given.value, source: source, range: given.range)
        }
        row[position] = kept
      }
    }
  }

  private func fill(
    _ row: inout [Value], _ property: Property, _ inner: Entity, path: String, _ given: Field?, _ place: SourceRange
  ) throws(QueryError) {
    let presence = property.isOptional ? entity.column(at: path) : nil
    switch given?.value {
    case .none where property.isOptional, .null? where property.isOptional: return
    case .none, .null?: try fill(&row, inner, prefix: path + ".", [], names: [], given?.range ?? place)
    case .embedded(let fields)?:
      let range = given?.range ?? place
      if let presence { row[presence] = .bool(true) }
      try fill(
        &row, inner, prefix: path + ".", fields.map { Field(name: $0.name, value: $0.value, range: range) }, names: [],
        range)
    case .some:
      throw error(.typeMismatch, "'\(path)' is a \(inner.name): write an object", given?.range ?? place)
    }
  }

  private func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [])
    -> QueryError
  {
    QueryError(source: source, Diagnostic(code: code, message: message, range: range, notes: notes))
  }
}
