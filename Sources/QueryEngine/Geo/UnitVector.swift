internal import Glibc

/// A direction from the earth's centre, or the axis of a great circle: a vector of length 1.
struct UnitVector: Hashable, Sendable {
  let x: Double
  let y: Double
  let z: Double

  init(_ point: GeoPoint) {
    let radians = Double.pi / 180
    // Measured from the nearer pole, so that the poles are exact.
    let radius = sin((90 - point.latitude.magnitude) * radians)
    x = radius * cos(point.longitude * radians)
    y = radius * sin(point.longitude * radians)
    z = sin(point.latitude * radians)
  }

  /// The direction of a vector; nil for one of length 0.
  init?(x: Double, y: Double, z: Double) {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 1e-150 else { return nil }
    self.x = x / length
    self.y = y / length
    self.z = z / length
  }

  /// The north pole.
  static let north = UnitVector(pole: 1)

  private init(pole z: Double) {
    x = 0
    y = 0
    self.z = z
  }

  /// The axis of the great circle from one direction to another, which runs counter-clockwise around it; nil for equal
  /// or opposite directions. The sum and difference of close vectors are accurate where their product is not.
  static func axis(_ a: UnitVector, _ b: UnitVector) -> UnitVector? {
    let sum = (x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
    let difference = (x: b.x - a.x, y: b.y - a.y, z: b.z - a.z)
    let cross = (
      x: sum.y * difference.z - sum.z * difference.y, y: sum.z * difference.x - sum.x * difference.z,
      z: sum.x * difference.y - sum.y * difference.x
    )
    guard (cross.x * cross.x + cross.y * cross.y + cross.z * cross.z).squareRoot() > 4e-15 else { return nil }
    return UnitVector(x: cross.x, y: cross.y, z: cross.z)
  }

  /// The opposite direction.
  var opposite: UnitVector { UnitVector(exactly: -x, -y, -z) }

  private init(exactly x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The cosine of the angle between two directions.
  @inline(__always)
  func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  /// This direction turned by 90° around a perpendicular axis.
  func turned(around axis: UnitVector) -> UnitVector {
    UnitVector(
      exactly: axis.y * z - axis.z * y, axis.z * x - axis.x * z, axis.x * y - axis.y * x)
  }

  /// The volume that three directions span, positive if they are in counter-clockwise order.
  static func volume(_ a: UnitVector, _ b: UnitVector, _ c: UnitVector) -> Double {
    a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)
  }
}
