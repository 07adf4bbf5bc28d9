internal import Glibc

/// The area inside a ring and outside its holes. Edges, including those of holes, belong to it.
package struct GeoPolygon: Hashable, Sendable {
  let outer: GeoRing
  let holes: [GeoRing]

  package init(outer: GeoRing, holes: [GeoRing] = []) {
    self.outer = outer
    self.holes = holes
  }

  /// Whether a point is inside or on an edge.
  package func contains(_ point: GeoPoint) -> Bool {
    let direction = UnitVector(point)
    return outer.side(of: direction) != .outside && !holes.contains { $0.side(of: direction) == .inside }
  }

  /// A bounding box.
  var bounds: GeoBox { outer.bounds }
}

extension GeoRing {
  /// A box around the ring and its inside.
  var bounds: GeoBox {
    let slack = 1e-9
    var (south, north) = (90.0, -90.0)
    for (arc, point) in zip(arcs, points) {
      south = min(south, point.latitude)
      north = max(north, point.latitude)
      guard let top = arc.top else { continue }
      let height = asin(min(1, top.z)) * 180 / .pi
      if Self.isNearlyBetween(top, arc) { north = max(north, height) }
      if Self.isNearlyBetween(top.opposite, arc) { south = min(south, -height) }
    }
    let hasNorth = side(of: .north) != .outside
    let hasSouth = side(of: UnitVector.north.opposite) != .outside
    (south, north) = (hasSouth ? -90 : max(-90, south - slack), hasNorth ? 90 : min(90, north + slack))
    // So close to a pole an arc crosses many longitudes within the precision of a Double.
    if hasNorth || hasSouth || north > 89.999 || south < -89.999 { return GeoBox(south: south, north: north) }
    guard let first = points.first else { return GeoBox(south: south, north: north) }
    var (longitude, west, east) = (first.longitude, first.longitude, first.longitude)
    for (point, next) in zip(points, points.dropFirst()) {
      longitude += (next.longitude - point.longitude).remainder(dividingBy: 360)
      west = min(west, longitude)
      east = max(east, longitude)
    }
    guard east - west < 359 else { return GeoBox(south: south, north: north) }
    return GeoBox(south: south, north: north, west: west - slack, east: east + slack)
  }

  /// Whether a direction on an arc's great circle lies between its ends, with some tolerance.
  private static func isNearlyBetween(_ point: UnitVector, _ arc: Arc) -> Bool {
    UnitVector.volume(arc.axis, arc.start, point) >= -1e-9 && UnitVector.volume(arc.axis, point, arc.end) >= -1e-9
  }
}
