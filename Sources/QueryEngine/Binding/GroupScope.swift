internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// The names of expressions over groups: the keys, aggregates of the group's objects, and SELECT columns by their
/// headings. Aggregates are added when an expression uses them.
///
/// A group is a row of values: those of the keys, then those of the aggregates. `BoundExpression.computed` is a
/// position in that row.
struct GroupScope {
  /// A key as written, and the positions of its values: one, or several for an embedded struct.
  struct Key {
    let syntax: ExpressionSyntax
    let slots: Range<Int>
    let isStructure: Bool
  }

  private(set) var keys: [Key] = []
  /// Keys with a reported error; using one elsewhere is not reported again.
  var refusedKeys: Set<ExpressionSyntax> = []
  /// The expressions of the key values, over an object.
  private(set) var slots: [BoundExpression] = []
  private(set) var aggregates: [GroupAggregate] = []
  /// The aggregates as first written; nil for one that is not written.
  private(set) var aggregateSyntax: [ExpressionSyntax?] = []
  private var keyPlaces: [ExpressionSyntax: Int] = [:]
  /// The positions of key values by their expressions, and the positions of values that state whether a struct exists.
  private var places: [BoundExpression: Int] = [:]
  private var presencePlaces: [BoundExpression: Int] = [:]
  private var aggregatePlaces: [GroupAggregate: Int] = [:]
  /// The position of the key that is the object itself.
  private var ownSlot: Int?
  /// Whether the keys identify an object; computed when first needed.
  private var tellsApart: Bool?
  /// SELECT expressions by their names after AS.
  var headings: [String: ExpressionSyntax] = [:]
  /// The total number of nodes of the headings substituted so far, and the nesting at the current position.
  var expandedNodes = 0
  var expandedNesting = 0

  mutating func add(key syntax: ExpressionSyntax, _ values: [BoundExpression], isStructure: Bool) {
    if keyPlaces[syntax] == nil { keyPlaces[syntax] = keys.count }
    for (offset, value) in values.enumerated() {
      let slot = slots.count + offset
      if value.isOwn { ownSlot = ownSlot ?? slot }
      if case .assembled(let structure) = value, structure.fields.isEmpty, let presence = structure.presence {
        if presencePlaces[presence.untyped] == nil { presencePlaces[presence.untyped] = slot }
      } else if places[value.untyped] == nil {
        places[value.untyped] = slot
      }
    }
    keys.append(Key(syntax: syntax, slots: slots.count..<slots.count + values.count, isStructure: isStructure))
    slots += values
  }

  /// The key with the given syntax, or nil.
  func key(_ syntax: ExpressionSyntax) -> Key? { keyPlaces[syntax].map { keys[$0] } }

  /// The value in the group's row of an expression over objects; nil if the expression is not a key.
  func value(of expression: BoundExpression) -> BoundExpression? {
    let untyped = expression.untyped
    if expression.type == .structure, let slot = presencePlaces[untyped] { return .computed(slot, .structure) }
    return places[untyped].map { .computed($0, expression.type) }
  }

  /// The single object of each group, if the keys identify an object.
  mutating func number(of entity: LinkedEntity) -> BoundObject? {
    if ownSlot == nil, tellsApart == nil {
      tellsApart = entity.stored.areToldApart(by: Set(slots.compactMap(\.column)))
    }
    if let ownSlot { return BoundObject(entity: entity, number: .computed(ownSlot, entity.type)) }
    guard tellsApart == true,
      case .computed(let place, _) = value(of: GroupAggregate(function: .minimum, argument: .own(.int)))
    else { return nil }
    return BoundObject(entity: entity, number: .computed(place, entity.type))
  }

  /// The value of an aggregate in the group's row; adds the aggregate if it is new.
  ///
  /// - Parameter syntax: The aggregate as written, for EXPLAIN.
  mutating func value(of aggregate: GroupAggregate, _ syntax: ExpressionSyntax? = nil) -> BoundExpression {
    let place = aggregatePlaces[aggregate] ?? aggregates.count
    if place == aggregates.count {
      aggregates.append(aggregate)
      aggregateSyntax.append(syntax)
      aggregatePlaces[aggregate] = place
    }
    return .computed(slots.count + place, aggregate.type)
  }
}

extension BoundExpression {
  /// The expression with a column's type erased, so that the same column read as different types is equal.
  fileprivate var untyped: BoundExpression {
    switch self {
    case .column(let column, _): .column(column, .null)
    case .property(let object, let column, _): .property(object, column, .null)
    case .constant, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .reduced, .item,
      .entry, .own, .object, .assembled, .gathered:
      self
    }
  }
}

extension StoredEntity {
  /// Whether some columns identify an object. A unique index with an optional column does not: any number of objects
  /// may have nil.
  fileprivate func areToldApart(by known: Set<Int>) -> Bool {
    indexes.contains { index in
      index.isUnique && index.columns.allSatisfy { known.contains($0) && !columns[$0].column.isOptional }
    }
  }
}
