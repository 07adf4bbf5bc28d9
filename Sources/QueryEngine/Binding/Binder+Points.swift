internal import PredicateLanguage
internal import Schema
internal import Storage

/// Points at the end of paths: the point of one struct, or one for each of many.
extension Binder {
  /// Follows to-one links and list items to an embedded struct. Returns the struct's owner and the path from there.
  /// Returns nil for other paths; reports an invalid index within the path.
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

  /// A collection of structs and the point of each.
  struct BoundPoints {
    let collection: BoundCollection
    let point: BoundPoint
  }

  /// The points of the structs at the end of a path or SUBQUERY.
  enum Located {
    case one(BoundPoint)
    case many(BoundPoints)
    /// An error was reported.
    case failed
  }

  /// The points of the structs at the end of a path or SUBQUERY. Returns nil, without a report, for any other
  /// expression.
  mutating func located(_ syntax: ExpressionSyntax) -> Located? {
    switch syntax.kind {
    case .path:
      // A path that does not lead to structs is not yet an error.
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

  /// Whether a collection holds structs: elements of lists, or one struct for each of many objects.
  private func isOfStructs(_ collection: BoundCollection) -> Bool {
    if collection.isOfStructures { return true }
    var collection = collection
    while true {
      switch collection {
      case .flattened(_, _, let inner): collection = inner
      case .each(let base, _, _): collection = base
      case .column, .keys, .list, .chosen, .distinct, .joined, .property, .propertyKeys, .sources, .positions,
        .computed, .among:
        return owner(of: collection) != nil
      }
    }
  }

  /// The point of each struct of a collection; reports structs that are not points.
  private mutating func points(of collection: BoundCollection, _ syntax: ExpressionSyntax) -> Located {
    let structs = assembled(collection)
    if let point = structs.valueOfEach.flatMap(point) { return .many(BoundPoints(collection: structs, point: point)) }
    report(
      .typeMismatch, "\(described(BoundOperand(syntax: syntax, content: .many(collection)))), and no points",
      syntax.range, notes: [Self.pointNote])
    return .failed
  }

  /// The point of a struct that has both coordinates; its other properties do not matter.
  private func point(of value: BoundExpression) -> BoundPoint? {
    guard case .assembled(let structure) = value else { return nil }
    let coordinates = ["longitude", "latitude"].compactMap { name -> BoundExpression? in
      guard case .leaf(let value)? = structure.fields.first(where: { $0.name == name })?.member, value.type == .double
      else { return nil }
      return value
    }
    return coordinates.count == 2 ? BoundPoint(longitude: coordinates[0], latitude: coordinates[1]) : nil
  }

  /// Binds a point, or the point of any element after a quantifier. Returns nil after an error.
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

  /// Whether some, all or none of many points are within a shape.
  func anyPlace(
    _ collection: BoundCollection, _ point: BoundPoint, _ quantifier: Quantifier, in shape: GeoShape,
    syntax: PredicateSyntax
  ) -> BoundPredicate {
    let ranged: (collection: BoundCollection, level: Int, predicate: BoundPredicate)
    switch collection {
    case .each(let base, let level, _): ranged = (base, level, Self.within(point, shape, syntax))
    case .flattened(let base, let level, let inner):
      // NONE over all objects means that no object has ANY point in the shape.
      let some = quantifier == .none ? .any : quantifier
      ranged = (base, level, anyPlace(inner, point, some, in: shape, syntax: syntax))
    case .column, .keys, .list, .chosen, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .computed,
      .among:
      return .constant(false)
    }
    return .quantified(
      BoundQuantifier(
        quantifier: quantifier, collection: ranged.collection, level: ranged.level, predicate: ranged.predicate,
        syntax: syntax))
  }
}
