internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Makes a row of the fields of an INSERT. What is not given has its declared default, or nil where that is allowed.
/// Everything wrong with the fields is gathered before it is thrown.
struct InsertRow {
  let entity: StoredEntity
  let schema: StoredSchema
  let source: String

  /// Whether it stands within another, and may be merged with one that is there.
  private let isWithin: Bool

  /// What was found wrong so far.
  var mistakes: [Diagnostic] = []

  init(_ entity: StoredEntity, schema: StoredSchema, source: String, isWithin: Bool = false) {
    self.entity = entity
    self.isWithin = isWithin
    self.schema = schema
    self.source = source
  }

  struct Field {
    var name: String
    var value: Value
    var range: SourceRange
  }

  /// The row; `place` is where the entity is named.
  mutating func row(of fields: [ObjectFieldSyntax], at place: SourceRange) throws(QueryError) -> NewRow {
    var row = empty
    fill(
      &row, entity.entity, prefix: "", fields.map { Field(name: $0.name.text, value: $0.value, range: $0.valueRange) },
      names: fields.map(\.name.range), place)
    try throwMistakes()
    return row
  }

  /// The row of an object within another's; `range` is where that stands.
  mutating func row(of fields: [EmbeddedField], at range: SourceRange) throws(QueryError) -> NewRow {
    var row = empty
    fill(
      &row, entity.entity, prefix: "", fields.map { Field(name: $0.name, value: $0.value, range: range) }, names: [],
      range)
    try throwMistakes()
    return row
  }

  private func throwMistakes() throws(QueryError) {
    if !mistakes.isEmpty { throw QueryError(source: source, diagnostics: mistakes) }
  }

  private var empty: NewRow {
    NewRow(entity: entity.name, values: Array(repeating: .null, count: entity.columns.count))
  }

  private mutating func fill(
    _ row: inout NewRow, _ structure: Entity, prefix: String, _ fields: [Field], names: [SourceRange],
    _ place: SourceRange
  ) {
    let areKnown = reportUnknown(fields, in: structure, names: names)
    for property in structure.properties {
      let path = prefix + property.name
      let given = fields.last { $0.name == property.name }
      switch property.type {
      case .embedded(let name):
        guard areKnown || given != nil, let inner = schema.schema.structure(named: name) else { continue }
        fill(&row, property, inner, path: path, given, place)
      case .linkingObjects(let other, let link):
        guard let given else { continue }
        report(
          .typeMismatch, "'\(path)' is the other end of \(other).\(link)", given.range,
          notes: ["set '\(link)' of the objects of \(other)"])
      case .embeddedList:
        guard let list = entity.structLists.first(where: { $0.path == path }) else { continue }
        fill(&row, list, given)
      default:
        guard let position = entity.column(at: path) else { continue }
        let column = entity.columns[position]
        guard let given else {
          row.values[position] = column.column.defaultValue
          // A collection that is not given has no elements.
          let needsNone =
            property.isOptional || property.defaultValue != nil || column.collectionKind != nil || column.target != nil
          if needsNone || !areKnown { continue }
          if isWithin {
            row.missing = row.missing ?? path
          } else {
            report(.missingValue, "'\(path)' needs a value", place)
          }
          continue
        }
        row.given.insert(position)
        if let target = column.target {
          row.values[position] = column.column.defaultValue
          do throws(QueryError) {
            let targets = try links(of: column, to: target, given.value, given.range)
            row.links.append(NewRow.Link(column: position, targets: targets))
          } catch {
            mistakes += error.diagnostics
          }
          continue
        }
        guard let kept = column.converted(given.value) else {
          mistakes += column.mismatch(given.value, source: source, range: given.range).diagnostics
          continue
        }
        row.values[position] = kept
      }
    }
  }

  /// Reports the fields that are no properties. Whether all are: of what is misspelt it can't be said that it lacks.
  private mutating func reportUnknown(_ fields: [Field], in structure: Entity, names: [SourceRange]) -> Bool {
    let known = structure.properties.map(\.name)
    let listing =
      "\(structure.name) has \(known.prefix(20).joined(separator: ", "))"
      + (known.count > 20 ? " and \(known.count - 20) more" : "")
    var areKnown = true
    for (index, field) in fields.enumerated() where structure.property(named: field.name) == nil {
      let meant = Suggestion.nearest(to: field.name, among: known)
      areKnown = false
      let range = names.indices.contains(index) ? names[index] : nil
      report(
        .unknownProperty, "\(structure.name) has no property '\(field.name)'", range ?? field.range,
        notes: [(meant.map { "did you mean '\($0)'? " } ?? "") + listing])
    }
    return areKnown
  }

  private mutating func fill(
    _ row: inout NewRow, _ property: Property, _ inner: Entity, path: String, _ given: Field?, _ place: SourceRange
  ) {
    let presence = property.isOptional ? entity.column(at: path) : nil
    switch given?.value {
    case .none where property.isOptional: return
    case .null? where property.isOptional:
      if let presence { row.given.insert(presence) }
    case .none, .null?: fill(&row, inner, prefix: path + ".", [], names: [], given?.range ?? place)
    case .embedded(let fields)?:
      let range = given?.range ?? place
      if let presence {
        row.values[presence] = .bool(true)
        row.given.insert(presence)
      }
      fill(
        &row, inner, prefix: path + ".", fields.map { Field(name: $0.name, value: $0.value, range: range) }, names: [],
        range)
    case .some:
      report(.typeMismatch, "'\(path)' is a \(inner.name): write an object", given?.range ?? place)
    }
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = []
  ) {
    mistakes.append(Diagnostic(code: code, message: message, range: range, notes: notes))
  }

  func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [])
    -> QueryError
  {
    QueryError(source: source, Diagnostic(code: code, message: message, range: range, notes: notes))
  }
}
