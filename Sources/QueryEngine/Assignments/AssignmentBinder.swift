internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Binds the SET of an UPDATE, and collects all errors in it.
struct AssignmentBinder {
  let entity: StoredEntity
  var binder: Binder
  /// The snapshot in which objects are looked up by their unique property.
  let snapshot: Snapshot
  private var substitution: ArgumentSubstitution

  init(context: SourceContext, entity: StoredEntity, in snapshot: Snapshot) {
    self.entity = entity
    self.snapshot = snapshot
    let schema = snapshot.schema
    binder = Binder(entity: entity, schema: schema, source: context.source)
    substitution = ArgumentSubstitution(context: context, isProperty: entity.hasProperty)
  }

  /// Converts a struct that is written as a JSON object to values of its columns.
  typealias Structs = (AssignmentSyntax, [EmbeddedField]) -> CompiledAssignments.WrittenStruct

  mutating func bound(
    _ syntaxes: [AssignmentSyntax], _ structs: Structs
  ) throws(DiagnosticError) -> [CompiledAssignments.Assignment] {
    var assignments: [CompiledAssignments.Assignment] = []
    for var syntax in syntaxes {
      syntax.path = substitution.path(syntax.path)
      syntax.value = substitution.expression(syntax.value)
      binder.adaptable = substitution.textArguments
      for assignment in bound(syntax, structs) {
        if let place = assignments.firstIndex(where: { $0.isOfOtherKeys(assignment) }) {
          assignments[place].keys += assignment.keys
          assignments[place].parts += assignment.parts.dropFirst()
          continue
        }
        if assignments.contains(where: { $0.column == assignment.column }) {
          binder.report(.duplicateProperty, "'\(syntax.path)' is set twice", syntax.range)
        }
        assignments.append(assignment)
      }
    }
    substitution.finish()
    let found = substitution.diagnostics.isEmpty ? binder.diagnostics : substitution.diagnostics
    let errors = found.filter { $0.severity == .error }
    guard errors.isEmpty else { throw DiagnosticError(source: substitution.context.source, diagnostics: errors) }
    return assignments
  }

  private mutating func bound(_ syntax: AssignmentSyntax, _ structs: Structs) -> [CompiledAssignments.Assignment] {
    if let assignment = links(of: syntax) ?? self.structs(of: syntax) ?? entry(of: syntax) { return assignment }
    if let column = entity.collection(at: syntax.path) {
      return collection(of: syntax, for: column).map { [$0] } ?? []
    }
    if isElsewhere(syntax) { return [] }
    let target: PathTarget
    do throws(Diagnostic) { target = try binder.paths.resolve(syntax.path, range: syntax.range) } catch {
      binder.report(error)
      // The value is bound as well, to report its errors.
      _ = binder.expression(syntax.value)
      return []
    }
    switch target {
    case .column(let column): return value(of: syntax, for: column).map { [$0] } ?? []
    case .structure(let columns, let presence):
      return structure(columns, presence, of: syntax, structs)
    default:
      binder.report(.typeMismatch, "'\(syntax.path)' cannot be set", syntax.range)
    }
    return []
  }

  private mutating func value(
    of syntax: AssignmentSyntax, for column: Int
  ) -> CompiledAssignments.Assignment? {
    let stored = entity.columns[column]
    if case .literal(.embedded) = syntax.value.kind {
      binder.report(
        .typeMismatch, "'\(stored.path)' is \(stored.column.typeName), and this is an object", syntax.value.range,
        notes: ["only a dictionary becomes an object"])
      return nil
    }
    guard let bound = binder.expression(syntax.value)?.folded else { return nil }
    if stored.scalarType == .decimal, binder.reportsLostDigits(in: syntax.value) { return nil }
    var value = bound
    if let constant = bound.constant {
      guard let kept = stored.converted(constant) ?? adapted(constant, syntax.value, to: stored) else {
        report(syntax, bound, stored)
        return nil
      }
      value = .constant(kept)
    } else if !stored.mayKeep(bound.type) {
      report(syntax, bound, stored)
      return nil
    }
    return CompiledAssignments.Assignment(
      column: column, parts: [value], presence: presence(around: stored.path), syntax: syntax)
  }

  /// Binds the assignment of a collection: to a list of expressions, another collection of the same kind, an argument,
  /// or nil.
  private mutating func collection(
    of syntax: AssignmentSyntax, for column: Int
  ) -> CompiledAssignments.Assignment? {
    let stored = entity.columns[column]
    var assignment = CompiledAssignments.Assignment(
      column: column, parts: [], presence: presence(around: stored.path), syntax: syntax)
    switch syntax.value.kind {
    case .list(let elements) where stored.collectionKind != .dictionary:
      assignment.isList = true
      for element in elements {
        guard let bound = binder.expression(element)?.folded else { continue }
        if stored.scalarType == .decimal, binder.reportsLostDigits(in: element) { continue }
        let kept = bound.constant.flatMap { stored.converted(.list([$0])) }
        if case .list(let only)? = kept, let value = only.first {
          assignment.parts.append(.constant(value))
        } else if bound.constant == nil, stored.mayKeep(bound.type, asElement: true) {
          assignment.parts.append(bound)
        } else {
          binder.report(
            .typeMismatch,
            "'\(stored.path)' is \(stored.column.typeName), and \(binder.described(element, bound))", element.range)
        }
      }
      return assignment
    case .list(let elements) where elements.isEmpty: assignment.parts = [.constant(.embedded([]))]
    case .literal(let value):
      guard let kept = stored.converted(value) else {
        if reportElement(of: value, stored, syntax) { return nil }
        return mismatched(syntax, stored, value.isNull)
      }
      if stored.scalarType == .decimal, reportsLostDigits(at: JSONPath(), of: stored.path, syntax) { return nil }
      assignment.parts = [.constant(kept)]
    case .path(let path):
      guard let other = entity.collection(at: path),
        entity.columns[other].collectionKind == stored.collectionKind,
        entity.columns[other].scalarType == stored.scalarType
      else { return mismatched(syntax, stored, false) }
      assignment.parts = [.column(other, .list)]
    default: return mismatched(syntax, stored, false)
    }
    return assignment
  }

  /// Reports the first element of a JSON list or dictionary that does not fit, at its position in the text. Returns
  /// false if there is none.
  private mutating func reportElement(of value: Value, _ column: StoredColumn, _ syntax: AssignmentSyntax) -> Bool {
    guard let step = column.misfit(in: value) else { return false }
    let place = JSONPath([step])
    binder.report(
      .typeMismatch,
      "'\(JSONPath().property(column.path).appending(step))' is of type \(column.scalarType.rawValue), which this is not",
      place.range(in: binder.source, from: syntax.value.range))
    return true
  }

  /// Reports the first number in a JSON value, at a path in it, that has more digits than a Decimal. Returns whether
  /// there is one.
  mutating func reportsLostDigits(at path: JSONPath, of name: String, _ syntax: AssignmentSyntax) -> Bool {
    guard let number = path.numberBeyondDecimals(in: binder.source, from: syntax.value.range) else { return false }
    binder.report(.typeMismatch, "'\(name)\(path)' holds Decimals, which have 38 digits, and these are more", number)
    return true
  }

  private mutating func mismatched(
    _ syntax: AssignmentSyntax, _ column: StoredColumn, _ isNull: Bool
  ) -> CompiledAssignments.Assignment? {
    if isNull {
      binder.report(.missingValue, "'\(column.path)' cannot be nil", syntax.value.range)
      return nil
    }
    binder.report(
      .typeMismatch, "'\(column.path)' is \(column.column.typeName), which this is not", syntax.value.range,
      notes: [column.collectionKind == .dictionary ? "write {\"a\": …}, or {} for none" : "write a list, as in {1, 2}"])
    return nil
  }

  /// A string argument converted to the column's type.
  private func adapted(_ value: Value, _ syntax: ExpressionSyntax, to column: StoredColumn) -> Value? {
    if column.scalarType == .bool, case .int(let number) = value, number == 0 || number == 1 {
      return .bool(number == 1)
    }
    let type = ExpressionType(column.scalarType)
    guard let text = binder.adaptable[syntax.range]?[value], TextAdaptation.mayBe(text, type) else { return nil }
    return TextAdaptation.value(text.text, as: type).flatMap { column.converted($0) }
  }

  private mutating func report(_ syntax: AssignmentSyntax, _ value: BoundExpression, _ column: StoredColumn) {
    if value.type == .null {
      let isLiteral = if case .literal = syntax.value.kind { true } else { false }
      binder.report(
        .missingValue, "'\(column.path)' needs a value, and \(isLiteral ? "nil is none" : "this is always nil")",
        syntax.value.range)
      return
    }
    var notes: [String] = []
    if value.constant != nil, ExpressionType(column.scalarType).isNumeric, value.type.isNumeric {
      notes = ["\(column.scalarType.rawValue) cannot keep that number"]
    } else if column.scalarType == .date, value.type == .string {
      notes = ["write a date as 2018-02-07 or 2018-02-07T01:02:03Z"]
    }
    binder.report(
      .typeMismatch,
      "'\(column.path)' is \(column.scalarType.rawValue), and \(binder.described(syntax.value, value))",
      syntax.value.range, notes: notes)
  }

  /// The presence column of the innermost optional struct around a property.
  func presence(around path: String) -> Int? {
    var names = path.split(separator: ".").map(String.init)
    while names.count > 1 {
      names.removeLast()
      if let column = entity.column(at: names.joined(separator: ".")) { return column }
    }
    return nil
  }
}

extension BoundExpression {
  /// The expression with every `now()` replaced by a time.
  func fixed(at moment: Instant) -> BoundExpression {
    mapped { if case .now = $0 { .constant(.date(moment)) } else { $0 } }
  }
}
