internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Points, shapes and predicates on them.
extension Binder {
  /// A point as two expressions.
  struct BoundPoint {
    let longitude: BoundExpression
    let latitude: BoundExpression
  }

  /// Whether a comparison is between a point and a shape.
  static func isAboutPlace(_ syntax: ComparisonSyntax) -> Bool {
    if syntax.comparator == .geoWithin { return true }
    if syntax.comparator == .isIn, case .shape = syntax.right.kind { return true }
    return false
  }

  /// Binds `point geoWithin shape`, also written with IN.
  mutating func place(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    if syntax.rightQuantifier == nil, let (before, rest) = objectsWithPlaces(syntax.left) {
      let objects = operand(before)
      let shape = shape(syntax.right)
      guard let objects, let shape else { return .constant(false) }
      return ranging(syntax.quantifier, over: objects, syntax: whole) { binder, element in
        guard let object = binder.object(element) else { return nil }
        let point = binder.point(at: rest, from: .object(object), range: syntax.left.range)
        if point == nil { binder.reportNoPoint(syntax.left) }
        return point.map { Self.within($0, shape, whole) }
      } ?? .constant(false)
    }
    if isOfObjects(syntax.left) { return .constant(false) }
    let point: BoundPoint?
    switch syntax.rightQuantifier == nil ? located(syntax.left) : nil {
    case .one(let one)?: point = one
    case .many(let points)?:
      return shape(syntax.right).map {
        anyPlace(points.collection, points.point, syntax.quantifier ?? .any, in: $0, syntax: whole)
      } ?? .constant(false)
    case .failed?: point = nil
    case nil: point = self.point(syntax.left)
    }
    let shape = shape(syntax.right)
    guard let point, let shape else { return .constant(false) }
    if let quantifier = syntax.writtenQuantifier ?? syntax.rightQuantifier {
      let text = syntax.left.predicateFormat
      reportMisplaced(
        quantifier, "\(text.utf8.count > 60 ? "this" : "'\(text)'") is a point", syntax.left.range.lowerBound,
        at: syntax.quantifierRange, range: whole.range)
      return .constant(false)
    }
    return Self.within(point, shape, whole)
  }

  /// Reports objects where points are expected; the note names a property of theirs that is a point.
  private mutating func isOfObjects(_ syntax: ExpressionSyntax) -> Bool {
    let (end, isMany): (StoredEntity?, Bool)
    switch syntax.kind {
    case .path(let path):
      guard let way = way(of: path) else { return false }
      (end, isMany) = (way.end, way.isMany)
    case .subquery(let path, _, _, let tail):
      guard let element = way(of: path)?.end else { return false }
      (end, isMany) = (way(tail.steps, from: element).end, true)
    default: return false
    }
    guard let end else { return false }
    let text = syntax.predicateFormat
    let what = text.utf8.count > 60 ? "this" : "'\(text)'"
    let point = end.columns.first { column in
      guard column.path.hasSuffix(".longitude") else { return false }
      let other = end.column(at: column.path.dropLast("longitude".utf8.count) + "latitude")
      return column.column.kind == .scalar(.double) && other.map { end.columns[$0].column.kind } == .scalar(.double)
    }.map { String($0.path.dropLast(".longitude".utf8.count)) }
    let written = text == "SELF" ? "" : text.utf8.count > 60 ? "…." : text + "."
    report(
      .typeMismatch, "\(what) is \(isMany ? "a collection of " : "")\(end.name), and no point\(isMany ? "s" : "")",
      syntax.range,
      notes: [point.map { "\(isMany ? "the point of each" : "its point") is '\(written)\($0)'" } ?? Self.pointNote])
    return true
  }

  static func within(_ point: BoundPoint, _ shape: GeoShape, _ whole: PredicateSyntax) -> BoundPredicate {
    .comparison(
      BoundComparison(
        comparator: .geoWithin, folding: .none, left: point.longitude, right: [point.latitude], test: nil,
        syntax: whole, shape: shape))
  }

  /// Splits a path to many points into the path to their objects and the rest: `tasks.spot` into `tasks` and `spot`.
  /// Returns nil if the expression leads to at most one point, or not to a struct.
  private func objectsWithPlaces(_ syntax: ExpressionSyntax) -> (objects: ExpressionSyntax, rest: PathSyntax)? {
    var objects = syntax
    switch syntax.kind {
    case .path(let path):
      guard let way = way(of: path), way.isMany, !way.isInList, let structure = way.structure else { return nil }
      objects.kind = .path(PathSyntax(variable: path.variable, steps: Array(path.steps[..<structure])))
      return (objects, PathSyntax(steps: Array(path.steps[structure...])))
    case .subquery(let path, let variable, let predicate, let tail):
      guard let element = way(of: path)?.end, case let way = way(tail.steps, from: element), !way.isInList,
        let structure = way.structure
      else { return nil }
      let before = PathSyntax(steps: Array(tail.steps[..<structure]))
      objects.kind = .subquery(path, variable: variable, predicate, tail: before)
      return (objects, PathSyntax(steps: Array(tail.steps[structure...])))
    default: return nil
    }
  }

  /// `distance(a, b)`
  mutating func distance(_ operands: [ExpressionSyntax], range: SourceRange) -> BoundExpression? {
    guard operands.count == 2 else {
      report(.wrongArgumentCount, "'distance' takes two points, not \(operands.count)", range)
      return nil
    }
    let first = anyPoint(operands[0])
    let second = anyPoint(operands[1])
    guard let first, let second else { return nil }
    return .call(.distance, [first.longitude, first.latitude, second.longitude, second.latitude])
  }

  // MARK: Points

  static let pointNote = "a point is '[longitude, latitude]', or a struct with these two as Doubles"

  /// Binds a point: the path of a struct, `[longitude, latitude]`, or an argument of two numbers.
  mutating func point(_ syntax: ExpressionSyntax) -> BoundPoint? {
    let before = diagnostics.count
    switch syntax.kind {
    case .path(let path):
      if let point = point(at: path, range: syntax.range) { return point }
    case .point(let coordinates): return point(coordinates, range: syntax.range)
    case .literal(.list(let values)):
      return point(values.map { ExpressionSyntax(.literal($0), range: syntax.range) }, range: syntax.range)
    case .literal(.embedded(let fields)):
      let coordinates = ["longitude", "latitude"].compactMap { name in fields.first { $0.name == name }?.value }
      if coordinates.count == 2 {
        return point(coordinates.map { ExpressionSyntax(.literal($0), range: syntax.range) }, range: syntax.range)
      }
    default: break
    }
    if diagnostics.count > before { return nil }
    // Errors of the expression itself are reported first.
    let isSound =
      switch syntax.kind {
      case .path(let path): (try? paths.resolve(path, range: syntax.range)) != nil
      case .literal: true
      default: false
      }
    if !isSound { _ = expression(syntax) }
    if diagnostics.count == before { reportNoPoint(syntax) }
    return nil
  }

  mutating func reportNoPoint(_ syntax: ExpressionSyntax) {
    let text = syntax.predicateFormat
    report(
      .typeMismatch, "\(text.utf8.count > 60 ? "this" : "'\(text)'") is not a point", syntax.range,
      notes: [Self.pointNote])
  }

  /// The point of an embedded struct that has both coordinates; its other properties do not matter.
  private mutating func point(
    at path: PathSyntax, from origin: PathOrigin = .root, range: SourceRange
  ) -> BoundPoint? {
    guard let (origin, path) = structure(at: path, from: origin, range: range) else { return nil }
    let entity = origin.entity(or: self.entity)
    let names = path.steps.compactMap { step in if case .name(let name) = step.kind { name } else { nil } }
    let prefix = origin.list.map { [$0.path] } ?? []
    let coordinates = ["longitude", "latitude"].compactMap { name -> BoundExpression? in
      guard let column = entity.column(at: (prefix + names + [name]).joined(separator: ".")) else { return nil }
      switch entity.columns[column].column.kind {
      case .scalar(.double), .parts(.double, _): return origin.value(column, .double)
      default: return nil
      }
    }
    return coordinates.count == 2 ? BoundPoint(longitude: coordinates[0], latitude: coordinates[1]) : nil
  }

  private mutating func point(_ coordinates: [ExpressionSyntax], range: SourceRange) -> BoundPoint? {
    guard coordinates.count == 2 else {
      report(
        .badPoint, "a point has two coordinates, not \(coordinates.count)", range, notes: [Self.pointNote])
      return nil
    }
    let bound = coordinates.map { number($0) }
    guard let longitude = bound[0], let latitude = bound[1] else { return nil }
    if let constant = longitude.constant.flatMap(Arithmetic.number), !(constant.magnitude <= 360) {
      report(
        .badPoint, "a longitude is between -360 and 360", coordinates[0].range, notes: ["190 is the same as -170"])
      return nil
    }
    if let constant = latitude.constant.flatMap(Arithmetic.number), !(constant.magnitude <= 90) {
      report(
        .badPoint, "a latitude is between -90 and 90", coordinates[1].range,
        notes: ["a point is [longitude, latitude]: the longitude comes first"])
      return nil
    }
    return BoundPoint(longitude: longitude, latitude: latitude)
  }

  /// Binds a number; a constant expression is evaluated.
  private mutating func number(_ syntax: ExpressionSyntax) -> BoundExpression? {
    guard let bound = expression(syntax)?.folded else { return nil }
    if case .constant(let given) = bound, let text = adaptable[syntax.range]?[given],
      TextAdaptation.mayBe(text, .number), let value = TextAdaptation.value(text.text, as: .number)
    {
      return .constant(value)
    }
    guard bound.type.isNumeric else {
      report(.typeMismatch, "\(described(syntax, bound)), and a number is needed", syntax.range)
      return nil
    }
    return bound
  }

  // MARK: Shapes

  /// Binds the shape on the right side of geoWithin. Returns nil after an error.
  private mutating func shape(_ syntax: ExpressionSyntax) -> GeoShape? {
    if case .shape(let written) = syntax.kind { return shape(written, range: syntax.range) }
    report(
      .typeMismatch, "geoWithin takes a shape on its right side", syntax.range,
      notes: ["shapes are geoCircle(…), geoBox(…) and geoPolygon(…)"])
    return nil
  }

  /// Evaluates a shape, which is the same for every object. Returns nil after an error.
  private mutating func shape(_ syntax: ShapeSyntax, range: SourceRange) -> GeoShape? {
    switch syntax {
    case .circle(let center, let radius, let unit):
      let middle = fixedPoint(center)
      guard let length = fixedNumber(radius), let middle else { return nil }
      if unit == nil, length > .pi {
        reportRadians(radius)
        return nil
      }
      let metres: Double? =
        switch unit {
        case "km": 1000
        case "mi": 1609.344
        case nil: nil
        default: 1
        }
      let circle =
        metres.map { GeoCircle(center: middle, metres: length * $0) } ?? GeoCircle(center: middle, radians: length)
      if let circle { return .circle(circle) }
      report(.badShape, "the radius of a circle is a number from 0 on", radius.range)
    case .box(let first, let second):
      let lowerLeft = fixedPoint(first)
      guard let upperRight = fixedPoint(second), let lowerLeft else { return nil }
      if let box = GeoBox(lowerLeft, upperRight) { return .box(box) }
      report(
        .badShape, "the second corner of this box is south of the first", second.range,
        notes: ["write the lower left corner first and then the upper right one"])
    case .polygon(let outer, let holes):
      let rings = ([outer] + holes).map { ring($0, range: range) }
      let made = rings.compactMap { $0 }
      guard made.count == rings.count, let first = made.first else { return nil }
      return .polygon(GeoPolygon(outer: first, holes: Array(made.dropFirst())))
    }
    return nil
  }

  /// Reports a radius that was probably not meant in radians: π of them are half the way around the earth.
  private mutating func reportRadians(_ radius: ExpressionSyntax) {
    let written = source.utf8.dropFirst(radius.range.lowerBound).prefix(
      radius.range.upperBound - radius.range.lowerBound)
    let text = String(decoding: written, as: UTF8.self)
    // A unit close behind a name would be part of it.
    let unit = text.allSatisfy { $0.isNumber || $0 == "." || $0 == "_" } ? "km" : " km"
    let isShort = !text.isEmpty && text.utf8.count <= 40
    report(
      .badShape, "a radius without a unit is in radians, and none is over π, which takes in the whole earth",
      radius.range, notes: isShort ? [] : ["a length has a unit, as in '100km'; the units are km, mi and m"],
      fixes: isShort
        ? [Fix(message: "write '\(text)\(unit)'", range: radius.range, replacement: text + unit)] : [])
  }

  private mutating func fixedPoint(_ syntax: ExpressionSyntax) -> GeoPoint? {
    guard let point = point(syntax) else { return nil }
    if let longitude = point.longitude.constant.flatMap(Arithmetic.number),
      let latitude = point.latitude.constant.flatMap(Arithmetic.number)
    {
      return GeoPoint(longitude: longitude, latitude: latitude)
    }
    reportMoving(syntax)
    return nil
  }

  private mutating func fixedNumber(_ syntax: ExpressionSyntax) -> Double? {
    guard let bound = number(syntax) else { return nil }
    if let number = bound.constant.flatMap(Arithmetic.number) { return number }
    reportMoving(syntax)
    return nil
  }

  private mutating func reportMoving(_ syntax: ExpressionSyntax) {
    report(
      .unsupported, "a shape is the same for every object, and '\(syntax.predicateFormat)' is not", syntax.range,
      notes: ["'distance(a, b) <= 5000' compares two points of an object, in metres"])
  }

  private mutating func ring(_ syntaxes: [ExpressionSyntax], range: SourceRange) -> GeoRing? {
    var syntaxes = syntaxes
    // A single argument may hold all points.
    if syntaxes.count == 1, case .literal(.list(let values)) = syntaxes[0].kind, values.count != 2 || values[0].isList {
      syntaxes = values.map { ExpressionSyntax(.literal($0), range: syntaxes[0].range) }
    }
    var points: [GeoPoint] = []
    for syntax in syntaxes {
      guard let point = fixedPoint(syntax) else { continue }
      points.append(point)
    }
    guard points.count == syntaxes.count else { return nil }
    let whole = syntaxes.dropFirst().reduce(syntaxes.first?.range ?? range) { $0.union($1.range) }
    do throws(GeoRing.Fault) {
      return try GeoRing(points)
    } catch {
      report(error, syntaxes, whole)
      return nil
    }
  }

  private mutating func report(_ fault: GeoRing.Fault, _ points: [ExpressionSyntax], _ whole: SourceRange) {
    switch fault {
    case .tooFewPoints:
      report(.badShape, "a ring of a polygon has three different points or more", whole)
    case .tooManyPoints:
      report(.badShape, "a ring of a polygon has \(GeoRing.limit) points at most", whole)
    case .antipodes(let place):
      report(
        .badShape, "this point and the next are opposite each other on the earth, so no one line joins them",
        points[place].range, notes: ["put a point between them"])
    case .crossing(let first, let second):
      report(
        .badShape, "the ring crosses itself: the edge from here meets the one from point \(first + 1)",
        points[second].range, notes: ["write the points in the order in which one walks round"])
    }
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
