import Foundation
import PredicateLanguage
import Values

/// Places on the earth, a sphere of 6,371.0088 km, by vectors and flat maps. It is exact to some digits only; where the
/// answer depends on more, it says so by the evaluator's doubt.
struct OracleGeo {
  let evaluator: NaiveEvaluator
  let scope: OracleScope

  private static let radius = 6_371_008.8

  typealias Vector = SIMD3<Double>

  /// Metres between two points.
  func distance(_ left: Value, _ right: Value) -> Value {
    guard let a = coordinates(left), let b = coordinates(right) else { return .null }
    return .double(Self.angle(Self.vector(a), Self.vector(b)) * Self.radius)
  }

  func isWithin(_ place: Value, _ shape: ShapeSyntax) -> Bool {
    guard let point = coordinates(place) else { return false }
    switch shape {
    case .circle(let center, let radius, let unit):
      guard let middle = coordinates(evaluator.value(center, scope)),
        let length = OracleArithmetic.double(evaluator.value(radius, scope))
      else { return false }
      let metres = length * (unit == nil ? Self.radius : unit == "km" ? 1000 : unit == "mi" ? 1609.344 : 1)
      let away = Self.angle(Self.vector(point), Self.vector(middle)) * Self.radius
      if abs(away - metres) < 1e-3, point != middle { evaluator.doubt.isThere = true }
      return away <= metres
    case .box(let first, let second):
      guard let low = coordinates(evaluator.value(first, scope)), let high = coordinates(evaluator.value(second, scope))
      else { return false }
      guard low[1] <= point[1], point[1] <= high[1] else { return false }
      // A pole lies on every meridian, and 180 degrees east are 180 degrees west.
      if abs(point[1]) == 90 { return true }
      return [point[0] - 360, point[0], point[0] + 360].contains {
        low[0] <= $0 && $0 <= high[0] + (low[0] > high[0] ? 360 : 0)
      }
    case .polygon(let outer, let holes):
      guard isInside(point, outer) else { return false }
      return !holes.contains { isInside(point, $0) }
    }
  }

  func check(_ shape: ShapeSyntax) throws(OracleError) {
    switch shape {
    case .circle(let center, let radius, let unit):
      try checkPoints([center])
      guard try evaluator.type(of: radius, scope).isNumber else { throw OracleError("no radius") }
      // Half the way around the earth is π radians.
      if unit == nil, let length = OracleArithmetic.double(evaluator.value(radius, scope)), length > .pi {
        throw OracleError("a length without a unit")
      }
    case .box(let low, let high): try checkPoints([low, high])
    case .polygon(let outer, let holes):
      for ring in [outer] + holes {
        try checkPoints(ring)
        if ring.count < 3 { throw OracleError("no ring") }
      }
    }
  }

  private func checkPoints(_ points: [ExpressionSyntax]) throws(OracleError) {
    for point in points {
      guard try evaluator.type(of: point, scope) == .point else { throw OracleError("no point") }
      guard let place = coordinates(evaluator.value(point, scope)) else { continue }
      guard abs(place[1]) <= 90 else { throw OracleError("no such latitude") }
    }
  }

  /// Where one comes to by going from a place into a direction, rounded to thousandths of a degree.
  static func place(
    from longitude: Double, _ latitude: Double, degrees: Double, direction: Double
  ) -> (Double, Double) {
    let start = vector([longitude, latitude])
    let east = unit(cross(Vector(0, 0, 1), abs(latitude) > 89.9 ? Vector(1, 0, 0) : start))
    let north = cross(start, east)
    let way = east * cos(direction) + north * sin(direction)
    let end = start * cos(degrees * .pi / 180) + unit(way) * sin(degrees * .pi / 180)
    func rounded(_ radians: Double) -> Double { (radians * 180 / .pi * 1000).rounded() / 1000 }
    return (rounded(atan2(end.y, end.x)), rounded(asin(max(-1, min(1, end.z)))))
  }

  // MARK: Geometry

  /// Whether a flat map on which great circles are straight, with the ring in its middle, shows the point inside.
  private func isInside(_ point: [Double], _ ring: [ExpressionSyntax]) -> Bool {
    let corners = ring.compactMap { coordinates(evaluator.value($0, scope)) }
    if corners.contains(point) { return true }
    let vectors = corners.map(Self.vector)
    let middle = Self.unit(vectors.reduce(Vector(0, 0, 0), +))
    let aside = Self.unit(Self.cross(middle, abs(middle.z) < 0.9 ? Vector(0, 0, 1) : Vector(1, 0, 0)))
    let up = Self.cross(middle, aside)
    func flat(_ vector: Vector) -> (x: Double, y: Double)? {
      let height = Self.dot(vector, middle)
      return height <= 1e-9 ? nil : (Self.dot(vector, aside) / height, Self.dot(vector, up) / height)
    }
    guard let p = flat(Self.vector(point)) else { return false }
    let map = vectors.compactMap(flat)
    guard map.count == vectors.count else { return false }
    var isInside = false
    for (place, a) in map.enumerated() {
      let b = map[(place + 1) % map.count]
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let along = min(1, max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)))
      if hypot(p.x - a.x - along * dx, p.y - a.y - along * dy) < 1e-9 { evaluator.doubt.isThere = true }
      if (a.y > p.y) != (b.y > p.y), p.x < a.x + dx * (p.y - a.y) / dy { isInside.toggle() }
    }
    return isInside
  }

  private func coordinates(_ value: Value) -> [Double]? {
    guard case .list(let parts) = value else { return nil }
    let numbers = parts.compactMap(OracleArithmetic.double)
    return numbers.count == 2 && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }

  private static func vector(_ point: [Double]) -> Vector {
    let (longitude, latitude) = (point[0] * .pi / 180, point[1] * .pi / 180)
    return Vector(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func dot(_ a: Vector, _ b: Vector) -> Double { (a * b).sum() }

  private static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  private static func unit(_ a: Vector) -> Vector { a / dot(a, a).squareRoot() }

  private static func angle(_ a: Vector, _ b: Vector) -> Double {
    let across = cross(a, b)
    return atan2(dot(across, across).squareRoot(), dot(a, b))
  }
}
