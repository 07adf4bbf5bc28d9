import Glibc
import TestSeeds
import Testing

@testable import QueryEngine

/// Polygons with great-circle edges, against triangles about a centre.
@Suite struct GeoPolygonTests {
  private func point(_ longitude: Double, _ latitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(longitude: longitude, latitude: latitude))
  }

  private func ring(_ points: [(Double, Double)]) throws -> GeoRing {
    try GeoRing(points.map { try point($0.0, $0.1) })
  }

  /// A star about a centre anywhere on the earth: a place is in it when it is in one of the triangles that the centre
  /// makes with the edges.
  @Test func starsAgainstTriangles() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    var inside = 0
    for _ in 0..<600 {
      let star = try Star(&random)
      for _ in 0..<60 {
        let place = try random.once(in: 3) ? Star.anywhere(&random) : star.nearby(&random)
        guard let expected = star.contains(place) else { continue }
        if expected { inside += 1 }
        #expect(
          star.polygon.contains(place) == expected,
          "seed \(seed): \(place) in \(star.corners.map { [$0.longitude, $0.latitude] })")
        #expect(!expected || star.polygon.bounds.contains(place), "seed \(seed): bounds \(place)")
      }
    }
    #expect(inside > 5000)
  }

  @Test func cornersAndEdgesAreInside() throws {
    var random = OracleRandom(seed: testSeed())
    for _ in 0..<300 {
      let star = try Star(&random)
      let corners = star.corners
      for (place, corner) in corners.enumerated() {
        #expect(star.polygon.contains(corner))
        #expect(star.polygon.bounds.contains(corner))
        let (a, b) = (UnitVector(corner), UnitVector(corners[(place + 1) % corners.count]))
        let middle = try #require(UnitVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z))
        #expect(star.polygon.contains(try Star.place(middle)), "\(corner) \(place)")
      }
      // The same ring as a hole takes away the inside and leaves the edge.
      let hollow = GeoPolygon(outer: star.polygon.outer, holes: [star.polygon.outer])
      #expect(corners.allSatisfy(hollow.contains))
      #expect(!hollow.contains(try Star.place(star.center)))
    }
  }

  @Test func antimeridianAndPoles() throws {
    let fiji = GeoPolygon(outer: try ring([(177, -19), (-178, -19), (-178, -16), (177, -16)]))
    for longitude in [178.0, 180, -180, -179] { #expect(fiji.contains(try point(longitude, -17))) }
    for longitude in [0.0, 176.9, -177.9] { #expect(!fiji.contains(try point(longitude, -17))) }
    let arctic = GeoPolygon(outer: try ring([(0, 60), (90, 60), (180, 60), (-90, 60)]))
    #expect(arctic.contains(try point(33, 90)))
    #expect(arctic.contains(try point(45, 80)))
    #expect(!arctic.contains(try point(0, 59)))
    #expect(!arctic.contains(try point(0, -90)))
    let antarctic = GeoPolygon(outer: try ring([(0, -60), (90, -60), (180, -60), (-90, -60)]))
    #expect(antarctic.contains(try point(33, -90)))
    #expect(!antarctic.contains(try point(33, 90)))
    let wedge = GeoPolygon(outer: try ring([(0, 0), (90, 0), (0, 90)]))
    #expect(wedge.contains(try point(77, 90)))
    #expect(wedge.contains(try point(45, 0)))
    #expect(wedge.contains(try point(45, 45)))
    #expect(!wedge.contains(try point(-1, 45)))
    // An edge over the pole.
    let over = GeoPolygon(outer: try ring([(0, 80), (180, 80), (90, 70)]))
    #expect(over.contains(try point(5, 90)))
    #expect(over.contains(try point(90, 80)))
    #expect(!over.contains(try point(-90, 89)))
  }

  @Test func edgesAreGreatCircles() throws {
    let band = GeoPolygon(outer: try ring([(-40, 50), (40, 50), (40, 40), (-40, 40)]))
    #expect(band.contains(try point(0, 55)), "the upper edge bends to the pole")
    #expect(!band.contains(try point(0, 41)), "and so does the lower one")
  }

  @Test func theSmallerPartIsInsideWhateverTheDirection() throws {
    let corners = [(10.0, 10.0), (20, 10), (20, 20), (10, 20)]
    for corners in [corners, corners.reversed()] {
      let square = GeoPolygon(outer: try ring(corners + [corners[0]]))
      #expect(square.contains(try point(15, 15)))
      #expect(!square.contains(try point(-165, -15)))
      #expect(!square.contains(try point(15, 30)))
    }
    // Of the halves that the equator makes, the one to the left.
    let north = GeoPolygon(outer: try ring([(0, 0), (120, 0), (-120, 0)]))
    #expect(north.contains(try point(5, 1)))
    #expect(!north.contains(try point(5, -1)))
    let south = GeoPolygon(outer: try ring([(-120, 0), (120, 0), (0, 0)]))
    #expect(south.contains(try point(5, -1)))
    #expect(!south.contains(try point(5, 1)))
  }

  @Test func holes() throws {
    let outer = try ring([(0, 0), (10, 0), (10, 10), (0, 10)])
    let polygon = GeoPolygon(outer: outer, holes: [try ring([(4, 4), (6, 4), (6, 6), (4, 6)])])
    #expect(polygon.contains(try point(2, 2)))
    #expect(!polygon.contains(try point(5, 5)))
    #expect(polygon.contains(try point(4, 4)), "an edge of a hole belongs to the shape")
  }

  @Test func whatIsNoRing() throws {
    #expect(throws: GeoRing.Fault.tooFewPoints) { try ring([(0, 0), (1, 1), (0, 0)]) }
    #expect(throws: GeoRing.Fault.tooFewPoints) { try ring([(0, 90), (90, 90), (5, 5), (5, 5)]) }
    #expect(throws: GeoRing.Fault.antipodes(1)) { try ring([(0, 50), (0, 0), (180, 0), (90, 10)]) }
    #expect(throws: GeoRing.Fault.crossing(0, 2)) { try ring([(0, 0), (10, 10), (10, 0), (0, 10)]) }
    #expect(throws: GeoRing.Fault.self) { try ring([(0, 0), (10, 0), (5, 0), (5, 5)]) }
    #expect(throws: GeoRing.Fault.self) { try ring([(0, 0), (5, 0), (10, 0)]) }
    #expect(throws: GeoRing.Fault.self) { try ring([(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)]) }
    let many = (0...GeoRing.limit).map { (Double($0) / 100, 0.0) }
    #expect(throws: GeoRing.Fault.tooManyPoints) { try ring(many) }
  }

  @Test func aRingOfManyPoints() throws {
    let count = GeoRing.limit
    let circle = (0..<count).map { number -> (Double, Double) in
      let turn = Double(number) / Double(count) * 2 * .pi
      return (179 + 5 * cos(turn), 10 + 5 * sin(turn))
    }
    let polygon = GeoPolygon(outer: try ring(circle))
    #expect(polygon.contains(try point(-179, 10)))
    #expect(!polygon.contains(try point(173.9, 10)))
  }
}

/// A polygon all of which can be seen from its centre, none of it a quarter of the earth's girth away.
private struct Star {
  let center: UnitVector
  let corners: [GeoPoint]
  let polygon: GeoPolygon
  private let reach: Double

  init(_ random: inout OracleRandom) throws {
    let middle = UnitVector(try Self.anywhere(&random))
    let aside = try #require(middle.z.magnitude < 0.8 ? UnitVector.north : UnitVector(x: 1, y: 0, z: 0))
    let along = aside.dot(middle)
    let zero = try #require(
      UnitVector(x: aside.x - along * middle.x, y: aside.y - along * middle.y, z: aside.z - along * middle.z))
    let quarter = zero.turned(around: middle)
    let count = 3 + random.below(9)
    let reach = random.pick([0.001, 0.05, 0.5, 1.4])
    // Evenly spread with less than half a step of freedom, so that no step is half a turn.
    corners = try (0..<count).map { number in
      let turn = (Double(number) + .random(in: 0...0.45, using: &random)) / Double(count) * 2 * .pi
      let distance = reach * .random(in: 0.2...1, using: &random)
      let corner = try #require(
        UnitVector(
          x: middle.x * cos(distance) + (zero.x * cos(turn) + quarter.x * sin(turn)) * sin(distance),
          y: middle.y * cos(distance) + (zero.y * cos(turn) + quarter.y * sin(turn)) * sin(distance),
          z: middle.z * cos(distance) + (zero.z * cos(turn) + quarter.z * sin(turn)) * sin(distance)))
      return try Self.place(corner)
    }
    center = middle
    self.reach = reach
    polygon = GeoPolygon(outer: try GeoRing(random.once(in: 2) ? corners : corners.reversed()))
  }

  /// nil for what is nearly on a line.
  func contains(_ place: GeoPoint) -> Bool? {
    let point = UnitVector(place)
    var found = false
    for (number, corner) in corners.enumerated() {
      let (a, b) = (UnitVector(corner), UnitVector(corners[(number + 1) % corners.count]))
      let volumes = [
        UnitVector.volume(center, a, point), UnitVector.volume(a, b, point), UnitVector.volume(b, center, point),
      ]
      if volumes.contains(where: { $0.magnitude < 1e-13 }) { return nil }
      if volumes.allSatisfy({ $0 > 0 }) { found = true }
    }
    return found
  }

  func nearby(_ random: inout OracleRandom) throws -> GeoPoint {
    func offset() -> Double { .random(in: -reach...reach, using: &random) }
    guard let near = UnitVector(x: center.x + offset(), y: center.y + offset(), z: center.z + offset()) else {
      return try Self.place(center)
    }
    return try Self.place(near)
  }

  static func anywhere(_ random: inout OracleRandom) throws -> GeoPoint {
    let longitude = Double.random(in: -180...180, using: &random)
    let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
    let special = random.once(in: 5) ? random.pick([90.0, -90, 0]) : latitude
    return try #require(GeoPoint(longitude: random.once(in: 5) ? 180 : longitude, latitude: special))
  }

  static func place(_ direction: UnitVector) throws -> GeoPoint {
    let latitude = atan2(direction.z, (direction.x * direction.x + direction.y * direction.y).squareRoot())
    return try #require(
      GeoPoint(longitude: atan2(direction.y, direction.x) * 180 / .pi, latitude: latitude * 180 / .pi))
  }
}
