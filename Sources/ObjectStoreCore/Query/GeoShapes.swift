public import PredicateLanguage

/// A length on the earth.
///
/// ```swift
/// let radius = GeoDistance.kilometers(100)
/// ```
///
/// As the radius of a circle it is a number from 0 on; another one throws where a query uses it.
public struct GeoDistance: Hashable, Sendable {
  let amount: Double
  /// The unit in the query language; nil for radians.
  let unit: String?

  /// A distance in metres.
  public static func meters(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "m") }
  /// A distance in kilometres.
  public static func kilometers(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "km") }
  /// A distance in miles of 1609.344 metres.
  public static func miles(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "mi") }
  /// An angle at the middle of the earth.
  ///
  /// From 0 to π, which takes in the whole earth; a greater one throws where a query uses it.
  public static func radians(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: nil) }
}

/// A shape on the earth, to test whether a struct with a `longitude` and a `latitude` lies within it.
///
/// A shape can be an argument: `filter("location IN %@", GeoCircle(center: (-122.3, 47.6), radius: .kilometers(100)))`.
public protocol GeoArea: QueryArgument, Hashable, Sendable {}

/// All points within a distance of a point.
///
/// ```swift
/// let seattle = GeoCircle(center: (-122.3, 47.6), radius: .kilometers(100))
/// let near = try quakes.filter("location IN %@", seattle)
/// ```
///
/// Longitudes are from -360 to 360 degrees and latitudes from -90 to 90, in every shape; others throw where a query
/// uses it.
public struct GeoCircle: GeoArea {
  let longitude: Double
  let latitude: Double
  let radius: GeoDistance

  /// The circle around a point.
  ///
  /// - Parameters:
  ///   - center: The point, longitude first, in degrees.
  ///   - radius: How far its points are from there at most.
  public init(center: (longitude: Double, latitude: Double), radius: GeoDistance) {
    (longitude, latitude) = center
    self.radius = radius
  }

  /// The circle as a query argument.
  public var queryValue: Value {
    ShapeSyntax.circle(
      center: .point((longitude, latitude)), radius: .number(radius.amount), unit: radius.unit
    ).argument
  }
}

/// All points between two meridians and two parallels.
///
/// ```swift
/// let california = GeoBox(bottomLeft: (-124.4, 32.5), topRight: (-114.1, 42.0))
/// let within = quakes.where { $0.location.geoWithin(california) }
/// ```
public struct GeoBox: GeoArea {
  let west: Double
  let south: Double
  let east: Double
  let north: Double

  /// Creates the box between two corners, longitude first, in degrees. If the left side is east of the right side, the
  /// box crosses the meridian of 180°.
  ///
  /// - Parameters:
  ///   - bottomLeft: The southwest corner.
  ///   - topRight: The northeast corner. One that is south of the other throws where a query uses the box.
  public init(
    bottomLeft: (longitude: Double, latitude: Double), topRight: (longitude: Double, latitude: Double)
  ) {
    (west, south) = bottomLeft
    (east, north) = topRight
  }

  /// The box as a query argument.
  public var queryValue: Value { ShapeSyntax.box(.point((west, south)), .point((east, north))).argument }
}

/// All points within a ring, except those in its holes.
///
/// ```swift
/// let triangle = GeoPolygon(outer: [(-124.0, 40.0), (-118.0, 36.0), (-116.0, 41.0)])
/// let within = quakes.where { $0.location.geoWithin(triangle) }
/// ```
public struct GeoPolygon: GeoArea {
  /// A corner.
  private struct Corner: Hashable, Sendable {
    let longitude: Double
    let latitude: Double
  }

  private let rings: [[Corner]]

  /// Creates the polygon of a ring of corners, longitude first, in degrees. Its edges are great circles, and the last
  /// corner is joined to the first.
  ///
  /// - Parameters:
  ///   - outer: The ring, of at least three corners. One that crosses itself throws where a query uses it.
  ///   - holes: The rings of the holes.
  public init(
    outer: [(longitude: Double, latitude: Double)], holes: [[(longitude: Double, latitude: Double)]] = []
  ) {
    rings = ([outer] + holes).map { ring in
      ring.map { Corner(longitude: $0.longitude, latitude: $0.latitude) }
    }
  }

  /// The polygon as a query argument.
  public var queryValue: Value {
    let rings = rings.map { ring in ring.map { ExpressionSyntax.point(($0.longitude, $0.latitude)) } }
    return ShapeSyntax.polygon(outer: rings[0], holes: Array(rings.dropFirst())).argument
  }
}

extension ExpressionSyntax {
  fileprivate static func number(_ number: Double) -> ExpressionSyntax { ExpressionSyntax(.literal(.double(number))) }

  fileprivate static func point(_ point: (Double, Double)) -> ExpressionSyntax {
    ExpressionSyntax(.point([number(point.0), number(point.1)]))
  }
}

extension QueryExpression where Value: QueryPath {
  /// Whether the struct, with a `longitude` and a `latitude` in degrees, lies within a shape.
  ///
  /// ```swift
  /// let near = quakes.where { $0.location.geoWithin(GeoCircle(center: (-122.3, 47.6), radius: .kilometers(100))) }
  /// ```
  ///
  /// - Parameter area: A circle, a box or a polygon.
  public func geoWithin(_ area: some GeoArea) -> QueryExpression<Bool> {
    guard let shape = ShapeSyntax(argument: area.queryValue) else {
      return QueryExpression<Bool>(
        QueryTerm(failing: "\(type(of: area)) is not a shape that queries know: use GeoCircle, GeoBox or GeoPolygon"))
    }
    return QueryExpression<Bool>(.comparison(term, .geoWithin, QueryTerm(ExpressionSyntax(.shape(shape)))))
  }
}
