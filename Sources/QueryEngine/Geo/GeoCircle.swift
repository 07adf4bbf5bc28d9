internal import Glibc

/// The points within an angle of a centre, the edge included.
package struct GeoCircle: Hashable, Sendable {
  let center: GeoPoint
  /// The radius as an angle at the earth's centre, in radians.
  let radius: Double
  private let sine: Double
  private let cosine: Double

  /// The circle with a radius in radians; nil if it is negative or NaN. A radius of π or more covers the whole earth.
  package init?(center: GeoPoint, radians radius: Double) {
    guard radius >= 0 else { return nil }
    self.center = center
    self.radius = radius
    // Rounding must not exclude points on the edge; this tolerance is nanometres on the ground.
    let half = min(radius + 2e-15, .pi) / 2
    sine = sin(half) * sin(half) * (1 + 16 * Double.ulpOfOne)
    cosine = cos(half) * cos(half) * (1 - 16 * Double.ulpOfOne)
  }

  /// The circle with a radius in metres along the ground.
  package init?(center: GeoPoint, metres: Double) { self.init(center: center, radians: metres / Earth.radius) }

  /// Whether a point is inside or on the edge.
  package func contains(_ point: GeoPoint) -> Bool {
    if radius >= .pi { return true }
    let nearness = Nearness(center, point)
    return radius <= .pi / 2 ? nearness.toOther <= sine : nearness.toAntipode >= cosine
  }

  /// A bounding box.
  var bounds: GeoBox {
    let slack = 1e-9
    let degrees = radius * 180 / .pi + slack
    let south = center.latitude - degrees
    let north = center.latitude + degrees
    if south <= -90 || north >= 90 { return GeoBox(south: max(-90, south), north: min(90, north)) }
    let ratio = sin(radius) / cos(center.latitude * .pi / 180)
    guard ratio < 1 else { return GeoBox(south: south, north: north) }
    let width = asin(ratio) * 180 / .pi + slack
    // If the circle nearly touches a pole, the width is not exact.
    guard width < 89.99 else { return GeoBox(south: south, north: north) }
    return GeoBox(
      south: south, north: north, west: center.longitude - width, east: center.longitude + width)
  }
}
