internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

/// Links in the SET of an UPDATE: the targets are written as their unique property or as expressions.
extension AssignmentBinder {
  /// Binds the assignment of a link, or of links. Returns nil if the path is not a link, and an empty list after an
  /// error.
  mutating func links(of syntax: AssignmentSyntax) -> [CompiledAssignments.Assignment]? {
    switch try? binder.paths.resolve(syntax.path, range: syntax.range) {
    case .link(let column, let target)?:
      return object(syntax.value, of: target, column, allowsNil: true).map { [assignment(syntax, column, [$0], false)] }
        ?? []
    case .links(let column, let target)?:
      guard case .list(let elements) = syntax.value.kind else {
        binder.report(
          .typeMismatch, "'\(entity.columns[column].path)' holds links to many objects", syntax.value.range,
          notes: ["write them as a list, as in {'a', 'b'}, or {} for none"])
        return []
      }
      let parts = elements.compactMap { object($0, of: target, column, allowsNil: false) }
      return parts.count == elements.count ? [assignment(syntax, column, parts, true)] : []
    default: return nil
    }
  }

  /// Reports paths to a property of linked objects, and inverses, which are set at the other end of the link.
  mutating func isElsewhere(_ syntax: AssignmentSyntax) -> Bool {
    guard let (target, rest) = try? binder.paths.follow(syntax.path, range: syntax.range) else { return false }
    let owner: String
    switch target {
    case .link(_, let name), .links(_, let name): owner = name
    case .sources(let name, let path):
      if rest.isEmpty {
        binder.report(
          .typeMismatch, "'\(syntax.path)' is the other end of \(name).\(path)", syntax.range,
          notes: ["set '\(path)' of the objects of \(name)"])
        return true
      }
      owner = name
    default: return false
    }
    guard !rest.isEmpty, rest.allSatisfy({ if case .name = $0.kind { true } else { false } }) else { return false }
    let path = PathSyntax(steps: Array(rest))
    binder.report(
      .typeMismatch, "'\(syntax.path)' is of the \(owner) that is linked to, not of \(entity.name)", syntax.range,
      notes: ["it is set there: 'UPDATE \(owner) SET \(path) = … WHERE …'"])
    return true
  }

  private func assignment(
    _ syntax: AssignmentSyntax, _ column: Int, _ parts: [BoundExpression], _ isList: Bool
  ) -> CompiledAssignments.Assignment {
    CompiledAssignments.Assignment(
      column: column, parts: parts, isList: isList, presence: presence(around: entity.columns[column].path),
      syntax: syntax)
  }

  /// Binds an expression to an object, or to the value of its unique property. Returns nil after an error.
  private mutating func object(
    _ syntax: ExpressionSyntax, of name: String, _ column: Int, allowsNil: Bool
  ) -> BoundExpression? {
    guard let written = binder.expression(syntax) else { return nil }
    // Before folding, which would leave only the object ID.
    if let other = written.type.objectEntity {
      if other == name { return written }
      binder.report(
        .typeMismatch,
        "'\(entity.columns[column].path)' leads to \(name), and '\(syntax.predicateFormat)' is an object of \(other)",
        syntax.range, notes: ["write an object of \(name), as in object('\(name)', 17)"])
      return nil
    }
    let bound = written.folded
    if bound.type == .null, allowsNil { return bound }
    let target = snapshot.schema.entity(named: name)
    let index = target?.indexes.first { $0.isUnique && $0.columns.count == 1 }
    if let target, let index, let key = index.columns.first, let constant = bound.constant,
      let value = target.columns[key].converted(constant), !value.isNull
    {
      do {
        if let number = try snapshot.find(unique: index, value, of: target) {
          return .constant(.int(Int64(bitPattern: number.rawValue)))
        }
        binder.report(
          .unknownObject,
          "there is no \(name) with \(target.columns[key].path) \(ExpressionSyntax(.literal(value)).predicateFormat)",
          syntax.range, notes: ["INSERT it first"])
      } catch {
        binder.report(.typeMismatch, "\(error)", syntax.range)
      }
      return nil
    }
    binder.report(
      .typeMismatch, "'\(entity.columns[column].path)' leads to \(name), and \(binder.described(syntax, bound))",
      syntax.range,
      notes: [
        index == nil
          ? "write an object, as in object('\(name)', 17)" : "write its unique property, or object('\(name)', 17)"
      ])
    return nil
  }
}
