internal import Glibc

/// A point on the earth in degrees. Longitudes wrap around: 190 equals -170. At a pole all longitudes are the same
/// point.
package struct GeoPoint: Hashable, Sendable {
  package let longitude: Double
  package let latitude: Double

  /// nil for invalid coordinates: a latitude beyond a pole, a longitude of more than a full turn, NaN.
  package init?(longitude: Double, latitude: Double) {
    guard latitude.magnitude <= 90, longitude.magnitude <= 360 else { return nil }
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The angle to another point at the earth's centre, in radians, accurate both for neighbours and for antipodes.
  package func angle(to other: GeoPoint) -> Double {
    let nearness = Nearness(self, other)
    return nearness.toOther <= 0.5
      ? 2 * asin(nearness.toOther.squareRoot()) : .pi - 2 * asin(nearness.toAntipode.squareRoot())
  }

  /// The distance along the ground in metres.
  package func distance(to other: GeoPoint) -> Double { angle(to: other) * Earth.radius }
}

/// The earth: a sphere.
enum Earth {
  /// Its radius in metres.
  static let radius = 6_371_008.8
}

/// The proximity of two points, as the squares of half the chords from one to the other and to the other's antipode:
/// the squared sine and cosine of half the angle between them. Each is accurate where it is small.
struct Nearness {
  let toOther: Double
  let toAntipode: Double

  init(_ a: GeoPoint, _ b: GeoPoint) {
    let radians = Double.pi / 180
    let half = (a.longitude - b.longitude).remainder(dividingBy: 360) / 2 * radians
    let product = Self.cosine(a.latitude) * Self.cosine(b.latitude)
    let difference = sin((a.latitude - b.latitude) / 2 * radians)
    let sum = sin((a.latitude + b.latitude) / 2 * radians)
    toOther = min(1, difference * difference + product * sin(half) * sin(half))
    toAntipode = min(1, sum * sum + product * cos(half) * cos(half))
  }

  /// The cosine of a latitude in degrees, exactly zero at the poles.
  private static func cosine(_ latitude: Double) -> Double { sin((90 - latitude.magnitude) * .pi / 180) }
}
