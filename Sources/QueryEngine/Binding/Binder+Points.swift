internal import PredicateLanguage
internal import Schema
internal import Storage

/// Points that paths lead to: the one of a struct, or one for each of many.
extension Binder {
  /// The embedded struct that a path leads to through any number of to-one links and items of lists: its owner, and its
  /// path in the owner. nil for other paths. Reports a wrong index in the path.
  mutating func structure(
    at path: PathSyntax, from start: PathOrigin, range: SourceRange
  ) -> (origin: PathOrigin, path: PathSyntax)? {
    var origin = start
    var steps = self.steps(of: path)[...]
    if let name = path.variable {
      guard let variable = variables.last(where: { $0.name == name }) else { return nil }
      let element = BoundExpression.element(level: variable.level, variable.type)
      if let owner = variable.owner {
        origin = .part(BoundPart(owner: owner, place: .index(element)))
      } else if let object = object(element) {
        origin = .object(object)
      } else {
        return nil
      }
    }
    guard steps.count <= SyntaxLimits.nesting else { return nil }
    while true {
      let resolver = PathResolver(entity: origin.entity(or: entity), schema: schema.schema, list: origin.list)
      let path = PathSyntax(steps: Array(steps))
      guard let (target, rest) = try? resolver.follow(path, range: range) else { return nil }
      switch target {
      case .structure: return (origin, path)
      case .object where origin.list != nil: return (origin, path)
      case .link(let column, let name) where !rest.isEmpty:
        guard let object = object(origin.value(column, .object(name))) else { return nil }
        origin = .object(object)
        steps = rest
      case .links(let column, let name) where rest.count > 1:
        guard let item = rest.first, item.isItem,
          case .single(let number)? = followed(
            [item], from: .many(origin.collection(column, .object(name))), .array, range: range),
          let object = object(number)
        else { return nil }
        origin = .object(object)
        steps = rest.dropFirst()
      case .structs(let column):
        let structs = BoundCollection.positions(of: origin.value(column, .int))
        let item = followed(rest.prefix(1), from: .many(structs), .array, range: range)
        guard case .single(let value)? = item, let part = part(value) else { return nil }
        origin = .part(part)
        steps = rest.dropFirst()
      default: return nil
      }
    }
  }

  /// Many structs, and the point of each.
  struct BoundPoints {
    let collection: BoundCollection
    let point: BoundPoint
  }

  /// The points of the structs that a path or SUBQUERY leads to.
  enum Located {
    case one(BoundPoint)
    case many(BoundPoints)
    /// The error has been reported.
    case failed
  }

  /// The points of the many structs that a path or SUBQUERY leads to. nil for other expressions, without a report.
  mutating func located(_ syntax: ExpressionSyntax) -> Located? {
    switch syntax.kind {
    case .path:
      // Whether it leads there is not yet an error.
      var trial = self
      guard case .many(let collection)? = trial.ofObjects({ $0.whole(syntax) }), isOfStructs(collection) else {
        return nil
      }
      depth = max(depth, trial.depth)
      return points(of: collection, syntax)
    case .subquery:
      switch ofObjects({ $0.whole(syntax) }) {
      case .many(let collection)?: return points(of: collection, syntax)
      case .single(let value)?:
        if let point = point(of: assembled(value)) { return .one(point) }
        reportNoPoint(syntax)
        return .failed
      case nil: return .failed
      }
    default: return nil
    }
  }

  /// Whether it is made of the structs of lists, or of those that each of many has.
  private func isOfStructs(_ collection: BoundCollection) -> Bool {
    if collection.isOfStructures { return true }
    var collection = collection
    while true {
      switch collection {
      case .flattened(_, _, let inner): collection = inner
      case .each(let base, _, _): collection = base
      default: return owner(of: collection) != nil
      }
    }
  }

  /// The point of each of many structs. Reports a struct that is no point.
  private mutating func points(of collection: BoundCollection, _ syntax: ExpressionSyntax) -> Located {
    let structs = assembled(collection)
    if let point = structs.valueOfEach.flatMap(point) { return .many(BoundPoints(collection: structs, point: point)) }
    report(
      .typeMismatch, "\(described(BoundOperand(syntax: syntax, content: .many(collection)))), and no points",
      syntax.range, notes: [Self.pointNote])
    return .failed
  }

  /// The point of a struct with both coordinates. Its other properties do not matter.
  private func point(of value: BoundExpression) -> BoundPoint? {
    guard case .assembled(let structure) = value else { return nil }
    let coordinates = ["longitude", "latitude"].compactMap { name -> BoundExpression? in
      guard case .leaf(let value)? = structure.fields.first(where: { $0.name == name })?.member, value.type == .double
      else { return nil }
      return value
    }
    return coordinates.count == 2 ? BoundPoint(longitude: coordinates[0], latitude: coordinates[1]) : nil
  }

  /// A point, or the variable for each of many points if a quantifier precedes the expression. nil after an error.
  mutating func anyPoint(_ syntax: ExpressionSyntax) -> BoundPoint? {
    switch located(syntax) {
    case .one(let point)?: return point
    case .many(let points)?:
      guard isOne(of: points.collection, syntax) else { return nil }
      elementwise?.collection = points.collection
      return points.point
    case .failed?: return nil
    case nil: return point(syntax)
    }
  }

  /// Whether some, all or none of many points are in a shape.
  func anyPlace(
    _ collection: BoundCollection, _ point: BoundPoint, _ quantifier: Quantifier, in shape: GeoShape,
    syntax: PredicateSyntax
  ) -> BoundPredicate {
    let ranged: (collection: BoundCollection, level: Int, predicate: BoundPredicate)
    switch collection {
    case .each(let base, let level, _): ranged = (base, level, Self.within(point, shape, syntax))
    case .flattened(let base, let level, let inner):
      // No point of any object: none of them has some.
      let some = quantifier == .none ? .any : quantifier
      ranged = (base, level, anyPlace(inner, point, some, in: shape, syntax: syntax))
    default: return .constant(false)
    }
    return .quantified(
      BoundQuantifier(
        quantifier: quantifier, collection: ranged.collection, level: ranged.level, predicate: ranged.predicate,
        syntax: syntax))
  }
}
