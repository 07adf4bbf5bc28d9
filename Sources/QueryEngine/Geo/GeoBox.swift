/// What lies between two parallels and two meridians, edges included. It may go across the antimeridian, and round the
/// whole earth.
package struct GeoBox: Hashable, Sendable {
  let south: Double
  let north: Double
  /// The intervals of longitude, in degrees as written: one for every turn in which a point may be given.
  let spans: [Span]

  /// An interval of longitudes, both ends included.
  struct Span: Hashable, Sendable {
    let west: Double
    let east: Double
  }

  /// The box from its lower left to its upper right corner. One whose right corner is west of the left one goes across
  /// the antimeridian. nil when the upper corner is below the lower one.
  package init?(_ lowerLeft: GeoPoint, _ upperRight: GeoPoint) {
    guard lowerLeft.latitude <= upperRight.latitude else { return nil }
    self.init(
      south: lowerLeft.latitude, north: upperRight.latitude, west: lowerLeft.longitude, east: upperRight.longitude)
  }

  /// Latitudes with the longitudes eastward from `west` to `east`.
  init(south: Double, north: Double, west: Double, east: Double) {
    self.south = south
    self.north = north
    if east - west >= 360 {
      spans = [Span(west: -360, east: 360)]
      return
    }
    // A bound is moved by whole turns only, so that as it was written it stays exact.
    let turns = east < west ? ((west - east) / 360).rounded(.up) : 0
    spans = (-4...4).compactMap { number -> Span? in
      let span = Span(west: west + Double(number) * 360, east: east + (Double(number) + turns) * 360)
      return span.east >= -360 && span.west <= 360 ? span : nil
    }
  }

  /// Latitudes with every longitude.
  init(south: Double, north: Double) { self.init(south: south, north: north, west: -180, east: 180) }

  /// Whether a place is inside or on an edge. A pole is at every longitude.
  package func contains(_ point: GeoPoint) -> Bool {
    guard point.latitude >= south, point.latitude <= north else { return false }
    return point.latitude.magnitude == 90
      || spans.contains { point.longitude >= $0.west && point.longitude <= $0.east }
  }
}
