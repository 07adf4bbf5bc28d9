internal import Storage
internal import Values

/// Rebases a predicate about one linked object to rows of the linked entity, so that it can be planned and run over that
/// entity alone: `$t.priority > 9` becomes `priority > 9` of a task. It also rebases a predicate about an object to the
/// object's group, as far as the keys determine it.
struct RebaseToTarget {
  /// The object that becomes the row's.
  enum Anchor {
    /// The element of a level; variables inside have higher levels, those outside lower ones.
    case element(Int)
    /// The target of a to-one link of the row's object.
    case target(column: Int)
    /// Any object of a group; its own number where there is just one in each.
    case member(of: GroupScope, number: BoundObject?)

    /// What the keys of a group say of an expression.
    func known(_ expression: BoundExpression) -> BoundExpression? {
      if case .member(let scope, _) = self { scope.value(of: expression) } else { nil }
    }

    /// What the columns of the row's object become those of.
    var object: BoundObject? { if case .member(_, let number) = self { number } else { nil } }
  }

  let anchor: Anchor
  /// Whether something else of the row, or of another object around, is read as well.
  private(set) var readsMore = false

  init(_ anchor: Anchor) { self.anchor = anchor }

  /// The predicate about the object alone; nil when it reads more.
  static func predicate(_ predicate: BoundPredicate, _ anchor: Anchor) -> BoundPredicate? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.predicate(predicate)
    return rerooting.readsMore ? nil : result
  }

  /// The expression about the object alone; nil when it reads more.
  static func expression(_ expression: BoundExpression, _ anchor: Anchor) -> BoundExpression? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.expression(expression)
    return rerooting.readsMore ? nil : result
  }

  /// The collection about the object alone; nil when it reads more.
  static func collection(_ collection: BoundCollection, _ anchor: Anchor) -> BoundCollection? {
    var rerooting = RebaseToTarget(anchor)
    let result = rerooting.collection(collection)
    return rerooting.readsMore ? nil : result
  }

  private mutating func predicate(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .test: return unknown(predicate)
    // About another object other things are remembered.
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

  /// Notes that a part reads something that cannot be said of the object alone.
  private mutating func unknown<Part>(_ part: Part) -> Part {
    readsMore = true
    return part
  }
}

extension BoundExpression {
  /// Whether it is the row's own object.
  var isOwn: Bool {
    if case .own = self { true } else { false }
  }
}
