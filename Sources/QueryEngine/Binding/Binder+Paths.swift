internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// Binds a path to a single value or a collection. Returns nil after an error.
  mutating func reached(_ path: PathSyntax, range: SourceRange) -> BoundOperand.Content? {
    nested(by: path.steps.count - 1, range) { binder in
      guard let name = path.variable else {
        if binder.isOfElement(path, range: range) { return nil }
        return binder.walked(path.steps[...], from: .root, range: range)
      }
      return binder.variable(name, path.steps[...], range: range)
    } ?? nil
  }

  /// Runs `body` for an expression with a number of links. Links nest in the bound tree as parentheses do in the text,
  /// so they count towards the same limit. Returns nil after reporting that there are too many.
  private mutating func nested<R>(by links: Int, _ range: SourceRange, _ body: (inout Binder) -> R) -> R? {
    linkNesting += max(0, links)
    defer { linkNesting -= max(0, links) }
    if linkNesting <= SyntaxLimits.nesting { return body(&self) }
    report(
      .nestingTooDeep, "a path goes through at most \(SyntaxLimits.nesting) links, with those around it", range)
    return nil
  }

  private mutating func variable(
    _ name: String, _ steps: ArraySlice<PathSyntax.Step>, range: SourceRange
  ) -> BoundOperand.Content? {
    guard let variable = variables.last(where: { $0.name == name }) else {
      report(.unknownVariable, "'$\(name)' is not the variable of a SUBQUERY around it", range)
      return nil
    }
    let element = BoundExpression.element(level: variable.level, variable.type)
    let steps = (variable.inside + steps)[...]
    guard let step = steps.first else { return .single(element) }
    if let owner = variable.owner {
      return walked(steps, from: .part(BoundPart(owner: owner, place: .index(element))), range: range)
    }
    if let object = object(element) { return walked(steps, from: .object(object), range: range) }
    if variable.type == .string, step.isLength { return followed(steps, from: .single(element), nil, range: range) }
    report(
      .unknownProperty, "'$\(name)' is \(variable.type.name), a single value: nothing can follow it",
      step.place(in: range))
    return nil
  }

  /// The object whose ID is `number`; nil for a value of another type.
  func object(_ number: BoundExpression) -> BoundObject? {
    number.type.objectEntity.flatMap(linkedEntity).map { BoundObject(entity: $0, number: number) }
  }

  /// Binds the steps of a path that begins at `origin`.
  private mutating func walked(
    _ steps: ArraySlice<PathSyntax.Step>, from origin: PathOrigin, range: SourceRange
  ) -> BoundOperand.Content? {
    let entity = origin.entity(or: self.entity)
    do throws(Diagnostic) {
      let resolver = PathResolver(entity: entity, schema: schema.schema, list: origin.list)
      let (target, rest) = try resolver.follow(PathSyntax(steps: Array(steps)), range: range)
      switch target {
      case .column(let column):
        let value = origin.value(column, entity.columns[column].elementType)
        return followed(rest, from: .single(value), nil, range: range)
      case .structure:
        let names = steps.compactMap { if case .name(let name) = $0.kind { name } else { nil } }
        let path = ((origin.list.map { [$0.path] } ?? []) + names).joined(separator: ".")
        return .single(.assembled(origin.structure(at: path, of: entity, level: depth)))
      case .object: return .single(origin.number(of: entity))
      case .entityName: return followed(rest, from: .single(origin.name(of: entity)), nil, range: range)
      case .collection(let column), .links(let column, _):
        let stored = entity.columns[column]
        return followed(
          rest, from: .many(origin.collection(column, stored.elementType)), stored.kindOfElements, range: range)
      case .structs(let column):
        return followed(rest, from: .many(.positions(of: origin.value(column, .int))), .array, range: range)
      case .link(let column, let name):
        let number = origin.value(column, .object(name))
        guard !rest.isEmpty else { return .single(number) }
        guard let object = object(number) else { return missing(name, range) }
        if isMisplacedOnLink(rest, to: name, range: range) { return nil }
        return walked(rest, from: .object(object), range: range)
      case .sources(let name, let path):
        guard let source = linkedEntity(name), let column = source.stored.column(at: path) else {
          return missing("\(name).\(path)", range)
        }
        let sources = BoundCollection.sources(
          LinkSource(entity: source, column: column), of: origin.number(of: entity))
        return followed(rest, from: .many(sources), nil, range: range)
      case .allSources:
        let sources = schema.links(to: entity.name).map {
          BoundCollection.sources($0, of: origin.number(of: entity))
        }
        return followed(rest, from: .many(.joined(sources)), nil, range: range)
      }
    } catch {
      report(error)
      return nil
    }
  }

  private mutating func missing(_ what: String, _ range: SourceRange) -> BoundOperand.Content? {
    report(.unknownProperty, "the file has no \(what)", range)
    return nil
  }

  /// The fix for `ratings.@max.self`: in other languages `self` names the elements themselves; here nothing is written
  /// for them.
  private func withoutSelf(_ place: SourceRange) -> [Fix] {
    let range = SourceRange(max(0, place.lowerBound - 1), place.upperBound)
    guard written(range)?.lowercased() == ".self" else { return [] }
    return [Fix(message: "leave '.self' out", range: range, replacement: "")]
  }

  /// Applies the steps after a collection or a string. `kind` is nil for a computed collection.
  mutating func followed(
    _ steps: ArraySlice<PathSyntax.Step>, from start: BoundOperand.Content, _ kind: CollectionKind?, range: SourceRange
  ) -> BoundOperand.Content? {
    var content = start
    var kind = kind
    var steps = steps
    while let step = steps.first {
      let place = step.place(in: range)
      if step.isLength, let lengths = lengths(of: content) {
        content = lengths
        kind = nil
        steps = steps.dropFirst()
        continue
      }
      guard case .many(let collection) = content else {
        if case .single(let value) = content, let object = object(value) {
          return walked(steps, from: .object(object), range: range)
        }
        if case .single(let value) = content, let part = part(value) {
          return walked(steps, from: .part(part), range: range)
        }
        report(
          .typeMismatch, "nothing can follow what is a single value already", place, fixes: withoutSelf(place))
        return nil
      }
      var names = steps.objectSteps
      if !names.isEmpty, hasProperties(collection) {
        if isForeignMember(names, of: collection, range: range) { return nil }
        steps = steps[names.endIndex...]
        if let operation = steps.first, operation.takesPath, leadsToStructures(names, of: collection) {
          // The property that an aggregate of structs applies to follows the aggregate.
          let rest = steps.dropFirst().objectSteps
          steps = ([operation] + steps[rest.endIndex...])[...]
          names += rest
        }
        guard let mapped = mapped(collection, names, range: range) else { return nil }
        content = .many(mapped)
        kind = nil
        continue
      }
      steps = steps.dropFirst()
      switch step.kind {
      case .operation("distinctUnionOfObjects"):
        guard let argument = argument(of: collection, &steps, range: range) else { return nil }
        if argument.elementType == .structure {
          report(
            .typeMismatch, "'@distinctUnionOfObjects' is of values, and the elements are structs", place,
            notes: ["write the path of one of their properties after it: '@distinctUnionOfObjects.…'"])
          return nil
        }
        content = .many(.distinct(argument))
      case .operation("keys"), .operation("values"):
        guard kind == .dictionary, let keys = collection.dictionaryKeys else {
          report(.typeMismatch, "only a dictionary has @keys and @values", place)
          return nil
        }
        if case .operation("keys") = step.kind { content = .many(keys) }
      case .operation("count"): content = .single(.reduced(.count, collection))
      case .operation(let name):
        guard let argument = argument(of: collection, &steps, range: range),
          let reduction = aggregate(name, of: argument, place)
        else { return nil }
        content = .single(.reduced(reduction, argument))
      case .size: content = .single(.reduced(.count, collection))
      case .first, .last:
        guard isOrdered(collection, kind, place) else { return nil }
        content = .single(.item(collection, step.kind == .first ? .first : .last))
      case .index(let index):
        guard let item = item(at: index, of: collection, kind, place) else { return nil }
        content = .single(item)
      case .name(let name):
        report(
          .unknownProperty,
          collection.elementType == nil
            ? "the objects are of several entities: '@links.Entity.property' is those of one"
            : "the elements are \(collection.elementType?.name ?? "values"), without properties", place,
          notes: kind == .dictionary ? ["the value of a key is written [\"\(name)\"]"] : [], fixes: withoutSelf(place))
        return nil
      case .placeholder:
        report(.missingArgument, "a placeholder was given no value", place)
        return nil
      }
      kind = nil
    }
    return content
  }

  /// `.length` after a string, or after a collection of strings: the length of each. Returns nil for other types, which
  /// may have a property of that name.
  private mutating func lengths(of content: BoundOperand.Content) -> BoundOperand.Content? {
    switch content {
    case .single(let value): return value.type == .string ? .single(.call(.length, [value])) : nil
    case .many(let texts):
      guard texts.elementType == .string else { return nil }
      let level = depth
      depth += 1
      return .many(texts.innermost { .each($0, level: level, .call(.length, [.element(level: level, .string)])) })
    }
  }

  /// Maps a collection of objects to the property after `@avg` or a similar aggregate: `tasks.@avg.priority`. Removes
  /// the steps it has used.
  private mutating func argument(
    of collection: BoundCollection, _ steps: inout ArraySlice<PathSyntax.Step>, range: SourceRange
  ) -> BoundCollection? {
    let names = steps.objectSteps
    guard hasProperties(collection), !names.isEmpty else { return collection }
    steps = steps[names.endIndex...]
    return mapped(collection, names, range: range)
  }

  /// Whether a path may continue with a property of each element.
  private func hasProperties(_ collection: BoundCollection) -> Bool {
    collection.elementType?.objectEntity != nil || owner(of: collection) != nil
  }

  /// Maps each object or struct of a collection to the value or values at a path, joined into one collection.
  private mutating func mapped(
    _ collection: BoundCollection, _ names: ArraySlice<PathSyntax.Step>, range: SourceRange
  ) -> BoundCollection? {
    let level = depth
    depth += 1
    if let owner = owner(of: collection) {
      let part = BoundPart(owner: owner, place: .index(.element(level: level, .structure)))
      guard case .single(let value)? = walked(names, from: .part(part), range: range) else { return nil }
      return collection.innermost { .each($0, level: level, value) }
    }
    guard let object = object(.element(level: level, collection.elementType ?? .null)) else { return nil }
    switch walked(names, from: .object(object), range: range) {
    case .single(let value)?: return .each(collection, level: level, value)
    case .many(let inner)?: return .flattened(collection, level: level, inner)
    case nil: return nil
    }
  }

  private mutating func aggregate(
    _ name: String, of collection: BoundCollection, _ range: SourceRange
  ) -> AggregateFunction? {
    guard let reduction = AggregateFunction(operation: name) else {
      report(
        .typeMismatch, "a collection has no '@\(name)'", range,
        notes: name == "links" ? ["of each of its objects: '@links.Entity.property'"] : [])
      return nil
    }
    guard let type = collection.elementType, reduction.type(of: type) != nil else {
      report(
        .typeMismatch,
        "'@\(name)' takes \(reduction.parameter), and the elements are \(collection.elementType?.name ?? "of several types")",
        range, notes: aggregateAdvice(name, reduction, of: collection))
      return nil
    }
    return reduction
  }

  /// Whether the elements of a collection have positions; reports a collection where they have none.
  private mutating func isOrdered(
    _ collection: BoundCollection, _ kind: CollectionKind?, _ range: SourceRange
  ) -> Bool {
    if kind == .array { return true }
    if case .sources(let source, _) = collection {
      let property = "\(source.entity.stored.name).\(source.entity.stored.columns[source.column].path)"
      report(
        .typeMismatch, "only an array has elements by place, and these are the objects at the other end of \(property)",
        range,
        notes: [
          "ANY, ALL and NONE test each of them, SUBQUERY chooses some, and '@min' and '@max' are the least and the greatest"
        ])
      return false
    }
    report(
      .typeMismatch, "only an array has elements by place, and this is \(kind?.described ?? "computed")", range)
    return false
  }

  private mutating func item(
    at index: ExpressionSyntax, of collection: BoundCollection, _ kind: CollectionKind?, _ range: SourceRange
  ) -> BoundExpression? {
    guard let bound = asOne({ $0.expression(index) }) else { return nil }
    guard kind == .dictionary else {
      if kind != .array, bound.type == .string {
        report(.typeMismatch, "only a dictionary has keys, and this is \(kind?.described ?? "computed")", range)
        return nil
      }
      guard isOrdered(collection, kind, range), let place = adapted(bound, index, to: .int) else { return nil }
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
    if case .column(let column, let type) = collection { return .entry(column, key: bound, type) }
    return .item(collection, .key(bound))
  }

  /// Binds `SUBQUERY(path, $variable, predicate)` and the steps after it.
  mutating func subquery(
    _ path: PathSyntax, _ name: String, _ predicate: PredicateSyntax, tail: PathSyntax, range: SourceRange
  ) -> BoundOperand.Content? {
    // If each of many objects has one struct, the variable ranges over the objects.
    let (elements, inside) = structsOfMany(path) ?? (path, [])
    guard let reached = reached(elements, range: range).flatMap({ identified($0, path.description, range) }) else {
      return nil
    }
    guard case .many(let base) = reached else {
      report(.typeMismatch, "SUBQUERY takes a collection, but '\(path)' is a single value", range)
      return nil
    }
    let level = depth
    depth += 1
    let owner = owner(of: base)
    variables.append(
      Variable(name: name, level: level, type: base.elementType ?? .null, owner: owner, inside: inside))
    let condition = nested(by: tail.steps.count, range) { $0.asOne { $0.predicate(predicate) } } ?? nil
    variables.removeLast()
    guard let condition else { return nil }
    // Structs are selected within each object, because a struct is identified by its position within its object.
    let chosen =
      owner == nil
      ? .chosen(base, level: level, condition) : base.innermost { .chosen($0, level: level, condition) }
    // Selecting elements keeps the order of the list.
    return followed(
      (inside + tail.steps)[...], from: .many(chosen), inside.isEmpty && isArray(base) ? .array : nil, range: range)
  }

  /// Whether a collection is an array, so that its elements have positions.
  private func isArray(_ collection: BoundCollection) -> Bool {
    switch collection {
    case .column(let column, _): entity.columns[column].kindOfElements == .array
    case .property(let object, let column, _): object.entity.stored.columns[column].kindOfElements == .array
    case .positions: true
    case .keys, .list, .chosen, .distinct, .joined, .propertyKeys, .sources, .each, .flattened, .computed, .among: false
    }
  }
}

extension CollectionKind {
  /// The name of the kind in errors.
  var described: String {
    switch self {
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension BoundCollection {
  /// The keys, if the collection is a column of dictionaries.
  fileprivate var dictionaryKeys: BoundCollection? {
    switch self {
    case .column(let column, _): .keys(column)
    case .property(let object, let column, _): .propertyKeys(object, column)
    case .keys, .list, .chosen, .distinct, .joined, .propertyKeys, .sources, .positions, .each, .flattened, .computed,
      .among:
      nil
    }
  }
}

extension PathSyntax.Step {
  /// Whether the step leads from a list to one of its elements.
  var isItem: Bool {
    switch kind {
    case .first, .last, .index: true
    default: false
    }
  }

  /// Whether the step is an aggregate that may be followed by the property to aggregate.
  fileprivate var takesPath: Bool {
    guard case .operation(let name) = kind, name != "count" else { return false }
    return AggregateFunction(operation: name) != nil || name == AggregateFunction.distinct.rawValue
  }
}

extension ArraySlice<PathSyntax.Step> {
  /// The longest prefix of steps that can be applied to each object of a collection: names, `@links.Entity.property`,
  /// `@type`, and after a name an index, `@keys` or `@values`.
  fileprivate var objectSteps: ArraySlice<PathSyntax.Step> {
    var end = startIndex
    while end < endIndex {
      switch self[end].kind {
      case .name: break
      case .first, .last, .index, .operation("keys"), .operation("values"):
        guard end > startIndex, case .name = self[end - 1].kind else { return self[startIndex..<end] }
      case .operation("type"): return self[startIndex...end]
      case .operation("links"):
        guard end + 1 < endIndex, case .name = self[end + 1].kind else { return self[startIndex..<end] }
      default: return self[startIndex..<end]
      }
      end += 1
    }
    return self[startIndex..<end]
  }
}

extension StoredSchema {
  /// Every link column whose target is an entity.
  func links(to entity: String) -> [LinkSource] {
    entities.flatMap { source in
      source.columns.indices.filter { source.columns[$0].column.target == entity }.map {
        LinkSource(entity: LinkedEntity(stored: source), column: $0)
      }
    }
  }
}

extension StoredColumn {
  /// The kind of the column's collections; to-many links are arrays.
  fileprivate var kindOfElements: CollectionKind { collectionKind ?? .array }
}
