import PredicateLanguage
import Schema
import Values

/// Makes queries about the objects of a graph and what they link to; most of them are meaningful, some are errors.
///
/// It makes paths here; what it asks of them is in the extensions.
struct GraphQueryMaker {
  /// What a path leads to.
  struct Operand {
    enum Content: Equatable {
      case value(ScalarType)
      case object(String)
    }

    /// A path, or a SUBQUERY with its tail.
    var expression: ExpressionSyntax
    var content: Content
    var isMany = false
    /// Whether it is itself a collection with an order, whose elements have places.
    var isArray = false
    /// Whether it is one value of each of many objects.
    var isThrough = false
    /// Some values it has.
    var samples: [Value] = []
    /// What stands in some collections that it may be, one after the other.
    var lists: [[Value]] = []
    /// After how many steps it is many objects, of which the rest is a path.
    var split: Int?
    /// The struct of an object that it is, or of many, by the entity and the path.
    var structure: (entity: String, path: String)?

    var type: ScalarType? { if case .value(let type) = content { type } else { nil } }
    var entity: String? { if case .object(let entity) = content { entity } else { nil } }
  }

  let world: OracleWorld
  let entity: Entity
  var random: OracleRandom
  var usesArguments = false
  /// Whether places and keys may be arguments, too: two of them may be the same, which a path does not show.
  var givesPlaces = true
  var arguments = Arguments()
  /// The variables of the SUBQUERYs around, the outermost first.
  var variables: [(name: String, operand: Operand)] = []
  /// How many brackets more may have an expression in them, one within the other.
  var bracketDepth = 1

  init(world: OracleWorld, random: OracleRandom) {
    self.world = world
    self.random = random
    entity = self.random.pick(world.schema.entities.filter { !OracleWorld.isStructEntity($0.name) })
  }

  mutating func make() -> RandomQuery {
    usesArguments = random.once(in: 3)
    arguments = Arguments()
    variables = []
    var filter = FilterSyntax(predicate: random.once(in: 15) ? nil : predicate(depth: 1 + random.below(3)))
    // Of many objects this would be asked for long, and say no more.
    if random.once(in: 8), world.all(entity.name).count <= 40, let nested = nested(2 + random.below(3)) {
      filter.predicate = nested
    }
    while filter.predicate == nil && filter.tails.isEmpty || random.once(in: 4) {
      let tail = tail()
      // Two windows in a row would be read as one.
      if case .window = tail, case .window? = filter.tails.last { continue }
      filter.tails.append(tail)
    }
    if usesArguments, random.once(in: 2) {
      var names = NamesGiven(random: random, arguments: arguments)
      filter = names.rewrite(filter)
      (random, arguments) = (names.random, names.arguments)
    }
    return RandomQuery(filter: filter, arguments: arguments)
  }

  private mutating func tail() -> TailSyntax {
    switch random.below(6) {
    case 5: return .filter(predicate(depth: random.below(2)))
    case 0, 1:
      return .sort((0...random.below(2)).map { _ in SortKeySyntax(sortable(), ascending: random.once(in: 2)) })
    case 2:
      return .distinct(
        (0...random.below(2)).map { _ in
          switch random.below(6) {
          case 0: object(in: 1 + random.below(2))?.expression ?? sortable()
          case 1: structure(in: random.below(3))?.expression ?? sortable()
          default: sortable()
          }
        })
    default:
      let offset = random.once(in: 2) ? literal(.int(Int64(random.below(6)))) : nil
      let limit = offset == nil || random.once(in: 2) ? literal(.int(Int64(random.below(20)))) : nil
      return .window(offset: offset, limit: limit)
    }
  }

  private mutating func sortable() -> ExpressionSyntax {
    switch random.below(4) {
    case 0: if let number = number(depth: 1) { return number }
    case 1: if let many = manyObjects(depth: 1) { return followed(many, .operation("count")).expression }
    default: break
    }
    return value(in: random.below(4))?.expression ?? ExpressionSyntax(.path(PathSyntax("title")))
  }

  // MARK: Predicates

  mutating func predicate(depth: Int) -> PredicateSyntax {
    switch random.below(depth > 0 ? 9 : 6) {
    case 6: return joined(depth) { .and($0) }
    case 7: return joined(depth) { .or($0) }
    case 8: return PredicateSyntax(.not(predicate(depth: depth - 1)))
    default: return condition(depth: depth)
    }
  }

  /// AND and OR are flat: a part of the same kind is taken apart.
  private mutating func joined(_ depth: Int, _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind) -> PredicateSyntax {
    var parts: [PredicateSyntax] = []
    for _ in 0..<(2 + random.below(2)) {
      let part = predicate(depth: depth - 1)
      switch (part.kind, kind([])) {
      case (.and(let inner), .and), (.or(let inner), .or): parts += inner
      default: parts.append(part)
      }
    }
    return PredicateSyntax(kind(parts))
  }

  func compare(
    _ left: ExpressionSyntax, _ comparator: Comparator, _ right: ExpressionSyntax, _ options: StringOptions = [],
    _ quantifier: Quantifier? = nil, right rightQuantifier: Quantifier? = nil
  ) -> PredicateSyntax {
    // NONE is NOT ANY in a tree.
    let comparison = PredicateSyntax(
      .comparison(
        ComparisonSyntax(
          quantifier: quantifier == Quantifier.none ? .any : quantifier, left: left, comparator: comparator,
          options: options, rightQuantifier: rightQuantifier, right: right)))
    return quantifier == Quantifier.none ? PredicateSyntax(.not(comparison)) : comparison
  }

  mutating func literal(_ value: Value) -> ExpressionSyntax {
    guard usesArguments, random.once(in: 2) else { return ExpressionSyntax(.literal(value)) }
    arguments.positional.append(value)
    return ExpressionSyntax(.placeholder(.positional(arguments.positional.count - 1)))
  }

  /// A list as it is written, or as one argument.
  mutating func list(_ values: [Value]) -> ExpressionSyntax {
    guard usesArguments, random.once(in: 3) else { return ExpressionSyntax(.list(values.map { literal($0) })) }
    arguments.positional.append(.list(values))
    return ExpressionSyntax(.placeholder(.positional(arguments.positional.count - 1)))
  }

  // MARK: Paths

  /// One value at the end of so many links to one object each.
  mutating func value(in hops: Int) -> Operand? {
    walk(hops: hops) { !$0.isMany && $0.type != nil }
  }

  mutating func object(in hops: Int) -> Operand? {
    // Seldom the object itself.
    if hops == 0 || random.once(in: 8) {
      let start = start()
      return start.isMany ? nil : start
    }
    return walk(hops: hops) { !$0.isMany && $0.entity != nil }
  }

  /// Many values: a collection of them, or a value of each of many objects.
  mutating func manyValues(depth: Int) -> Operand? {
    if depth > 0, random.once(in: 4), let objects = manyObjects(depth: depth), objects.isSubquery {
      return last(of: objects)
    }
    return walk(hops: 1 + random.below(3)) { $0.isMany && $0.type != nil }
  }

  mutating func manyObjects(depth: Int) -> Operand? {
    guard let many = walk(hops: 1 + random.below(3), { $0.isMany && $0.entity != nil }) else { return nil }
    return depth > 0 && random.once(in: 4) ? chosen(many, depth: depth) : many
  }

  /// The object that is asked about, or a variable for one.
  mutating func start() -> Operand {
    let places = variables.filter { $0.operand.entity != nil }
    if let variable = places.randomElement(using: &random), !random.once(in: 3) { return variable.operand }
    return Operand(expression: ExpressionSyntax(.path(PathSyntax(steps: []))), content: .object(entity.name))
  }

  /// A random path with at most so many links in it that leads to what is wanted.
  private mutating func walk(hops: Int, _ isWanted: (Operand) -> Bool) -> Operand? {
    // Many of many of many, and those for each of as many, would be asked all day and say no more.
    let hops = max(0, min(hops, 3 - variables.count))
    for _ in 0..<12 {
      var operand = start()
      for _ in 0..<hops where operand.entity != nil {
        guard let next = hop(operand) else { break }
        operand = next
      }
      // As it is, or a property of it.
      if isWanted(operand), operand.expression != start().expression, random.once(in: 2) { return operand }
      if let last = last(of: operand), isWanted(last) { return last }
      if isWanted(operand), case .path(let path) = operand.expression.kind, !path.steps.isEmpty { return operand }
    }
    return nil
  }

  /// On by one link, forward or back.
  mutating func hop(_ operand: Operand) -> Operand? {
    guard let name = operand.structure?.entity ?? operand.entity, let entity = world.schema.entity(named: name) else {
      return nil
    }
    var next: [Operand] = []
    for column in world.schema.columns(of: entity) {
      let structs: String? =
        if case .structs = column.kind { OracleWorld.structEntity(name, column.path) } else { nil }
      guard let target = column.kind.target ?? structs, let names = operand.names(of: column) else { continue }
      var to = followed(operand, names)
      to.content = .object(target)
      if structs != nil || column.kind == .links(target) {
        to.isArray = !operand.isMany
        to.isThrough = false
        to.isMany = true
        to.lists = lists(name, column)
        if random.once(in: 4) {
          // Of many the item of each.
          to = followed(to, item())
          (to.isMany, to.isArray, to.isThrough) = (operand.isMany, false, operand.isMany)
          if operand.isMany, to.split == nil || random.once(in: 2) { to.split = operand.stepCount }
        }
      } else {
        to.isThrough = operand.isMany
        if operand.isMany, to.split == nil || random.once(in: 2) { to.split = split(operand, names) }
      }
      next.append(to)
    }
    if operand.structure != nil { return next.randomElement(using: &random) }
    for inverse in world.schema.inverses(of: entity) {
      var to = followed(operand, .name(inverse.name))
      (to.content, to.isMany, to.isThrough) = (.object(inverse.source), true, false)
      next.append(to)
    }
    if random.once(in: 4), !operand.isStruct, let link = world.links(to: name).randomElement(using: &random) {
      let names = link.path.split(separator: ".").map { PathSyntax.Step.Kind.name(String($0)) }
      var to = followed(operand, [.operation("links"), .name(link.entity)] + names)
      (to.content, to.isMany, to.isThrough) = (.object(link.entity), true, false)
      next.append(to)
    }
    return next.randomElement(using: &random)
  }

  mutating func item() -> PathSyntax.Step.Kind {
    switch random.below(4) {
    case 0: .first
    case 1: .last
    default: .index(place(.int(Int64(random.below(4)))))
    }
  }

  private mutating func place(_ value: Value) -> ExpressionSyntax {
    if random.once(in: 4), let found = bracket(value) { return found }
    return givesPlaces ? literal(value) : ExpressionSyntax(.literal(value))
  }

  /// A place or key like another that is no constant: a value of the object or of a variable, through links too, or made
  /// of one.
  mutating func bracket(_ value: Value) -> ExpressionSyntax? {
    guard bracketDepth > 0 else { return nil }
    bracketDepth -= 1
    defer { bracketDepth += 1 }
    if case .string = value {
      guard let text = text(in: random.below(4)) else { return nil }
      switch random.below(4) {
      case 0: return ExpressionSyntax(.call("lowercase", [text]))
      case 1: return ExpressionSyntax(.ternary(predicate(depth: 0), text, ExpressionSyntax(.literal(value))))
      default: return text
      }
    }
    switch random.below(4) {
    case 0: return manyObjects(depth: 0).map { count(of: $0) }
    case 1: return text(in: random.below(4)).map { ExpressionSyntax(.call("length", [$0])) }
    default:
      guard let number = self.value(in: random.below(4)), number.type?.isInteger == true else { return nil }
      return random.once(in: 3)
        ? .binary(random.pick([.add, .subtract]), number.expression, literal(.int(1))) : number.expression
    }
  }

  private mutating func text(in hops: Int) -> ExpressionSyntax? {
    for _ in 0..<4 { if let found = value(in: hops), found.type == .string { return found.expression } }
    return nil
  }

  /// A property of what is there that is no link.
  mutating func last(of operand: Operand) -> Operand? {
    guard let name = operand.structure?.entity ?? operand.entity, let entity = world.schema.entity(named: name) else {
      return nil
    }
    if random.once(in: 40), !operand.isStruct {
      var type = followed(operand, .operation("type"))
      (type.content, type.isThrough, type.isArray) = (.value(.string), operand.isMany, false)
      type.samples = [.string(name)]
      return type
    }
    let columns = world.schema.columns(of: entity).filter {
      $0.kind.target == nil && $0.kind != .presence && !$0.kind.isOfList && operand.names(of: $0) != nil
    }
    guard let column = columns.randomElement(using: &random), let names = operand.names(of: column) else { return nil }
    var to = followed(operand, names)
    to.samples = samples(name, column)
    to.lists = lists(name, column)
    if operand.isMany, to.split == nil || random.once(in: 2) { to.split = split(operand, names) }
    switch column.kind {
    case .scalar(let type):
      (to.content, to.isThrough, to.isArray) = (.value(type), operand.isMany, false)
    case .collection(let kind, let type):
      (to.content, to.isThrough, to.isArray, to.isMany) = (.value(type), false, !operand.isMany && kind == .array, true)
      if kind == .array, random.once(in: 3) {
        to = followed(to, item())
        (to.isMany, to.isArray, to.isThrough) = (operand.isMany, false, operand.isMany)
      }
      if kind == .dictionary { return random.once(in: 2) ? inDictionary(to, ofMany: operand.isMany) : to }
    default: return nil
    }
    return to
  }

  /// After how many steps an aggregate may stand: before the names that lead on from many, or behind those of structs.
  private mutating func split(_ operand: Operand, _ names: [PathSyntax.Step.Kind]) -> Int {
    operand.stepCount + (operand.structure == nil && random.once(in: 3) ? names.count - 1 : 0)
  }

  /// The value of a key, the keys or the values.
  private mutating func inDictionary(_ dictionary: Operand, ofMany: Bool) -> Operand {
    var to = dictionary
    switch random.below(4) {
    case 0:
      to = followed(to, .operation("keys"))
      (to.content, to.samples, to.lists) = (.value(.string), ["a", "b", "count"].map(Value.string), [])
    case 1: to = followed(to, .operation("values"))
    default:
      to = followed(to, .index(place(.string(random.pick(["a", "a", "b", "count", "nobody"])))))
      (to.isMany, to.isThrough) = (ofMany, ofMany)
    }
    return to
  }

  /// An embedded point of an object, or of one it links to.
  mutating func place(in hops: Int) -> ExpressionSyntax? {
    for _ in 0..<12 {
      guard let object = object(in: hops), let name = object.entity else { continue }
      if object.structure?.path == "spot" { return object.expression }
      guard let entity = world.schema.entity(named: name), entity.property(named: "spot") != nil else { continue }
      return followed(object, .name("spot")).expression
    }
    return nil
  }

  func samples(_ entity: String, _ column: Column) -> [Value] {
    world.all(entity).prefix(6).flatMap { object -> [Value] in
      switch object.values[column.path] {
      case .list(let elements)?: Array(elements.prefix(3))
      case .embedded(let fields)?: fields.prefix(3).map(\.value)
      case let value? where !value.isNull: [value]
      default: []
      }
    }
  }

  private func lists(_ entity: String, _ column: Column) -> [[Value]] {
    world.all(entity).prefix(6).compactMap { object in
      switch object.values[column.path] {
      case .list(let elements)?: Array(elements.prefix(6))
      case .embedded(let fields)?: fields.map(\.value)
      default: nil
      }
    }
  }

  // MARK: Steps

  func followed(_ operand: Operand, _ step: PathSyntax.Step.Kind) -> Operand { followed(operand, [step]) }

  /// The path, or SUBQUERY, with more steps.
  func followed(_ operand: Operand, _ steps: [PathSyntax.Step.Kind]) -> Operand {
    var result = operand
    result.structure = nil
    switch operand.expression.kind {
    case .path(var path):
      path.steps += steps.map { PathSyntax.Step($0) }
      result.expression = ExpressionSyntax(.path(path))
    case .subquery(let path, let variable, let predicate, var tail):
      tail.steps += steps.map { PathSyntax.Step($0) }
      result.expression = ExpressionSyntax(.subquery(path, variable: variable, predicate, tail: tail))
    default: break
    }
    return result
  }

  /// `SUBQUERY(path, $t, …)`
  mutating func chosen(_ many: Operand, depth: Int) -> Operand {
    guard case .path(let path) = many.expression.kind, variables.count < 3 else { return many }
    // Sometimes the name of a variable around.
    let shadowed = random.once(in: 3) ? variables.randomElement(using: &random)?.name : nil
    let name = shadowed ?? "t\(variables.count)"
    var element = many
    element.expression = ExpressionSyntax(.path(PathSyntax(variable: name, steps: [])))
    (element.isMany, element.isArray, element.isThrough, element.split) = (false, false, false, nil)
    let outer = variables
    variables.removeAll { $0.name == name }
    variables.append((name, element))
    var predicate = predicate(depth: depth - 1)
    if random.once(in: 3), let correlated = correlated(element) {
      let parts = if case .and(let parts) = predicate.kind { parts } else { [predicate] }
      predicate = PredicateSyntax(.and(random.once(in: 2) ? parts + [correlated] : [correlated] + parts))
    }
    variables = outer
    var result = many
    result.expression = ExpressionSyntax(.subquery(path, variable: name, predicate, tail: PathSyntax(steps: [])))
    (result.isThrough, result.split) = (false, nil)
    return result
  }

  /// SUBQUERYs in each other, so many deep, each over objects that the one around it looks at. What is said of the
  /// elements of each may name any variable around it, and the object that is asked about.
  mutating func nested(_ levels: Int, from around: Operand? = nil) -> PredicateSyntax? {
    let whole = Operand(expression: ExpressionSyntax(.path(PathSyntax(steps: []))), content: .object(entity.name))
    var many: Operand?
    for _ in 0..<12 where many == nil {
      guard let next = hop(around ?? whole), next.isMany, next.entity != nil, !next.isStruct else { continue }
      many = next
    }
    guard let many, case .path(let path) = many.expression.kind else { return nil }
    let name = "n\(variables.count)"
    var element = many
    element.expression = ExpressionSyntax(.path(PathSyntax(variable: name, steps: [])))
    (element.isMany, element.isArray, element.isThrough, element.split) = (false, false, false, nil)
    let named = [whole] + variables.map(\.operand)
    variables.append((name, element))
    defer { variables.removeLast() }
    var parts: [PredicateSyntax] = []
    if levels > 1, let inner = nested(levels - 1, from: element) { parts.append(inner) }
    if parts.isEmpty || random.once(in: 2), let own = last(of: element), !own.isMany {
      var right: ExpressionSyntax?
      for _ in 0..<4 where right == nil && !random.once(in: 3) {
        guard let other = last(of: random.pick(named)), !other.isMany, isComparable(own, other) else { continue }
        right = other.expression
      }
      parts.insert(
        compare(own.expression, random.pick(Comparator.relations), right ?? literal(near(own))),
        at: random.below(parts.count + 1))
    }
    guard let first = parts.first else { return nil }
    let isOr = random.once(in: 4)
    let condition = parts.count == 1 ? first : PredicateSyntax(isOr ? .or(parts) : .and(parts))
    var found = many
    found.expression = ExpressionSyntax(.subquery(path, variable: name, condition, tail: PathSyntax(steps: [])))
    (found.isArray, found.isThrough, found.split) = (false, false, nil)
    let counted = compare(
      count(of: found), random.pick([.greater, .greater, .equal, .less, .notEqual]),
      literal(.int(Int64(random.below(3)))))
    return random.once(in: 6) ? PredicateSyntax(.not(counted)) : counted
  }
}

extension GraphQueryMaker.Operand {
  /// Whether it is a struct of a list, or many of them.
  var isStruct: Bool { entity.map(OracleWorld.isStructEntity) ?? false }

  /// The names that lead to a column from it; nil for one that is in another struct, or in none.
  func names(of column: Column) -> [PathSyntax.Step.Kind]? {
    let prefix = structure.map { $0.path + "." } ?? ""
    guard column.path.hasPrefix(prefix) else { return nil }
    return column.path.dropFirst(prefix.count).split(separator: ".").map { .name(String($0)) }
  }

  var isSubquery: Bool { if case .subquery = expression.kind { true } else { false } }

  /// The steps of its path, or of what follows its SUBQUERY.
  var stepCount: Int {
    switch expression.kind {
    case .path(let path): path.steps.count
    case .subquery(_, _, _, let tail): tail.steps.count
    default: 0
    }
  }
}
