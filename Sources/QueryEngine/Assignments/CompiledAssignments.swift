package import Diagnostics
package import PredicateLanguage
internal import Schema
package import Storage
package import Values

/// The SET of an UPDATE with its names looked up and its types checked: the new values of columns, computed from the
/// old ones.
package struct CompiledAssignments: Sendable {
  /// One column and its new value.
  struct Assignment: Sendable {
    let column: Int
    /// One expression, or the elements of a list.
    var parts: [BoundExpression]
    /// Whether the new value is a list of the parts.
    var isList = false
    /// The dictionary keys to set. The first part is the old dictionary, the others are the values of the keys.
    var keys: [String] = []
    /// The presence column of the optional struct around the column. The column can have a value only if the struct
    /// exists.
    let presence: Int?
    /// The assignment as written, for errors.
    let syntax: AssignmentSyntax
  }

  /// The column values of a struct that is written as a JSON object, or the errors in it.
  package struct WrittenStruct {
    let values: [(column: Int, value: Value)]
    let mistakes: [Diagnostic]

    package init(values: [(column: Int, value: Value)], mistakes: [Diagnostic]) {
      self.values = values
      self.mistakes = mistakes
    }
  }

  /// The paths that are set, as written.
  package let paths: [String]
  /// The values that are computed for each object, as written.
  package var computed: [String] {
    var found: [AssignmentSyntax] = []
    for assignment in assignments where !assignment.parts.allSatisfy({ $0.fixed(at: .now).isConstant }) {
      if found.last != assignment.syntax { found.append(assignment.syntax) }
    }
    return found.map(\.value.readableFormat)
  }
  private let assignments: [Assignment]
  private let entity: StoredEntity
  private let source: String

  /// Binds assignments to an entity. Objects are looked up in `snapshot`; `structs` converts structs written as JSON
  /// objects, as for an INSERT.
  ///
  /// - Throws: A `DiagnosticError` with all errors in the assignments and their positions in the text.
  package init(
    _ syntaxes: [AssignmentSyntax], context: SourceContext, entity: StoredEntity, in snapshot: Snapshot,
    structs: (AssignmentSyntax, [EmbeddedField]) -> WrittenStruct
  ) throws(DiagnosticError) {
    var binder = AssignmentBinder(context: context, entity: entity, in: snapshot)
    assignments = try binder.bound(syntaxes, structs)
    paths = syntaxes.map { $0.path.description }
    self.entity = entity
    source = context.source
  }

  /// The new values of each object. All are computed from the objects in `snapshot`, and checked, before this returns.
  /// `now` is the value of every `now()`.
  package func changes(
    of objects: [ObjectNumber], in snapshot: Snapshot, now: Instant = .now, isCancelled: (() throws -> Bool)? = nil
  ) throws -> [[(column: Int, value: Value)]] {
    let fixed = assignments.flatMap(\.parts).map { $0.fixed(at: now) }
    let presences = Array(Set(assignments.compactMap(\.presence))).sorted()
    let expressions = fixed + presences.map { .column($0, .bool) }
    let cancellation = CancellationCheck(isCancelled)
    let rows = try cancellation.during {
      try ExpressionEvaluation.values(
        expressions, of: objects.map(\.rawValue), entity, snapshot, ExecutionContext(snapshot, nil, cancellation))
    }
    return try zip(objects, rows).map { object, row in
      try cancellation.step()
      for (place, presence) in presences.enumerated() where row[fixed.count + place].isNull {
        throw absent(presence, of: object)
      }
      var place = 0
      return try assignments.map { assignment in
        let parts = Array(row[place..<place + assignment.parts.count])
        place += parts.count
        let value =
          assignment.isList
          ? .list(parts)
          : assignment.keys.isEmpty
            ? parts.first ?? .null : parts.first.setting(assignment.keys, to: parts.dropFirst())
        let column = entity.columns[assignment.column]
        guard let kept = column.assigned(column.target == nil ? value : value.numbers) else {
          throw refusal(of: value, for: column, object, assignment)
        }
        return (assignment.column, kept)
      }
    }
  }

  private func absent(_ presence: Int, of object: ObjectNumber) -> DiagnosticError {
    let path = entity.columns[presence].path
    let range = assignments.first { $0.presence == presence }?.syntax.range
    return DiagnosticError(
      source: source,
      Diagnostic(
        code: .missingValue,
        message: "'\(path)' of \(entity.name) number \(object.rawValue) is nil, so nothing in it can be set",
        range: range, notes: ["leave such objects out: WHERE \(path) != nil"]))
  }

  private func refusal(
    of value: Value, for column: StoredColumn, _ object: ObjectNumber, _ assignment: Assignment
  ) -> DiagnosticError {
    let whose = "of \(entity.name) number \(object.rawValue)"
    if value.isNull {
      return DiagnosticError(
        source: source,
        Diagnostic(
          code: .missingValue, message: "'\(column.path)' \(whose) would become nil, and it needs a value",
          range: assignment.syntax.value.range,
          notes: ["an Int that does not fit, an Int divided by zero and whatever is computed from nil are nil"]))
    }
    let text = ExpressionSyntax(.literal(value)).predicateFormat
    return DiagnosticError(
      source: source,
      Diagnostic(
        code: .valueDoesNotFit,
        message: "'\(column.path)' \(whose) would become \(text), which \(column.column.typeName) cannot keep",
        range: assignment.syntax.value.range,
        notes: column.scalarType.isInteger && !value.isWhole ? ["make it whole: round(…), floor(…) or trunc(…)"] : []))
  }
}

extension Value? {
  /// The dictionary with new values for some keys; a key whose value is nil is removed.
  fileprivate func setting(_ keys: [String], to values: ArraySlice<Value>) -> Value {
    var fields: [EmbeddedField] = []
    if case .embedded(let own)? = self { fields = own }
    for (key, value) in zip(keys, values) {
      // Keys are the bytes of their texts, as `==` of texts compares them.
      fields.removeAll { $0.name.utf8.elementsEqual(key.utf8) }
      if !value.isNull { fields.append(EmbeddedField(name: key, value: value)) }
    }
    return .embedded(fields)
  }
}

extension Value {
  /// The value with objects replaced by their IDs.
  fileprivate var numbers: Value {
    switch self {
    case .object(let object): .int(Int64(bitPattern: object.number.rawValue))
    case .list(let elements): .list(elements.map(\.numbers))
    default: self
    }
  }

  /// Whether the value is an integer, of any numeric type.
  fileprivate var isWhole: Bool {
    switch self {
    case .int: true
    case .double(let number): number == number.rounded()
    case .float(let number): number == number.rounded()
    case .decimal(let number): number.exponent >= 0
    default: false
    }
  }
}
