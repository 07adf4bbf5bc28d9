internal import Storage
internal import Values

/// Turns what is said of one object that a row leads to into what is said of a row of that object's own entity, so that
/// it can be planned and run over that entity alone: `$t.priority > 9` becomes `priority > 9` of a task. Or what is said
/// of an object into what is said of its group, as far as the keys tell.
struct Rerooting {
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
    var rerooting = Rerooting(anchor)
    let result = rerooting.predicate(predicate)
    return rerooting.readsMore ? nil : result
  }

  /// The expression about the object alone; nil when it reads more.
  static func expression(_ expression: BoundExpression, _ anchor: Anchor) -> BoundExpression? {
    var rerooting = Rerooting(anchor)
    let result = rerooting.expression(expression)
    return rerooting.readsMore ? nil : result
  }

  /// The collection about the object alone; nil when it reads more.
  static func collection(_ collection: BoundCollection, _ anchor: Anchor) -> BoundCollection? {
    var rerooting = Rerooting(anchor)
    let result = rerooting.collection(collection)
    return rerooting.readsMore ? nil : result
  }

  private mutating func predicate(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant: return predicate
    case .and(let parts): return .and(parts.map { self.predicate($0) })
    case .or(let parts): return .or(parts.map { self.predicate($0) })
    case .not(let inner): return .not(self.predicate(inner))
    case .test:
      readsMore = true
      return predicate
    case .comparison(let comparison):
      return .comparison(
        BoundComparison(
          comparator: comparison.comparator, folding: comparison.folding, left: expression(comparison.left),
          right: comparison.right.map { expression($0) }, test: comparison.test, syntax: comparison.syntax,
          shape: comparison.shape))
    case .quantified(let quantified):
      let collection = collection(quantified.collection)
      return .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: collection, level: quantified.level,
          predicate: self.predicate(quantified.predicate), syntax: quantified.syntax))
    case .lists(let lists):
      let left = collection(lists.left)
      return .lists(
        BoundListComparison(
          comparator: lists.comparator, folding: lists.folding, left: left, right: collection(lists.right),
          syntax: lists.syntax))
    }
  }

  private mutating func expression(_ expression: BoundExpression) -> BoundExpression {
    if let known = anchor.known(expression) { return known }
    switch expression {
    case .constant, .object, .now: return expression
    case .computed:
      if case .member = anchor { return expression }
      readsMore = true
      return expression
    case .own, .gathered:
      if let object = anchor.object, expression.isOwn { return object.number }
      readsMore = true
      return expression
    case .entry(let column, let key, let type):
      if let object = anchor.object { return .item(.property(object, column, type), .key(self.expression(key))) }
      readsMore = true
      return expression
    case .column(let column, let type):
      if case .target(column: column) = anchor { return .own(type) }
      if let object = anchor.object { return .property(object, column, type) }
      readsMore = true
      return expression
    case .element(let level, let type):
      guard case .element(let own) = anchor else { return expression }
      if level == own { return .own(type) }
      if level < own { readsMore = true }
      return expression
    case .property(let object, let column, let type):
      let number = self.expression(object.number)
      return number.isOwn
        ? .column(column, type) : .property(BoundObject(entity: object.entity, number: number), column, type)
    case .assembled(let structure): return .assembled(structure.mapParts { self.expression($0) })
    case .negate(let operand): return .negate(self.expression(operand))
    case .complement(let operand): return .complement(self.expression(operand))
    case .arithmetic(let first, let steps):
      let first = self.expression(first)
      return .arithmetic(
        first,
        steps.map {
          BoundExpression.Step(operation: $0.operation, operand: self.expression($0.operand), type: $0.type)
        })
    case .call(let function, let operands): return .call(function, operands.map { self.expression($0) })
    case .ternary(let condition, let yes, let no):
      let condition = predicate(condition)
      let yes = self.expression(yes)
      return .ternary(condition, yes, self.expression(no))
    case .reduced(let reduction, let base): return .reduced(reduction, collection(base))
    case .item(.property(let object, let column, let type), .key(let key)):
      let number = self.expression(object.number)
      let key = self.expression(key)
      if number.isOwn { return .entry(column, key: key, type) }
      return .item(.property(BoundObject(entity: object.entity, number: number), column, type), .key(key))
    case .item(let base, let place):
      let base = collection(base)
      switch place {
      case .first, .last: return .item(base, place)
      case .index(let index): return .item(base, .index(self.expression(index)))
      case .key(let key): return .item(base, .key(self.expression(key)))
      }
    }
  }

  private mutating func collection(_ collection: BoundCollection) -> BoundCollection {
    switch collection {
    case .column(let column, let type):
      if let object = anchor.object { return .property(object, column, type) }
      readsMore = true
      return collection
    case .keys(let column):
      if let object = anchor.object { return .propertyKeys(object, column) }
      readsMore = true
      return collection
    case .list(let values): return .list(values.map { expression($0) })
    case .chosen(let base, let level, let condition):
      let base = self.collection(base)
      return .chosen(base, level: level, predicate(condition))
    case .distinct(let base): return .distinct(self.collection(base))
    case .among(let base, let set): return .among(self.collection(base), set)
    case .joined(let parts): return .joined(parts.map { self.collection($0) })
    case .property(let object, let column, let type):
      let number = expression(object.number)
      return number.isOwn
        ? .column(column, type) : .property(BoundObject(entity: object.entity, number: number), column, type)
    case .propertyKeys(let object, let column):
      let number = expression(object.number)
      return number.isOwn ? .keys(column) : .propertyKeys(BoundObject(entity: object.entity, number: number), column)
    case .sources(let source, let number): return .sources(source, of: expression(number))
    case .positions(let count): return .positions(of: expression(count))
    case .each(let base, let level, let value):
      let base = self.collection(base)
      return .each(base, level: level, expression(value))
    case .flattened(let base, let level, let inner):
      let base = self.collection(base)
      return .flattened(base, level: level, self.collection(inner))
    }
  }
}

extension BoundExpression {
  /// Whether it is the row's own object.
  var isOwn: Bool {
    if case .own = self { true } else { false }
  }
}
