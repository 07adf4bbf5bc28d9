internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// Objects in the SET of an UPDATE as the values of links: `SET owner = {"name": "Ann"}`.
struct AssignedObjects {
  /// All assignments; those of objects set nothing yet.
  private(set) var assignments: [AssignmentSyntax]
  /// The links of an existing object to the written ones.
  private(set) var row: NewRow
  let text: ObjectText
  private let entity: StoredEntity
  private let schema: StoredSchema

  init(
    _ assignments: [AssignmentSyntax], of entity: StoredEntity, schema: StoredSchema, source: String
  ) throws(QueryError) {
    self.assignments = assignments
    self.entity = entity
    self.schema = schema
    row = NewRow(entity: entity.name, values: [])
    text = ObjectText(assignments, source: source)
    let fields = InsertRow(entity, schema: schema, text: text)
    for (place, assignment) in assignments.enumerated() {
      guard case .literal(let value) = assignment.value.kind, value.hasObjects,
        let position = entity.column(at: assignment.path.description), let target = entity.columns[position].target
      else { continue }
      let targets = try fields.links(of: entity.columns[position], to: target, value)
      row.links.append(NewRow.Link(column: position, targets: targets))
      let isMany = if case .links = entity.columns[position].column.kind { true } else { false }
      self.assignments[place].value.kind = isMany ? .list([]) : .literal(.null)
    }
  }

  /// Converts a struct that is written as an object to column values; the targets of its links are resolved later.
  mutating func structure(
    _ assignment: AssignmentSyntax, _ fields: [EmbeddedField]
  ) -> CompiledAssignments.WrittenStruct {
    var insert = InsertRow(entity, schema: schema, text: text)
    let written = insert.structure(at: assignment.path.description, fields)
    row.links += written.links
    return CompiledAssignments.WrittenStruct(values: written.values, mistakes: insert.mistakes)
  }

  /// Adds the objects, and returns the changes with links to them.
  func added(
    to changes: [[(column: Int, value: Value)]], in transaction: WriteTransaction
  ) throws -> (changes: [[(column: Int, value: Value)]], added: ObjectChanges) {
    if row.links.isEmpty || changes.isEmpty { return (changes, ObjectChanges()) }
    let (links, added) = try GraphInserter(transaction).telling(text) { try $0.values(ofLinks: row) }
    return (changes.map { $0.map { ($0.column, links[$0.column] ?? $0.value) } }, added)
  }
}

extension Value {
  /// Whether the value is an object, or a list with objects.
  fileprivate var hasObjects: Bool {
    switch self {
    case .embedded: true
    case .list(let elements): elements.contains { if case .embedded = $0 { true } else { false } }
    default: false
    }
  }
}
