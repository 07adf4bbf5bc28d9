import Glibc
import TestSeeds
import Testing

@testable import QueryEngine

/// The geometry alone, against other ways to the same answer.
@Suite struct GeoTests {
  private func point(_ longitude: Double, _ latitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(longitude: longitude, latitude: latitude))
  }

  @Test func whatIsNoPlace() {
    for (longitude, latitude) in [(0.0, 90.1), (0, -91), (361, 0), (.nan, 0), (0, .nan), (.infinity, 0)] {
      #expect(GeoPoint(longitude: longitude, latitude: latitude) == nil)
    }
    #expect(GeoPoint(longitude: -360, latitude: 90) != nil)
  }

  /// From one end of the earth to the other.
  private static let half = 6_371_008.8 * Double.pi

  /// Two places, and the metres between them.
  private static let distances: [[Double]] = [
    [0, 0, 1.0, 0.0, 111_195.0802335329],
    [-73.7789, 40.6397, -0.4543, 51.47, 5_540_182.800536275],
    [139.6917, 35.6895, -122.4194, 37.7749, 8_270_725.564756698],
    [18.4241, -33.9249, 151.2093, -33.8688, 11_011_679.341235692],
    [179.5, 10, -179.5, 10, 109_505.73519924385],
    [0, 0, 180, 0, half],
    [0, 90, 123, -90, half],
    [10, 90, -77, 90, 0],
    [5, 0, 5, 90, half / 2],
    [190, 1, -170, 1, 0],
    [7, 7, 7, 7, 0],
    [0, 0, 1e-9, 0, half / 180 * 1e-9],
    [0, 0, 180 - 1e-9, 0, half - half / 180 * 1e-9],
  ]

  @Test(arguments: distances)
  func knownDistances(_ known: [Double]) throws {
    let (from, to, metres) = (try point(known[0], known[1]), try point(known[2], known[3]), known[4])
    let there = from.distance(to: to)
    #expect((there - metres).magnitude < 1e-3 && (there - metres).magnitude <= max(metres * 1e-8, 1e-8))
    #expect(to.distance(to: from) == there)
  }

  // MARK: Boxes

  /// By walking eastward from the left edge, a whole degree at a time.
  @Test func boxesAgainstAWalk() throws {
    var random = OracleRandom(seed: testSeed())
    for _ in 0..<20_000 {
      func longitude() -> Int { random.pick([-180, 180, 0, -180 + random.below(361), -360 + random.below(721)]) }
      func latitude() -> Int { random.pick([-90, 90, -90 + random.below(181)]) }
      let (west, east, south, north) = (longitude(), longitude(), latitude(), latitude())
      let (place, height) = (longitude(), latitude())
      guard let box = GeoBox(try point(Double(west), Double(south)), try point(Double(east), Double(north))) else {
        #expect(south > north)
        continue
      }
      var width = east - west
      if width < 0 { width += 360 }
      if width < 0 { width += 360 }
      let isBeside = height.magnitude == 90 || (0...width).contains { (west + $0 - place) % 360 == 0 }
      let isInside = isBeside && south <= height && height <= north
      #expect(
        box.contains(try point(Double(place), Double(height))) == isInside,
        "\(west) \(south) \(east) \(north): \(place) \(height)")
    }
  }

  @Test func theWholeEarthIsABox() throws {
    let box = try #require(GeoBox(try point(-180, -90), try point(180, 90)))
    for (longitude, latitude) in [(0.0, 0.0), (180, 90), (-180, -90), (-360, 5), (360, -5), (179.999, 89.999)] {
      #expect(box.contains(try point(longitude, latitude)))
    }
  }

  @Test func edgesOfBoxesAreExact() throws {
    let box = try #require(GeoBox(try point(170.1, 0.1), try point(-170.3, 0.3)))
    for (longitude, latitude) in [(170.1, 0.1), (-170.3, 0.3), (180, 0.2), (-180, 0.2)] {
      #expect(box.contains(try point(longitude, latitude)))
    }
    #expect(!box.contains(try point(170.1.nextDown, 0.2)))
    #expect(!box.contains(try point((-170.3).nextUp, 0.2)))
    #expect(!box.contains(try point(175, 0.3.nextUp)))
  }

  // MARK: Circles

  @Test func circlesAgainstTheAngle() throws {
    var random = OracleRandom(seed: testSeed())
    var inside = 0
    for _ in 0..<20_000 {
      let center = try somewhere(&random)
      let radius =
        random.once(in: 3) ? Double.random(in: 0...0.01, using: &random) : .random(in: 0...3.3, using: &random)
      let circle = try #require(GeoCircle(center: center, radians: radius))
      let place =
        try random.once(in: 2)
        ? somewhere(&random) : near(center, within: radius * 1.5, &random)
      let angle = Self.angle(UnitVector(center), UnitVector(place))
      if (angle - radius).magnitude < 1e-9 { continue }
      if angle < radius { inside += 1 }
      #expect(circle.contains(place) == (angle < radius), "\(center) \(radius) \(place)")
      #expect(!circle.contains(place) || circle.bounds.contains(place), "\(center) \(radius) \(place)")
    }
    #expect(inside > 1000)
  }

  @Test func edgesOfCirclesAreInside() throws {
    var random = OracleRandom(seed: 7)
    for _ in 0..<2000 {
      let (center, place) = (try somewhere(&random), try somewhere(&random))
      #expect(try #require(GeoCircle(center: center, radians: center.angle(to: place))).contains(place))
      let far = try #require(GeoCircle(center: center, radians: center.angle(to: place) - 1e-12))
      #expect(!far.contains(place))
    }
    #expect(try #require(GeoCircle(center: try point(3, 4), radians: 0)).contains(try point(3, 4)))
    #expect(try #require(GeoCircle(center: try point(3, 4), radians: 5)).contains(try point(-177, -4)))
    #expect(GeoCircle(center: try point(3, 4), radians: -1) == nil)
    #expect(GeoCircle(center: try point(3, 4), radians: .nan) == nil)
  }

  // MARK: Random places

  private func somewhere(_ random: inout OracleRandom) throws -> GeoPoint {
    if random.once(in: 8) { return try point(Double(random.below(25) - 12) * 15, Double(random.below(13) - 6) * 15) }
    return try point(.random(in: -180...180, using: &random), asin(.random(in: -1...1, using: &random)) * 180 / .pi)
  }

  private func near(_ center: GeoPoint, within radius: Double, _ random: inout OracleRandom) throws -> GeoPoint {
    let reach = min(radius * 180 / .pi, 179)
    let latitude = center.latitude + .random(in: -reach...reach, using: &random)
    return try point(
      (center.longitude + .random(in: -reach...reach, using: &random)).remainder(dividingBy: 360),
      max(-90, min(90, latitude)))
  }

  /// By the sine and cosine of the angle, as vectors give them.
  private static func angle(_ a: UnitVector, _ b: UnitVector) -> Double {
    let cross = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    return atan2((cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot(), a.dot(b))
  }
}
