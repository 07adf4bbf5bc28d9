internal import Storage
internal import Values

/// Rewrites an expression over a linked object into one over a row of that object's entity, so that it can be planned
/// and run over that entity alone: `$t.priority > 9` becomes `priority > 9` of a task. Also rewrites an expression over
/// an object into one over its group, as far as the group's keys determine it.
struct RebaseToTarget {
  /// The object that becomes the row's object.
  enum Anchor {
    /// The element of a level; variables inside have higher levels, those outside lower ones.
    case element(Int)
    /// The target of a to-one link of the row's object.
    case target(column: Int)
    /// Any object of a group, with its ID if each group has a single object.
    case member(of: GroupScope, number: BoundObject?)

    /// The value of an expression, if the keys of a group determine it.
    func known(_ expression: BoundExpression) -> BoundExpression? {
      if case .member(let scope, _) = self { scope.value(of: expression) } else { nil }
    }

    /// The object that replaces the row's object in columns.
    var object: BoundObject? { if case .member(_, let number) = self { number } else { nil } }
  }

  let anchor: Anchor
  /// Whether the expression also reads something besides the anchor's object.
  private(set) var readsMore = false

  init(_ anchor: Anchor) { self.anchor = anchor }

  /// Rewrites a predicate. Returns nil if it reads anything besides the anchor's object.
  static func predicate(_ predicate: BoundPredicate, _ anchor: Anchor) -> BoundPredicate? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.predicate(predicate)
    return rerooting.readsMore ? nil : result
  }

  /// Rewrites an expression. Returns nil if it reads anything besides the anchor's object.
  static func expression(_ expression: BoundExpression, _ anchor: Anchor) -> BoundExpression? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.expression(expression)
    return rerooting.readsMore ? nil : result
  }

  /// Rewrites a collection. Returns nil if it reads anything besides the anchor's object.
  static func collection(_ collection: BoundCollection, _ anchor: Anchor) -> BoundCollection? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.collection(collection)
    return rerooting.readsMore ? nil : result
  }

  private mutating func predicate(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .test: return unknown(predicate)
    // A remembered result belongs to one object, so the predicate is rewritten without it.
    case .remembered(let remembered): return self.predicate(remembered.predicate)
    case .constant, .and, .or, .not, .comparison, .quantified, .lists:
      return predicate.mapChildren({ self.predicate($0) }, { self.expression($0) }, { self.collection($0) })
    }
  }

  private mutating func expression(_ expression: BoundExpression) -> BoundExpression {
    if let known = anchor.known(expression) { return known }
    switch expression {
    case .computed:
      if case .member = anchor { return expression }
      return unknown(expression)
    case .own:
      if let object = anchor.object { return object.number }
      return unknown(expression)
    case .gathered: return unknown(expression)
    case .entry(let column, let key, let type):
      if case .computed(let place, _)? = anchor.known(.column(column, .list)) {
        return .item(.computed(place, type), .key(self.expression(key)))
      }
      if let object = anchor.object { return .item(.property(object, column, type), .key(self.expression(key))) }
      return unknown(expression)
    case .column(let column, let type):
      if case .target(column: column) = anchor { return .own(type) }
      if let object = anchor.object { return .property(object, column, type) }
      return unknown(expression)
    case .element(let level, let type):
      guard case .element(let own) = anchor else { return expression }
      if level == own { return .own(type) }
      return level < own ? unknown(expression) : expression
    case .property(let object, let column, let type):
      let number = self.expression(object.number)
      return number.isOwn
        ? .column(column, type) : .property(BoundObject(entity: object.entity, number: number), column, type)
    case .item(.property(let object, let column, let type), .key(let key)):
      let number = self.expression(object.number)
      let key = self.expression(key)
      if number.isOwn { return .entry(column, key: key, type) }
      return .item(.property(BoundObject(entity: object.entity, number: number), column, type), .key(key))
    case .constant, .now, .negate, .complement, .arithmetic, .call, .ternary, .reduced, .item, .object, .assembled:
      return expression.mapChildren({ self.predicate($0) }, { self.expression($0) }, { self.collection($0) })
    }
  }

  private mutating func collection(_ collection: BoundCollection) -> BoundCollection {
    switch collection {
    case .column(let column, let type):
      if case .computed(let place, _)? = anchor.known(.column(column, .list)) { return .computed(place, type) }
      if let object = anchor.object { return .property(object, column, type) }
      return unknown(collection)
    case .computed:
      if case .member = anchor { return collection }
      return unknown(collection)
    case .keys(let column):
      if let object = anchor.object { return .propertyKeys(object, column) }
      return unknown(collection)
    case .property(let object, let column, let type):
      if case .computed(let place, _)? = anchor.known(.property(object, column, .list)) {
        return .computed(place, type)
      }
      let number = expression(object.number)
      return number.isOwn
        ? .column(column, type) : .property(BoundObject(entity: object.entity, number: number), column, type)
    case .propertyKeys(let object, let column):
      let number = expression(object.number)
      return number.isOwn ? .keys(column) : .propertyKeys(BoundObject(entity: object.entity, number: number), column)
    case .list, .chosen, .distinct, .joined, .sources, .positions, .each, .flattened, .among:
      return collection.mapChildren({ self.predicate($0) }, { self.expression($0) }, { self.collection($0) })
    }
  }

  /// Records that a part reads something besides the anchor's object.
  private mutating func unknown<Part>(_ part: Part) -> Part {
    readsMore = true
    return part
  }
}
