import PredicateLanguage
import Values

/// Conditions on points.
extension QueryMaker {
  mutating func onPlace() -> PredicateSyntax? {
    guard let name = places.randomElement(using: &random) else { return nil }
    let place = ExpressionSyntax(
      .path(PathSyntax(steps: name.split(separator: ".").map { PathSyntax.Step(.name(String($0))) })))
    if random.once(in: 4) {
      let distance = ExpressionSyntax(.call("distance", [place, point(RandomValues.place(&random))]))
      let metres = literal(random.pick([.int(1000), .double(2.5e6), .int(10_000_000), .double(2.1e7)]))
      return compare(distance, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), metres)
    }
    return compare(place, random.pick([.geoWithin, .isIn]), ExpressionSyntax(.shape(shape())))
  }

  private mutating func shape() -> ShapeSyntax {
    let shape = random.shape()
    // A number with a unit is always written.
    if case .circle(let center, let radius, nil) = shape, case .literal(let value) = radius.kind {
      return .circle(center: center, radius: literal(value), unit: nil)
    }
    return shape
  }

  private mutating func point(_ place: (Double, Double)) -> ExpressionSyntax { random.point(place) }
}

/// Places and shapes.
extension OracleRandom {
  mutating func point(_ place: (Double, Double)) -> ExpressionSyntax {
    ExpressionSyntax(
      .point(
        [place.0, place.1].map {
          ExpressionSyntax(.literal($0 == $0.rounded() && once(in: 2) ? .int(Int64($0)) : .double($0)))
        }))
  }

  /// A circle, box or polygon anywhere on the earth.
  mutating func shape() -> ShapeSyntax {
    let (longitude, latitude) = RandomValues.place(&self)
    switch below(3) {
    case 0:
      let unit = pick([nil, "km", "mi", "m"])
      let radius: Value =
        unit == nil
        ? .double(pick([0.0, 0.01, 0.5, 1.6, 3.2]))
        : unit == "m" ? .int(Int64(below(5_000_000))) : .double(Double(below(9000)) + 0.5)
      return .circle(
        center: point((longitude, latitude)), radius: ExpressionSyntax(.literal(radius)), unit: unit)
    case 1:
      let (other, height) = RandomValues.place(&self)
      if once(in: 8) { return .box(point((-180, -90)), point((180, 90))) }
      return .box(point((longitude, min(latitude, height))), point((other, max(latitude, height))))
    default:
      let size = pick([1.0, 10, 40])
      return .polygon(
        outer: ring(longitude, latitude, size), holes: once(in: 3) ? [ring(longitude, latitude, size / 3)] : [])
    }
  }

  /// Corners around a point, one after the other as one goes round; near a pole on the other side of it too.
  private mutating func ring(_ longitude: Double, _ latitude: Double, _ size: Double) -> [ExpressionSyntax] {
    let count = 3 + below(5)
    return (0..<count).map { number in
      let angle = (Double(number) + Double(below(8)) / 16) / Double(count) * 2 * Double.pi
      let away = size * (0.5 + Double(below(8)) / 16)
      let corner = OracleGeo.place(from: longitude, latitude, degrees: away, direction: angle)
      return point(corner)
    }
  }
}
