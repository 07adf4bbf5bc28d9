internal import PredicateLanguage
internal import Schema
internal import Storage

/// Points that paths lead to: the one of a struct, or one for each of many.
extension Binder {
  /// The embedded struct that a path leads to through any number of to-one links and items of lists: whose it is, and its
  /// path there. nil for other paths; what is wrong with an index within is reported.
  mutating func structure(
    at path: PathSyntax, from start: PathOrigin, range: SourceRange
  ) -> (origin: PathOrigin, path: PathSyntax)? {
    var origin = start
    var steps = path.steps[...]
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
            [item], from: origin.collection(column, .object(name)), .array, range: range),
          let object = object(number)
        else { return nil }
        origin = .object(object)
        steps = rest.dropFirst()
      case .structs(let column):
        let item = followed(rest.prefix(1), from: .positions(of: origin.value(column, .int)), .array, range: range)
        guard case .single(let value)? = item, let part = part(value) else { return nil }
        origin = .part(part)
        steps = rest.dropFirst()
      default: return nil
      }
    }
  }

  /// A coordinate of each of many points.
  struct BoundPoints {
    let longitudes: BoundCollection
    let latitudes: BoundCollection
  }

  /// The points that a path leads to which goes through a collection; nil for others, without a report.
  mutating func points(_ syntax: ExpressionSyntax) -> BoundPoints? {
    guard case .path(let path) = syntax.kind, groups == nil else { return nil }
    // Whether there are such points is not yet an error.
    var trial = self
    func coordinates(_ name: String) -> BoundCollection? {
      var path = path
      path.steps.append(PathSyntax.Step(.name(name)))
      guard case .many(let collection)? = trial.reached(path, range: syntax.range), collection.isOfEach,
        collection.elementType == .double
      else { return nil }
      return collection
    }
    guard let longitudes = coordinates("longitude"), let latitudes = coordinates("latitude") else { return nil }
    depth = trial.depth
    return BoundPoints(longitudes: longitudes, latitudes: latitudes)
  }

  /// The collection that a path leads to which goes through the structs of lists; nil for others, without a report.
  func throughStructs(_ syntax: ExpressionSyntax) -> BoundCollection? {
    guard case .path(let path) = syntax.kind, groups == nil else { return nil }
    var trial = self
    guard case .many(var collection)? = trial.reached(path, range: syntax.range) else { return nil }
    let whole = collection
    while true {
      switch collection {
      case .flattened(_, _, let inner): collection = inner
      case .each(let base, _, _): collection = base
      default: return owner(of: collection) == nil ? nil : whole
      }
    }
  }

  /// Whether some, all or none of many points are in a shape.
  func anyPlace(
    _ points: BoundPoints, _ quantifier: Quantifier, in shape: GeoShape, syntax: PredicateSyntax
  ) -> BoundPredicate {
    let collection: BoundCollection
    let predicate: BoundPredicate
    let level: Int
    switch (points.longitudes, points.latitudes) {
    case (.each(let base, let own, let longitude), .each(_, let other, let latitude)):
      (collection, level) = (base, own)
      let element = BoundExpression.element(level: own, base.elementType ?? .null)
      let same = latitude.mapped { if case .element(other, _) = $0 { element } else { $0 } }
      predicate = Self.within(BoundPoint(longitude: longitude, latitude: same), shape, syntax)
    case (.flattened(let base, let own, let longitudes), .flattened(_, let other, let latitudes)):
      (collection, level) = (base, own)
      let element = BoundExpression.element(level: own, base.elementType ?? .null)
      let same = latitudes.mapExpressions { if case .element(other, _) = $0 { element } else { $0 } }
      // No point of any object: none of them has some.
      predicate = anyPlace(
        BoundPoints(longitudes: longitudes, latitudes: same), quantifier == .none ? .any : quantifier, in: shape,
        syntax: syntax)
    default: return .constant(false)
    }
    return .quantified(
      BoundQuantifier(
        quantifier: quantifier, collection: collection, level: level, predicate: predicate, syntax: syntax))
  }
}
