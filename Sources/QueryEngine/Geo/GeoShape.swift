/// A shape on the earth that may contain points. It does not depend on how points are stored.
package enum GeoShape: Hashable, Sendable {
  case circle(GeoCircle)
  case box(GeoBox)
  case polygon(GeoPolygon)

  /// Whether a point is inside or on an edge.
  package func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(point)
    case .box(let box): box.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    }
  }

  /// A bounding box: a point outside of it is outside the shape.
  var bounds: GeoBox {
    switch self {
    case .circle(let circle): circle.bounds
    case .box(let box): box
    case .polygon(let polygon): polygon.bounds
    }
  }
}
