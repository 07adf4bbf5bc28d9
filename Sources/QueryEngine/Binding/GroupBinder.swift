internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// The value of an expression that a group scope has resolved; its content is nil after an error.
struct GroupValue {
  let content: BoundOperand.Content?

  init(_ content: BoundOperand.Content?) { self.content = content }

  init(bound: BoundExpression?) { content = bound.map { .single($0) } }
}

extension Binder {
  /// Resolves an expression that is a key, an aggregate or a path. Returns nil for expressions made of other
  /// expressions.
  mutating func groupValue(_ syntax: ExpressionSyntax) -> GroupValue? {
    if let named = groupName(syntax) { return named }
    switch syntax.kind {
    case .path(let path) where path.variable == nil: break
    case .subquery: break
    default: return nil
    }
    // The path reads the objects of the group. If the keys determine its value, it becomes a value of the group.
    guard let content = ofObjects({ $0.content(syntax) }) else { return GroupValue(nil) }
    if let known = known(content) ?? asKey({ $0.content(syntax) }).flatMap({ known($0) }) { return GroupValue(known) }
    reportNoKey(syntax)
    return GroupValue(nil)
  }

  /// The value of an expression over a group's objects, if the keys determine it.
  private mutating func known(_ content: BoundOperand.Content) -> BoundOperand.Content? {
    let anchor = member
    switch content {
    case .single(let value): return RebaseToTarget.expression(value, anchor).map { .single($0) }
    case .many(let collection): return RebaseToTarget.collection(collection, anchor).map { .many($0) }
    }
  }

  /// Resolves a key with one value, an aggregate, or the heading of a SELECT column. Returns nil for anything else.
  private mutating func groupName(_ syntax: ExpressionSyntax) -> GroupValue? {
    // The scope is read in place: a copy would have to be completed when an aggregate is added.
    if let key = groups?.key(syntax), !key.isStructure, let slot = key.slots.first {
      return GroupValue(bound: groups.map { .computed(slot, $0.slots[slot].type) })
    }
    if groups?.refusedKeys.contains(syntax) == true { return GroupValue(nil) }
    guard case .path(let path) = syntax.kind, path.variable == nil else { return nil }
    if let function = path.groupAggregate { return aggregate(function, path, syntax.range) }
    if let name = path.singleName {
      if let named = groups?.headings[name] { return headed(name, named, syntax.range) }
      if name.lowercased() == "count", entity.entity.property(named: name) == nil {
        report(
          .unknownProperty, "\(entity.name) has no property '\(name)'", syntax.range,
          notes: ["how many objects a group has is '@count'"],
          fixes: [Fix(message: "write '@count'", range: syntax.range, replacement: "@count")])
        return GroupValue(nil)
      }
    }
    return nil
  }

  /// Binds an expression over the objects of a group instead of over the group.
  mutating func ofObjects<Bound>(_ body: (inout Binder) -> Bound?) -> Bound? {
    var scope: GroupScope?
    swap(&scope, &groups)
    defer { swap(&scope, &groups) }
    return body(&self)
  }

  /// Binds an expression again with the levels that its variables have in a key.
  private func asKey<Bound>(_ body: (inout Binder) -> Bound?) -> Bound? {
    if depth == 0 { return nil }
    var trial = self
    return trial.ofObjects { $0.bindingKey(body) }
  }

  /// Binds a key. The levels of its variables start at 0 regardless of the context, so equal keys have equal trees.
  mutating func bindingKey<Bound>(_ body: (inout Binder) -> Bound?) -> Bound? {
    let level = depth
    depth = 0
    defer { depth = max(depth, level) }
    return body(&self)
  }

  /// Any object of a group. Its known values are those that the keys determine, or all if the keys identify the object.
  private var member: RebaseToTarget.Anchor {
    mutating get {
      let number = linkedEntity(entity.name).flatMap { groups?.number(of: $0) }
      return .member(of: groups ?? GroupScope(), number: number)
    }
  }

  /// Binds a SELECT column over a group, including the structs and lists that the keys determine. Returns nil after an
  /// error.
  mutating func shownOfGroup(_ syntax: ExpressionSyntax) -> BoundExpression? {
    var trial = self
    if trial.groupName(syntax) != nil { return groupExpression(syntax) }
    switch syntax.kind {
    case .path, .subquery: break
    default: return groupExpression(syntax)
    }
    guard let shown = ofObjects({ $0.shown(syntax) }) else { return nil }
    if let known = RebaseToTarget.expression(shown, member) { return known }
    if let again = asKey({ $0.shown(syntax) }), let known = RebaseToTarget.expression(again, member) { return known }
    reportNoKey(syntax)
    return nil
  }

  /// Reports an expression that may differ between the objects of a group; the note suggests a replacement.
  private mutating func reportNoKey(_ syntax: ExpressionSyntax) {
    // More errors would not help, and each would list the keys again.
    if diagnostics.count >= Self.mostDiagnostics { return }
    let text = syntax.predicateFormat
    var trial = self
    let content = trial.ofObjects { $0.whole(syntax) }
    let all = groups?.keys ?? []
    var keys = all.prefix(Self.mostDiagnostics).map(\.syntax.predicateFormat)
    if all.count > keys.count { keys.append("… (\(all.count) in all)") }
    let asKey = keys.isEmpty ? "write 'GROUP BY \(text)'" : "add it to GROUP BY \(keys.joined(separator: ", "))"
    let aggregate = aggregateOfGroup(syntax, content)
    // A collection cannot be a key.
    let isKey = content?.collection == nil && content.map { !$0.isList } ?? true
    let example = aggregate.map { " such as '\($0)'" } ?? ""
    report(
      .notGroupKey, "'\(text)' is not a key of GROUP BY, so it can differ within a group", syntax.range,
      notes: [isKey ? "\(asKey), or write an aggregate\(example)" : "write an aggregate\(example)"])
  }

  /// A group aggregate to suggest for a path over the group's objects; nil for anything but a path of names and items.
  private func aggregateOfGroup(_ syntax: ExpressionSyntax, _ content: BoundOperand.Content?) -> String? {
    guard case .path(let path) = syntax.kind, path.variable == nil, path.steps.allSatisfy(\.isNameOrItem) else {
      return nil
    }
    if meantAggregate == .count { return "@count" }
    let text = syntax.predicateFormat
    let name = "@\((meantAggregate ?? .maximum).rawValue)"
    let type: ExpressionType?
    switch content {
    case .single(let value)?: type = value.type
    case .many(let collection)?: type = collection.elementType
    case nil: type = nil
    }
    guard let type else { return "\(name).\(text)" }
    if type.objectEntity != nil { return "@distinctUnionOfObjects.\(text)" }
    if type == .structure {
      let leaf = structure(of: syntax)?.properties.first { if case .scalar = $0.type { true } else { false } }
      return leaf.map { "\(name).\(text).\($0.name)" }
    }
    return (meantAggregate ?? .maximum).type(of: type) == nil ? nil : "\(name).\(text)"
  }

  /// Binds the SELECT expression that a heading stands for.
  private mutating func headed(_ name: String, _ syntax: ExpressionSyntax, _ range: SourceRange) -> GroupValue {
    // The limit was already reported; nothing more needs measuring.
    if (groups?.expandedNodes ?? 0) > SyntaxLimits.nodes { return GroupValue(bound: nil) }
    let (nodes, nesting) = SyntaxLimits.measure(of: syntax)
    groups?.expandedNodes += nodes
    groups?.expandedNesting += nesting + 1
    defer { groups?.expandedNesting -= nesting + 1 }
    // Headings that each use another one twice grow exponentially.
    let isTooMuch = (groups?.expandedNodes ?? 0) > SyntaxLimits.nodes
    guard !isTooMuch, (groups?.expandedNesting ?? 0) <= SyntaxLimits.nesting else {
      report(
        isTooMuch ? .tooManyNodes : .nestingTooDeep,
        "'\(name)' makes the expression too large", range,
        notes: [
          "with all names in it written out, an expression has at most \(SyntaxLimits.nodes) parts, \(SyntaxLimits.nesting) deep"
        ])
      return GroupValue(bound: nil)
    }
    groups?.headings[name] = nil
    defer { groups?.headings[name] = syntax }
    return GroupValue(bound: expression(syntax))
  }

  private mutating func aggregate(
    _ function: AggregateFunction, _ path: PathSyntax, _ range: SourceRange
  ) -> GroupValue {
    var function = function
    var rest = PathSyntax(steps: Array(path.steps.dropFirst()))
    let name = "@\(function.rawValue)"
    if function == .count {
      if rest.steps.isEmpty {
        return GroupValue(bound: groups?.value(of: GroupAggregate(function: .count, argument: nil)))
      }
      report(
        .wrongArgumentCount, "'@count' counts the objects of a group, whatever they have", range,
        notes: ["write '@count', or '@distinctUnionOfObjects.\(rest).@count' for how many different values there are"])
      return GroupValue(bound: nil)
    }
    if function == .distinct, case .operation("count")? = rest.steps.last?.kind {
      function = .distinctCount
      rest.steps.removeLast()
    }
    guard !rest.steps.isEmpty else {
      report(
        .wrongArgumentCount, "'\(name)' is of something", range, notes: ["write its path after a dot: '\(name).x'"])
      return GroupValue(bound: nil)
    }
    let place = SourceRange(rest.steps.first?.range.lowerBound ?? range.lowerBound, range.upperBound)
    let syntax = ExpressionSyntax(.path(rest), range: place.upperBound > place.lowerBound ? place : range)
    guard let content = ofObjects({ $0.content(syntax) }) else { return GroupValue(bound: nil) }
    let argument: BoundExpression
    switch content {
    case .single(let value): argument = value
    // The aggregate covers the values of all collections together.
    case .many(let collection): argument = .reduced(.list, collection)
    }
    let aggregate = GroupAggregate(function: function, argument: argument)
    guard let type = aggregate.elementType, type != .list, type != .structure,
      function.type(of: type) != nil
    else {
      report(
        .typeMismatch,
        "\(described(BoundOperand(syntax: syntax, content: content))), which '\(name)' cannot \(function.isOfNumbers ? "add" : "compare")",
        range, notes: propertyAdvice(aggregate.elementType, name, rest) { function.type(of: $0) != nil })
      return GroupValue(bound: nil)
    }
    return GroupValue(bound: groups?.value(of: aggregate, ExpressionSyntax(.path(path), range: range)))
  }

  /// Binds an expression over groups that depends on no single object. Returns nil after an error.
  mutating func groupExpression(_ syntax: ExpressionSyntax) -> BoundExpression? {
    guard let bound = expression(syntax) else { return nil }
    var columns: Set<Int> = []
    bound.collectColumns(into: &columns)
    if columns.isEmpty { return bound }
    if let known = RebaseToTarget.expression(bound, member) { return known }
    reportNoKey(syntax)
    return nil
  }

  /// Binds a predicate over groups that depends on no single object. Returns nil after an error.
  mutating func groupPredicate(_ syntax: PredicateSyntax) -> BoundPredicate? {
    let bound = predicate(syntax)
    var columns: Set<Int> = []
    bound.collectColumns(into: &columns)
    if columns.isEmpty { return bound }
    if let known = RebaseToTarget.predicate(bound, member) { return known }
    if !diagnostics.contains(where: { $0.severity == .error }) {
      let text = syntax.predicateFormat
      report(
        .notGroupKey,
        "\(text.utf8.count > 60 ? "this" : "'\(text)'") tests single objects, and they can differ within a group",
        syntax.range, notes: ["filter objects with WHERE; filter groups by their keys and aggregates"])
    }
    return nil
  }
}

extension BoundOperand.Content {
  /// Whether the content is a collection in the form of a single value.
  fileprivate var isList: Bool { if case .single(let value) = self { value.type == .list } else { false } }
}

extension PathSyntax.Step {
  fileprivate var isNameOrItem: Bool { if case .name = kind { true } else { isItem } }
}

extension PathSyntax {
  /// The group aggregate that the path begins with, or nil.
  var groupAggregate: AggregateFunction? {
    guard variable == nil, case .operation(let name)? = steps.first?.kind else { return nil }
    return AggregateFunction(operation: name) ?? (name == AggregateFunction.distinct.rawValue ? .distinct : nil)
  }

  /// The name, if the path is a single name.
  var singleName: String? {
    guard variable == nil, steps.count == 1, case .name(let name) = steps[0].kind else { return nil }
    return name
  }
}

extension ExpressionSyntax {
  /// Whether the expression contains a group aggregate. Does not recurse, so the depth of the tree does not matter.
  package var hasGroupAggregate: Bool {
    var found = false
    walk { node in
      guard !found, case .expression(let expression) = node else { return !found }
      switch expression.kind {
      case .path(let path):
        found = path.groupAggregate != nil
        return false
      case .literal, .placeholder, .shape, .point, .subquery: return false
      default: return true
      }
    }
    return found
  }
}
