internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// What an expression over groups may name: the keys, aggregates of the group's objects, and columns of the SELECT by
/// their headings. Aggregates are noted as they are met.
///
/// A group is a row of values: those of the keys, then those of the aggregates. `BoundExpression.computed` counts them.
struct GroupScope {
  /// A key as written, and where its values are: one, or those of an embedded struct.
  struct Key {
    let syntax: ExpressionSyntax
    let slots: Range<Int>
    let isStructure: Bool
  }

  private(set) var keys: [Key] = []
  /// Keys that are wrong, which is reported: elsewhere they are no second mistake.
  var refusedKeys: Set<ExpressionSyntax> = []
  /// The values of the keys, of an object.
  private(set) var slots: [BoundExpression] = []
  private(set) var aggregates: [GroupAggregate] = []
  private var keyPlaces: [ExpressionSyntax: Int] = [:]
  /// Where values of objects are that all of a group have, and where it is what says whether a struct is there.
  private var places: [BoundExpression: Int] = [:]
  private var presencePlaces: [BoundExpression: Int] = [:]
  private var aggregatePlaces: [GroupAggregate: Int] = [:]
  /// Expressions of the SELECT by the names after AS.
  var headings: [String: ExpressionSyntax] = [:]
  /// What the headings put in so far add up to, and how deep those around the place at hand nest.
  var expandedNodes = 0
  var expandedNesting = 0

  mutating func add(key syntax: ExpressionSyntax, _ values: [BoundExpression], isStructure: Bool) {
    if keyPlaces[syntax] == nil { keyPlaces[syntax] = keys.count }
    for (offset, value) in values.enumerated() {
      let slot = slots.count + offset
      if case .assembled(let structure) = value, structure.fields.isEmpty, let presence = structure.presence {
        if presencePlaces[presence.untyped] == nil { presencePlaces[presence.untyped] = slot }
      } else if places[value.untyped] == nil {
        places[value.untyped] = slot
      }
    }
    keys.append(Key(syntax: syntax, slots: slots.count..<slots.count + values.count, isStructure: isStructure))
    slots += values
  }

  /// The key that is written so.
  func key(_ syntax: ExpressionSyntax) -> Key? { keyPlaces[syntax].map { keys[$0] } }

  /// Where the value of an expression over objects is, when it is one of the keys.
  func value(of expression: BoundExpression) -> BoundExpression? {
    let untyped = expression.untyped
    if expression.type == .structure, let slot = presencePlaces[untyped] { return .computed(slot, .structure) }
    return places[untyped].map { .computed($0, expression.type) }
  }

  /// Where the value of an aggregate is.
  mutating func value(of aggregate: GroupAggregate) -> BoundExpression {
    let place = aggregatePlaces[aggregate] ?? aggregates.count
    if place == aggregates.count {
      aggregates.append(aggregate)
      aggregatePlaces[aggregate] = place
    }
    return .computed(slots.count + place, aggregate.type)
  }
}

/// What a name means to a group; nothing when there was an error, which is reported.
struct GroupValue {
  let content: BoundOperand.Content?

  init(_ content: BoundOperand.Content?) { self.content = content }

  init(bound: BoundExpression?) { content = bound.map { .single($0) } }
}

extension Binder {
  /// What an expression means to a group, when it is a key, an aggregate or a path; nil for those made of others.
  mutating func groupValue(_ syntax: ExpressionSyntax) -> GroupValue? {
    if let named = groupName(syntax) { return named }
    switch syntax.kind {
    case .path(let path) where path.variable == nil: break
    case .subquery: break
    default: return nil
    }
    // It is about the objects of the group; as far as the keys say, it is about the group.
    guard let content = ofObjects({ $0.content(syntax) }) else { return GroupValue(nil) }
    let anchor = member
    switch content {
    case .single(let value):
      if let known = Rerooting.expression(value, anchor) { return GroupValue(bound: known) }
    case .many(let collection):
      if let known = Rerooting.collection(collection, anchor) { return GroupValue(.many(known)) }
    }
    reportNoKey(syntax.predicateFormat, syntax.range)
    return GroupValue(nil)
  }

  /// What a key of one value, an aggregate or the name of a column of the SELECT means; nil for everything else.
  private mutating func groupName(_ syntax: ExpressionSyntax) -> GroupValue? {
    // The scope is asked in its place: a copy of it would have to be made whole when an aggregate is noted.
    if let key = groups?.key(syntax), !key.isStructure, let slot = key.slots.first {
      return GroupValue(bound: groups.map { .computed(slot, $0.slots[slot].type) })
    }
    if groups?.refusedKeys.contains(syntax) == true { return GroupValue(nil) }
    guard case .path(let path) = syntax.kind, path.variable == nil else { return nil }
    if let kind = path.groupAggregate { return aggregate(kind, path, syntax.range) }
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

  /// Binds something about the objects of a group, not about the group.
  private mutating func ofObjects<Bound>(_ body: (inout Binder) -> Bound?) -> Bound? {
    var scope: GroupScope?
    swap(&scope, &groups)
    defer { swap(&scope, &groups) }
    return body(&self)
  }

  /// An object of a group, of which is known what the keys say: everything, where they tell it from all others.
  private var member: Rerooting.Anchor {
    mutating get {
      guard let scope = groups else { return .member(of: GroupScope(), number: nil) }
      let columns = Set(scope.slots.compactMap(\.column))
      var number = scope.slots.firstIndex(where: \.isOwn).map { BoundExpression.computed($0, .object(entity.name)) }
      if number == nil, let linked = linkedEntity(entity.name), linked.stored.isToldApart(by: columns),
        case .computed(let place, _)? = groups?.value(of: GroupAggregate(kind: .minimum, argument: .own(.int)))
      {
        number = .computed(place, linked.type)
      }
      return .member(of: scope, number: number.flatMap { object($0) })
    }
  }

  /// What a column of rows shows of a group: with the structs and lists that the keys tell of. nil after an error.
  mutating func shownOfGroup(_ syntax: ExpressionSyntax) -> BoundExpression? {
    var trial = self
    if trial.groupName(syntax) != nil { return groupExpression(syntax) }
    switch syntax.kind {
    case .path, .subquery: break
    default: return groupExpression(syntax)
    }
    guard let shown = ofObjects({ $0.shown(syntax) }) else { return nil }
    if let known = Rerooting.expression(shown, member) { return known }
    reportNoKey(syntax.predicateFormat, syntax.range)
    return nil
  }

  /// Reports what is different for the objects of one group.
  mutating func reportNoKey(_ text: String, _ range: SourceRange) {
    // Nobody reads more; and each would name the keys again.
    if diagnostics.count >= Self.mostDiagnostics { return }
    let isPath = !text.contains("@")
    let all = groups?.keys ?? []
    var keys = all.prefix(Self.mostDiagnostics).map(\.syntax.predicateFormat)
    if all.count > keys.count { keys.append("… (\(all.count) in all)") }
    let example = isPath ? " such as '@max.\(text)'" : ""
    report(
      .notGroupKey, "'\(text)' is no key of the groups, so its objects may differ in it", range,
      notes: [
        keys.isEmpty
          ? "write 'GROUP BY \(text)', or an aggregate\(example)"
          : "add it to GROUP BY \(keys.joined(separator: ", ")), or write an aggregate\(example)"
      ])
  }

  /// The expression of the SELECT with a heading, put in its place.
  private mutating func headed(_ name: String, _ syntax: ExpressionSyntax, _ range: SourceRange) -> GroupValue {
    // Once it is too much that has been said, and more need not be measured.
    if (groups?.expandedNodes ?? 0) > SyntaxLimits.nodes { return GroupValue(bound: nil) }
    let (nodes, nesting) = SyntaxLimits.measure(of: syntax)
    groups?.expandedNodes += nodes
    groups?.expandedNesting += nesting + 1
    defer { groups?.expandedNesting -= nesting + 1 }
    // Names that each stand for another twice, and so on, would be more than any text could say.
    let isTooMuch = (groups?.expandedNodes ?? 0) > SyntaxLimits.nodes
    guard !isTooMuch, (groups?.expandedNesting ?? 0) <= SyntaxLimits.nesting else {
      report(
        isTooMuch ? .tooManyNodes : .nestingTooDeep,
        "'\(name)' stands for more than one expression may say", range,
        notes: [
          "with what the names in it stand for an expression has at most \(SyntaxLimits.nodes) parts, \(SyntaxLimits.nesting) deep"
        ])
      return GroupValue(bound: nil)
    }
    groups?.headings[name] = nil
    defer { groups?.headings[name] = syntax }
    return GroupValue(bound: expression(syntax))
  }

  private mutating func aggregate(_ kind: GroupAggregate.Kind, _ path: PathSyntax, _ range: SourceRange) -> GroupValue {
    var kind = kind
    var rest = PathSyntax(steps: Array(path.steps.dropFirst()))
    let name = "@\(kind.rawValue)"
    if kind == .count {
      if rest.steps.isEmpty { return GroupValue(bound: groups?.value(of: GroupAggregate(kind: .count, argument: nil))) }
      report(
        .wrongArgumentCount, "'@count' counts the objects of a group, whatever they have", range,
        notes: ["write '@count', or '@distinctUnionOfObjects.\(rest).@count' for how many different values there are"])
      return GroupValue(bound: nil)
    }
    if kind == .distinct, case .operation("count")? = rest.steps.last?.kind {
      kind = .distinctCount
      rest.steps.removeLast()
    }
    guard !rest.steps.isEmpty else {
      report(
        .wrongArgumentCount, "'\(name)' is of something", range, notes: ["write its path after a dot: '\(name).x'"])
      return GroupValue(bound: nil)
    }
    let place = SourceRange(rest.steps.first?.range.lowerBound ?? range.lowerBound, range.upperBound)
    let syntax = ExpressionSyntax(.path(rest), range: place.upperBound > place.lowerBound ? place : range)
    let argument = ofObjects { $0.expression(syntax) }
    guard let argument else { return GroupValue(bound: nil) }
    guard argument.type != .list, argument.type != .structure, GroupAggregate.type(kind, of: argument.type) != nil
    else {
      report(
        .typeMismatch,
        "\(described(syntax, argument)), which '\(name)' cannot \(kind == .sum || kind == .average ? "add" : "compare")",
        range)
      return GroupValue(bound: nil)
    }
    return GroupValue(bound: groups?.value(of: GroupAggregate(kind: kind, argument: argument)))
  }

  /// An expression over groups in which nothing is left that depends on a single object.
  mutating func groupExpression(_ syntax: ExpressionSyntax) -> BoundExpression? {
    guard let bound = expression(syntax) else { return nil }
    if let known = Rerooting.expression(bound, member) { return known }
    reportNoKey(syntax.predicateFormat, syntax.range)
    return nil
  }

  /// A predicate over groups in which nothing is left that depends on a single object; nil after an error.
  mutating func groupPredicate(_ syntax: PredicateSyntax) -> BoundPredicate? {
    let bound = predicate(syntax)
    if let known = Rerooting.predicate(bound, member) { return known }
    if !diagnostics.contains(where: { $0.severity == .error }) { reportNoKey(syntax.predicateFormat, syntax.range) }
    return nil
  }
}

extension StoredEntity {
  /// Whether no two objects have the same in some columns: nil may stand in as many as one likes.
  fileprivate func isToldApart(by known: Set<Int>) -> Bool {
    indexes.contains { index in
      index.isUnique && index.columns.allSatisfy { known.contains($0) && !columns[$0].column.isOptional }
    }
  }
}

extension BoundExpression {
  /// The same for a column whatever it is read as.
  fileprivate var untyped: BoundExpression {
    switch self {
    case .column(let column, _): .column(column, .null)
    case .property(let object, let column, _): .property(object, column, .null)
    default: self
    }
  }
}

extension PathSyntax {
  /// The aggregate of a group that the path begins with.
  var groupAggregate: GroupAggregate.Kind? {
    guard variable == nil, case .operation(let name)? = steps.first?.kind else { return nil }
    return GroupAggregate.Kind(rawValue: name)
  }

  /// The one name it consists of.
  var singleName: String? {
    guard variable == nil, steps.count == 1, case .name(let name) = steps[0].kind else { return nil }
    return name
  }
}

extension ExpressionSyntax {
  /// Whether some aggregate of a group is in it. It has no depth of its own, whatever the tree.
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
