internal import Schema
internal import Storage

/// A filter for a longitude and a latitude, two columns of Doubles, in a shape. The filters of both columns first
/// select the shape's bounding box; the remaining objects are tested one by one.
final class GeoFilter: ColumnFilter {
  private let longitude: Int
  private let latitude: Int
  private let shape: GeoShape
  private let box: any Filter
  private let isBox: Bool

  init(longitude: (Int, ScalarType), latitude: (Int, ScalarType), shape: GeoShape) {
    self.longitude = longitude.0
    self.latitude = latitude.0
    self.shape = shape
    isBox = if case .box = shape { true } else { false }
    let bounds = shape.bounds
    var meridians: [any Filter] = bounds.spans.map {
      DoubleIntervalFilter(column: longitude.0, longitude.1, lower: max(-360, $0.west), upper: min(360, $0.east))
    }
    // A pole has every longitude.
    for pole in [-90.0, 90] where bounds.south <= pole && pole <= bounds.north {
      meridians.append(
        AllFilter([
          DoubleIntervalFilter(column: latitude.0, latitude.1, lower: pole, upper: pole),
          DoubleIntervalFilter(column: longitude.0, longitude.1, lower: -360, upper: 360),
        ]))
    }
    box = AllFilter([
      DoubleIntervalFilter(column: latitude.0, latitude.1, lower: bounds.south, upper: bounds.north),
      AnyFilter(meridians),
    ])
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let near = try box.mask(cluster, candidates, context)
    if isBox || near.isEmpty { return near }
    return try context.withVector { longitudes in
      try context.withVector { latitudes in
        try longitudes.load(try cluster.column(longitude))
        try latitudes.load(try cluster.column(latitude))
        var found = Mask.none
        near.forEach { slot in
          let point = GeoPoint(longitude: longitudes.doubles[slot], latitude: latitudes.doubles[slot])
          if let point, shape.contains(point) { found[slot] = true }
        }
        return found
      }
    }
  }
}
