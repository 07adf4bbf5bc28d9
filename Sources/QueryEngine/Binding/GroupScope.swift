internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// The names of expressions over groups: the keys, aggregates of the group's objects, and columns of the SELECT by
/// their headings. Aggregates are collected as they are met.
///
/// A group is a row of values: those of the keys, then those of the aggregates. `BoundExpression.computed` is a
/// position in it.
struct GroupScope {
  /// A key as written, and where its values are: one, or those of an embedded struct.
  struct Key {
    let syntax: ExpressionSyntax
    let slots: Range<Int>
    let isStructure: Bool
  }

  private(set) var keys: [Key] = []
  /// Keys with an error that was reported; using them elsewhere is no second mistake.
  var refusedKeys: Set<ExpressionSyntax> = []
  /// The values of the keys, of an object.
  private(set) var slots: [BoundExpression] = []
  private(set) var aggregates: [GroupAggregate] = []
  private var keyPlaces: [ExpressionSyntax: Int] = [:]
  /// Where values of objects are that all of a group have, and where it is what says whether a struct is there.
  private var places: [BoundExpression: Int] = [:]
  private var presencePlaces: [BoundExpression: Int] = [:]
  private var aggregatePlaces: [GroupAggregate: Int] = [:]
  /// The key that is the object itself.
  private var ownSlot: Int?
  /// Whether no two objects have the same keys; computed when first needed.
  private var tellsApart: Bool?
  /// Expressions of the SELECT by the names after AS.
  var headings: [String: ExpressionSyntax] = [:]
  /// What the headings put in so far add up to, and how deep those around the place at hand nest.
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

  /// The key that is written so.
  func key(_ syntax: ExpressionSyntax) -> Key? { keyPlaces[syntax].map { keys[$0] } }

  /// Where the value of an expression over objects is, when it is one of the keys.
  func value(of expression: BoundExpression) -> BoundExpression? {
    let untyped = expression.untyped
    if expression.type == .structure, let slot = presencePlaces[untyped] { return .computed(slot, .structure) }
    return places[untyped].map { .computed($0, expression.type) }
  }

  /// The one object that a group has, where the keys tell it from all others.
  mutating func number(of entity: LinkedEntity) -> BoundObject? {
    if ownSlot == nil, tellsApart == nil {
      tellsApart = entity.stored.areToldApart(by: Set(slots.compactMap(\.column)))
    }
    if let ownSlot { return BoundObject(entity: entity, number: .computed(ownSlot, entity.type)) }
    guard tellsApart == true,
      case .computed(let place, _) = value(of: GroupAggregate(kind: .minimum, argument: .own(.int)))
    else { return nil }
    return BoundObject(entity: entity, number: .computed(place, entity.type))
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

extension StoredEntity {
  /// Whether no two objects have the same in some columns: nil may stand in as many as one likes.
  fileprivate func areToldApart(by known: Set<Int>) -> Bool {
    indexes.contains { index in
      index.isUnique && index.columns.allSatisfy { known.contains($0) && !columns[$0].column.isOptional }
    }
  }
}
