/// A shape on the earth that a place may be in. It does not know how places are kept.
package enum GeoShape: Hashable, Sendable {
  case circle(GeoCircle)
  case box(GeoBox)
  case polygon(GeoPolygon)

  /// Whether a place is inside or on an edge.
  package func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(point)
    case .box(let box): box.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    }
  }

  /// A box around it: what is outside of that is outside of the shape.
  var bounds: GeoBox {
    switch self {
    case .circle(let circle): circle.bounds
    case .box(let box): box
    case .polygon(let polygon): polygon.bounds
    }
  }
}
