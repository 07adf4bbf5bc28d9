internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// What a path comes to: a single value or many. nil after an error.
  mutating func reached(_ path: PathSyntax, range: SourceRange) -> BoundOperand.Content? {
    if let name = path.variable { return variable(name, path.steps, range: range) }
    do throws(Diagnostic) {
      let (target, rest) = try paths.follow(path, range: range)
      switch target {
      case .column(let column): return .single(.column(column, ExpressionType(entity.columns[column].scalarType)))
      case .structure(_, let presence?): return .single(.column(presence, .structure))
      case .structure(_, nil), .object:
        report(
          .typeMismatch,
          path.steps.isEmpty ? "SELF is the object itself" : "'\(path)' is a struct that is always there",
          range, notes: ["write one of its properties after a dot"])
        return nil
      case .entityName: return .single(.constant(.string(entity.name)))
      case .collection(let column):
        let kind = entity.columns[column].collectionKind ?? .array
        let collection = BoundCollection.column(column, ExpressionType(entity.columns[column].scalarType))
        return followed(rest, from: collection, kind, range: range)
      }
    } catch {
      report(error)
      return nil
    }
  }

  /// What a column of rows shows: one value, or the elements that a path or SUBQUERY leads to as a list. nil after an
  /// error.
  mutating func shown(_ syntax: ExpressionSyntax) -> BoundExpression? {
    switch syntax.kind {
    case .path, .subquery:
      guard let operand = operand(syntax) else { return nil }
      return operand.collection.map { BoundExpression.reduced(.list, $0) } ?? operand.single
    default: return expression(syntax)
    }
  }

  private mutating func variable(
    _ name: String, _ steps: [PathSyntax.Step], range: SourceRange
  ) -> BoundOperand.Content? {
    guard let variable = variables.last(where: { $0.name == name }) else {
      report(.unknownVariable, "'$\(name)' is the element of no SUBQUERY around it", range)
      return nil
    }
    if let step = steps.first {
      report(
        .unknownProperty, "'$\(name)' is \(variable.type.name), a single value: nothing can follow it",
        step.place(in: range))
      return nil
    }
    return .single(.element(level: variable.level, variable.type))
  }

  /// What the steps after a collection make of it. `kind` is nil for one that is computed.
  mutating func followed(
    _ steps: ArraySlice<PathSyntax.Step>, from start: BoundCollection, _ kind: CollectionKind?, range: SourceRange
  ) -> BoundOperand.Content? {
    var content = BoundOperand.Content.many(start)
    var kind = kind
    for step in steps {
      let place = step.place(in: range)
      guard case .many(let collection) = content else {
        report(.typeMismatch, "nothing can follow what is a single value already", place)
        return nil
      }
      switch step.kind {
      case .operation("distinctUnionOfObjects"): content = .many(.distinct(collection))
      case .operation("keys"), .operation("values"):
        guard kind == .dictionary, case .column(let column, _) = collection else {
          report(.typeMismatch, "only a dictionary has @keys and @values", place)
          return nil
        }
        if case .operation("keys") = step.kind { content = .many(.keys(column)) }
      case .operation(let name):
        guard let reduction = aggregate(name, of: collection, place) else { return nil }
        content = .single(.reduced(reduction, collection))
      case .size: content = .single(.reduced(.count, collection))
      case .first, .last:
        guard isOrdered(kind, place) else { return nil }
        content = .single(.item(collection, step.kind == .first ? .first : .last))
      case .index(let index):
        guard let item = item(at: index, of: collection, kind, place) else { return nil }
        content = .single(item)
      case .name(let name):
        report(
          .unknownProperty, "the elements are \(collection.elementType?.name ?? "values"), without properties", place,
          notes: kind == .dictionary ? ["the value of a key is written [\"\(name)\"]"] : [])
        return nil
      case .placeholder:
        report(.missingArgument, "a placeholder was given no value", place)
        return nil
      }
      kind = nil
    }
    return content
  }

  private mutating func aggregate(
    _ name: String, of collection: BoundCollection, _ range: SourceRange
  ) -> Reduction? {
    guard let reduction = Reduction(operation: name) else {
      if name == "links" {
        report(.unsupported, "backlinks are not supported yet", range)
      } else {
        report(.typeMismatch, "a collection has no '@\(name)'", range)
      }
      return nil
    }
    guard let type = collection.elementType, reduction.type(of: type) != nil else {
      report(
        .typeMismatch,
        "'@\(name)' takes \(reduction.parameter), and the elements are \(collection.elementType?.name ?? "of several types")",
        range)
      return nil
    }
    return reduction
  }

  /// Reports elements asked for by place where they have none.
  private mutating func isOrdered(_ kind: CollectionKind?, _ range: SourceRange) -> Bool {
    if kind == .array { return true }
    report(
      .typeMismatch, "only an array has elements by place, and this is \(kind?.described ?? "computed")", range)
    return false
  }

  private mutating func item(
    at index: ExpressionSyntax, of collection: BoundCollection, _ kind: CollectionKind?, _ range: SourceRange
  ) -> BoundExpression? {
    guard let bound = expression(index) else { return nil }
    guard case .column(let column, let type) = collection, kind == .dictionary else {
      if kind != .array, bound.type == .string {
        report(.typeMismatch, "only a dictionary has keys, and this is \(kind?.described ?? "computed")", range)
        return nil
      }
      guard isOrdered(kind, range), let place = adapted(bound, index, to: .int) else { return nil }
      guard place.type == .int || place.type == .null else {
        report(.typeMismatch, "\(described(index, place)); the place of an element is an Int", index.range)
        return nil
      }
      return .item(collection, .index(place))
    }
    guard let bound = adapted(bound, index, to: .string) else { return nil }
    guard bound.type == .string || bound.type == .null else {
      report(.typeMismatch, "\(described(index, bound)); the key of a dictionary is a String", index.range)
      return nil
    }
    return .entry(column, key: bound, type)
  }

  /// `SUBQUERY(path, $variable, predicate)` with what follows it.
  mutating func subquery(
    _ path: PathSyntax, _ name: String, _ predicate: PredicateSyntax, tail: PathSyntax, range: SourceRange
  ) -> BoundOperand.Content? {
    guard let reached = reached(path, range: range) else { return nil }
    guard case .many(let base) = reached else {
      report(.typeMismatch, "SUBQUERY looks through a collection, and '\(path)' is a single value", range)
      return nil
    }
    let level = depth
    depth += 1
    variables.append(Variable(name: name, level: level, type: base.elementType ?? .null))
    let condition = self.predicate(predicate)
    variables.removeLast()
    depth -= 1
    return followed(tail.steps[...], from: .chosen(base, level: level, condition), nil, range: range)
  }
}

extension CollectionKind {
  /// As it is called in errors.
  var described: String {
    switch self {
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
