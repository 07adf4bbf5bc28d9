internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Values of single keys of a dictionary in the SET of an UPDATE: `SET prices['tea'] = 2.5`.
extension AssignmentBinder {
  /// Binds the assignment of a dictionary key. Returns nil if the path is not an element of a collection, and an empty
  /// list after an error.
  mutating func entry(of syntax: AssignmentSyntax) -> [CompiledAssignments.Assignment]? {
    guard let step = syntax.path.steps.last, syntax.path.steps.count > 1, step.isItem || step.isOperation,
      let column = entity.collection(at: PathSyntax(steps: Array(syntax.path.steps.dropLast())))
    else { return nil }
    let stored = entity.columns[column]
    guard case .index(let key) = step.kind, stored.collectionKind == .dictionary else {
      let list = stored.collectionKind == .dictionary ? "{\"a\": …}" : "{…}"
      binder.report(
        .typeMismatch,
        step.isItem
          ? "'\(stored.path)' is set as a whole, not element by element"
          : "'\(syntax.path)' is computed and cannot be set",
        syntax.range, notes: ["as in 'SET \(stored.path) = \(list)'"])
      return []
    }
    guard let bound = binder.expression(key)?.folded, let value = value(for: stored, syntax) else { return [] }
    guard bound.type == .string else {
      binder.report(
        .typeMismatch, "\(binder.described(key, bound)); the key of a dictionary is a String", key.range)
      return []
    }
    guard case .constant(.string(let name)) = bound else {
      binder.report(
        .typeMismatch, "the key of a dictionary is written where it is set, and this is another for every object",
        key.range)
      return []
    }
    var assignment = CompiledAssignments.Assignment(
      column: column, parts: [.column(column, .list), value], presence: presence(around: stored.path), syntax: syntax)
    assignment.keys = [name]
    return [assignment]
  }

  /// Binds the value of a key. Returns nil after an error.
  private mutating func value(for stored: StoredColumn, _ syntax: AssignmentSyntax) -> BoundExpression? {
    guard let bound = binder.expression(syntax.value)?.folded else { return nil }
    if bound.type == .null { return bound }
    if stored.scalarType == .decimal, binder.reportsLostDigits(in: syntax.value) { return nil }
    if let constant = bound.constant {
      let kept = stored.converted(.embedded([EmbeddedField(name: "", value: constant)]))
      if case .embedded(let fields)? = kept, let field = fields.first { return .constant(field.value) }
    } else if stored.mayKeep(bound.type, asElement: true) {
      return bound
    }
    binder.report(
      .typeMismatch,
      "'\(stored.path)' holds \(stored.scalarType.rawValue), and \(binder.described(syntax.value, bound))",
      syntax.value.range)
    return nil
  }
}

extension CompiledAssignments.Assignment {
  /// Whether both set keys of the same dictionary and have no key in common.
  func isOfOtherKeys(_ other: CompiledAssignments.Assignment) -> Bool {
    column == other.column && !keys.isEmpty && !other.keys.isEmpty && !keys.contains { other.keys.contains($0) }
  }
}

extension PathSyntax.Step {
  fileprivate var isOperation: Bool { if case .operation = kind { true } else { false } }
}
