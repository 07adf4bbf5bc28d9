internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Makes a row from the fields of an object in a statement. Fields that are not given have their declared default, or
/// nil if that is allowed. All errors in the fields are collected before they are thrown.
struct InsertRow {
  let entity: StoredEntity
  let schema: StoredSchema
  let text: ObjectText
  /// The path of the object; empty for the outermost one.
  let place: JSONPath

  /// The errors so far.
  var mistakes: [Diagnostic] = []

  init(_ entity: StoredEntity, schema: StoredSchema, text: ObjectText, at place: JSONPath = JSONPath()) {
    self.entity = entity
    self.schema = schema
    self.text = text
    self.place = place
  }

  struct Field {
    var name: String
    var value: Value
  }

  /// Whether the object is nested in another one, and may be merged with an existing one.
  private var isWithin: Bool { !place.steps.isEmpty }

  /// The row of the outermost object.
  mutating func row(of fields: [ObjectFieldSyntax]) throws(QueryError) -> NewRow {
    try row(fields.map { Field(name: $0.name.text, value: $0.value) })
  }

  /// The row of an object within another.
  mutating func row(of fields: [EmbeddedField]) throws(QueryError) -> NewRow {
    try row(fields.map { Field(name: $0.name, value: $0.value) })
  }

  /// The column values of a struct, by its dotted path, and the targets of its links. Fields that are not given have
  /// their declared default, as in a new object.
  mutating func structure(
    at path: String, _ fields: [EmbeddedField]
  ) -> (values: [(column: Int, value: Value)], links: [NewRow.Link]) {
    var structure = entity.entity
    var property: Property?
    for name in path.split(separator: ".") {
      property = structure.property(named: String(name))
      guard case .embedded(let inner)? = property?.type, let next = schema.schema.structure(named: inner) else {
        return ([], [])
      }
      structure = next
    }
    guard let property else { return ([], []) }
    var row = NewRow(entity: entity.name, values: Array(repeating: .null, count: entity.columns.count))
    fill(&row, property, structure, path: path, Field(name: property.name, value: .embedded(fields)))
    let columns = entity.columns.indices.filter {
      entity.columns[$0].path == path || entity.columns[$0].path.hasPrefix(path + ".")
    }
    return (columns.map { ($0, row.values[$0]) }, row.links)
  }

  private mutating func row(_ fields: [Field]) throws(QueryError) -> NewRow {
    var row = NewRow(entity: entity.name, values: Array(repeating: .null, count: entity.columns.count))
    fill(&row, entity.entity, prefix: "", fields)
    if !mistakes.isEmpty { throw QueryError(source: text.source, diagnostics: mistakes) }
    return row
  }

  private mutating func fill(
    _ row: inout NewRow, _ structure: Entity, prefix: String, _ fields: [Field]
  ) {
    let areKnown = reportUnknown(fields, in: structure, prefix: prefix)
    for property in structure.properties {
      let path = prefix + property.name
      let given = fields.last { $0.name == property.name }
      switch property.type {
      case .embedded(let name):
        guard areKnown || given != nil, let inner = schema.schema.structure(named: name) else { continue }
        fill(&row, property, inner, path: path, given)
      case .linkingObjects(let other, let link):
        guard given != nil else { continue }
        report(
          .typeMismatch, path, "is the other end of \(other).\(link)",
          notes: ["set '\(link)' of the objects of \(other)"])
      case .embeddedList:
        guard let list = entity.structLists.first(where: { $0.path == path }) else { continue }
        fill(&row, list, given)
      default:
        guard let position = entity.column(at: path) else { continue }
        let column = entity.columns[position]
        guard let given else {
          row.values[position] =
            property.generatedDefault?.make() ?? column.valueWhereNotGiven(isOptional: property.isOptional)
          let needsNone =
            property.isOptional || property.defaultValue != nil || property.generatedDefault != nil
            || column.collectionKind != nil || column.target != nil
          if needsNone || !areKnown { continue }
          if isWithin { row.missing.append(position) } else { report(.missingValue, path, "needs a value") }
          continue
        }
        row.given.insert(position)
        if let target = column.target {
          row.values[position] = column.column.defaultValue
          do throws(QueryError) {
            let targets = try links(of: column, to: target, given.value)
            row.links.append(NewRow.Link(column: position, targets: targets))
          } catch {
            mistakes += error.diagnostics.prefix(DiagnosticError.most - mistakes.count)
          }
          continue
        }
        guard let kept = column.converted(given.value) else {
          report(column, given.value)
          continue
        }
        if column.scalarType == .decimal, reportLostDigits(of: given.value, at: place.property(path)) { continue }
        row.values[position] = kept
      }
    }
  }

  /// Reports the fields that are not properties. Returns whether all are; missing fields are not reported if some are
  /// misspelled.
  private mutating func reportUnknown(_ fields: [Field], in structure: Entity, prefix: String) -> Bool {
    let known = structure.properties.map(\.name)
    let listing =
      "\(structure.name) has \(known.prefix(20).joined(separator: ", "))"
      + (known.count > 20 ? " and \(known.count - 20) more" : "")
    var areKnown = true
    for field in fields where structure.property(named: field.name) == nil {
      areKnown = false
      guard mistakes.count < DiagnosticError.most else { continue }
      let meant = Suggestion.nearest(to: field.name, among: known)
      mistakes.append(
        Diagnostic(
          code: .unknownProperty, message: "\(structure.name) has no property '\(field.name)'",
          range: text.range(of: JSONPath(place.property(prefix).steps + [.property(field.name)]), isName: true),
          notes: [(meant.map { "did you mean '\($0)'? " } ?? "") + listing]))
    }
    return areKnown
  }

  private mutating func fill(
    _ row: inout NewRow, _ property: Property, _ inner: Entity, path: String, _ given: Field?
  ) {
    let presence = property.isOptional ? entity.column(at: path) : nil
    switch given?.value {
    case .none where property.isOptional: return
    case .null? where property.isOptional:
      if let presence { row.given.insert(presence) }
    case .none, .null?: fill(&row, inner, prefix: path + ".", [])
    case .embedded(let fields)?:
      if let presence {
        row.values[presence] = .bool(true)
        row.given.insert(presence)
      }
      fill(&row, inner, prefix: path + ".", fields.map { Field(name: $0.name, value: $0.value) })
    case .some: report(.typeMismatch, path, "is a \(inner.name): write an object")
    }
  }

  /// Reports the first number of a property of Decimals that is written with more digits than a Decimal has, and so
  /// was read as a Double. Returns whether there is one.
  mutating func reportLostDigits(of value: Value, at path: JSONPath) -> Bool {
    switch value {
    case .double, .list, .embedded: break
    case .null, .bool, .int, .float, .decimal, .string, .date, .uuid, .data, .object: return false
    }
    guard let number = text.numberBeyondDecimals(in: path) else { return false }
    if mistakes.count < DiagnosticError.most {
      let has = if case .double = value { "is a Decimal, which has" } else { "holds Decimals, which have" }
      mistakes.append(
        Diagnostic(
          code: .typeMismatch, message: "'\(path)' \(has) 38 digits, and these are more", range: number))
    }
    return true
  }

  /// Reports that a value does not fit a column.
  mutating func report(_ column: StoredColumn, _ value: Value) {
    let mismatch = column.mismatch(value)
    guard mistakes.count < DiagnosticError.most else { return }
    var path = place.property(column.path)
    if let step = column.misfit(in: value) { path = path.appending(step) }
    mistakes.append(text.diagnostic(mismatch.code, path, mismatch.message, notes: mismatch.notes))
  }

  /// Reports an error in a property, given by its dotted path, to which the message is appended.
  mutating func report(_ code: DiagnosticCode, _ path: String, _ message: String, notes: [String] = []) {
    guard mistakes.count < DiagnosticError.most else { return }
    mistakes.append(text.diagnostic(code, place.property(path), message, notes: notes))
  }
}

extension StoredColumn {
  /// The value of a property that is not given, in an existing object or struct: the declared default. For a collection
  /// it is empty, unless the collection itself may be nil.
  fileprivate func valueWhereNotGiven(isOptional: Bool) -> Value {
    guard !isOptional, column.defaultValue.isNull else { return column.defaultValue }
    if case .links = column.kind { return .list([]) }
    return collectionKind?.empty ?? .null
  }
}
