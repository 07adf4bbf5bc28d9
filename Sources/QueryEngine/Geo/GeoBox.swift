/// The area between two parallels and two meridians, edges included. It may cross the antimeridian, and may cover all
/// longitudes.
package struct GeoBox: Hashable, Sendable {
  let south: Double
  let north: Double
  /// The intervals of longitude in degrees: one for every turn in which a point's longitude may be given.
  let spans: [Span]

  /// An interval of longitudes, both ends included.
  struct Span: Hashable, Sendable {
    let west: Double
    let east: Double
  }

  /// The box from its lower left to its upper right corner. If the right corner is west of the left one, the box
  /// crosses the antimeridian. nil if the upper corner is below the lower one.
  package init?(_ lowerLeft: GeoPoint, _ upperRight: GeoPoint) {
    guard lowerLeft.latitude <= upperRight.latitude else { return nil }
    self.init(
      south: lowerLeft.latitude, north: upperRight.latitude, west: lowerLeft.longitude, east: upperRight.longitude)
  }

  /// The box between two latitudes, with the longitudes eastward from `west` to `east`.
  init(south: Double, north: Double, west: Double, east: Double) {
    self.south = south
    self.north = north
    if east - west >= 360 {
      spans = [Span(west: -360, east: 360)]
      return
    }
    // Bounds are shifted by whole turns only, so that the given bound stays exact.
    let turns = east < west ? ((west - east) / 360).rounded(.up) : 0
    spans = (-4...4).compactMap { number -> Span? in
      let span = Span(west: west + Double(number) * 360, east: east + (Double(number) + turns) * 360)
      return span.east >= -360 && span.west <= 360 ? span : nil
    }
  }

  /// The box between two latitudes, with all longitudes.
  init(south: Double, north: Double) { self.init(south: south, north: north, west: -180, east: 180) }

  /// Whether a point is inside or on an edge. A pole has every longitude.
  package func contains(_ point: GeoPoint) -> Bool {
    guard point.latitude >= south, point.latitude <= north else { return false }
    return point.latitude.magnitude == 90
      || spans.contains { point.longitude >= $0.west && point.longitude <= $0.east }
  }
}
