import PredicateLanguage
import Schema
import Values

/// What is asked of whole lists and of places, through links.
extension GraphQueryMaker {
  /// A collection against a list that is written or given, or against another collection: element by element in order.
  mutating func onLists(_ depth: Int) -> PredicateSyntax? {
    let many = random.once(in: 3) ? manyObjects(depth: 0) : manyValues(depth: 0)
    guard let many else { return nil }
    // Objects have no order.
    var comparator = many.entity == nil ? random.pick([.equal, .notEqual] + Comparator.relations) : equality()
    if many.type == .string, random.once(in: 3) {
      comparator = random.pick([.contains, .beginsWith, .endsWith, .like])
    }
    if many.entity != nil, random.once(in: 4) {
      return compare(many.expression, random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    }
    let other = wholeList(beside: many)
    let sides = random.once(in: 2) ? (other, many.expression) : (many.expression, other)
    return compare(sides.0, comparator, sides.1)
  }

  private mutating func equality() -> Comparator { random.pick([.equal, .equal, .notEqual]) }

  private mutating func wholeList(beside many: Operand) -> ExpressionSyntax {
    switch random.below(6) {
    case 0:
      for _ in 0..<4 {
        let other = many.entity == nil ? manyValues(depth: 0) : manyObjects(depth: 0)
        if let other, isComparable(many, other) { return other.expression }
      }
    case 1: return list((0..<random.below(3)).map { _ in near(many) }.filter { !$0.isNull })
    default: break
    }
    // Mostly one that is there.
    let known = many.lists.randomElement(using: &random) ?? []
    return list(random.once(in: 4) ? known.reversed() : known)
  }

  /// A struct of an object, of one it links to, or of a list: with a slash in the name of what it is.
  mutating func structure(in hops: Int) -> Operand? {
    for _ in 0..<6 {
      guard let object = object(in: hops) else { continue }
      if object.isStruct, random.once(in: 2) { return object }
      if let structure = structure(of: object) { return structure }
    }
    return nil
  }

  /// The struct of each of many objects, or many structs.
  mutating func structures(in hops: Int) -> Operand? {
    for _ in 0..<6 {
      guard let many = manyObjects(depth: 1) else { continue }
      if many.isStruct, random.once(in: 2) { return many }
      if let structures = structure(of: many) { return structures }
    }
    return nil
  }

  private mutating func structure(of object: Operand) -> Operand? {
    guard let name = object.entity, let entity = world.schema.entity(named: name) else { return nil }
    let names = entity.properties.compactMap { if case .embedded = $0.type { $0.name } else { nil } }
    guard let property = names.randomElement(using: &random) else { return nil }
    var structure = followed(object, .name(property))
    structure.content = .object(OracleWorld.structEntity(name, property))
    (structure.isArray, structure.isThrough, structure.lists) = (false, object.isMany, [])
    structure.structure = (name, property)
    return structure
  }

  /// Where a place is, and how far from another.
  mutating func onPlace() -> PredicateSyntax? {
    if random.once(in: 3) { return onManyPlaces() }
    guard let place = place(in: random.below(3)) else { return nil }
    if random.once(in: 3) {
      let other = random.once(in: 2) ? self.place(in: random.below(3)) : nil
      let point = random.point(RandomValues.place(&random))
      let distance = ExpressionSyntax(.call("distance", [place, other ?? point]))
      let metres = literal(random.pick([.int(1000), .double(2.5e6), .int(10_000_000), .double(2.1e7)]))
      return compare(distance, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), metres)
    }
    return compare(place, random.pick([.geoWithin, .isIn]), ExpressionSyntax(.shape(random.shape())))
  }

  /// The place of each of many objects, or how far it is.
  private mutating func onManyPlaces() -> PredicateSyntax? {
    for _ in 0..<12 {
      guard let many = manyObjects(depth: 1), let name = many.entity, let entity = world.schema.entity(named: name),
        entity.property(named: "spot") != nil
      else { continue }
      let places = followed(many, .name("spot")).expression
      if random.once(in: 3) {
        let other = random.once(in: 2) ? place(in: random.below(2)) : nil
        let point = random.point(RandomValues.place(&random))
        let distance = ExpressionSyntax(.call("distance", [places, other ?? point]))
        return compare(
          distance, random.pick([.less, .greater]), literal(random.pick([.double(2.5e6), .int(10_000_000)])), [],
          random.pick([.any, .all, Quantifier.none]))
      }
      let quantifier = random.pick([nil, .any, .all, Quantifier.none])
      return compare(
        places, random.pick([.geoWithin, .isIn]), ExpressionSyntax(.shape(random.shape())), [], quantifier)
    }
    return nil
  }
}
