public import PredicateLanguage

/// A length on the earth.
public struct GeoDistance: Hashable, Sendable {
  let amount: Double
  /// The unit as the language has it; nil for radians.
  let unit: String?

  /// So many metres.
  public static func meters(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "m") }
  /// So many kilometres.
  public static func kilometers(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "km") }
  /// So many miles of 1609.344 metres.
  public static func miles(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: "mi") }
  /// An angle at the middle of the earth.
  public static func radians(_ amount: Double) -> GeoDistance { GeoDistance(amount: amount, unit: nil) }
}

/// A shape on the earth that objects lie within, to be compared with a struct that has a `longitude` and a `latitude`.
///
/// A shape is an argument too: `filter("location IN %@", GeoCircle(center: (-122.3, 47.6), radius: .kilometers(100)))`.
public protocol GeoArea: QueryArgument, Hashable, Sendable {}

/// All points within a distance of a point.
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

  /// The circle as a query has it.
  public var queryValue: Value {
    ShapeSyntax.circle(
      center: .point((longitude, latitude)), radius: .number(radius.amount), unit: radius.unit
    ).argument
  }
}

/// All points between two meridians and two parallels.
public struct GeoBox: GeoArea {
  let west: Double
  let south: Double
  let east: Double
  let north: Double

  /// The box between two corners, longitude first, in degrees. One whose left side is east of its right side crosses the
  /// meridian of 180°.
  public init(
    bottomLeft: (longitude: Double, latitude: Double), topRight: (longitude: Double, latitude: Double)
  ) {
    (west, south) = bottomLeft
    (east, north) = topRight
  }

  /// The box as a query has it.
  public var queryValue: Value { ShapeSyntax.box(.point((west, south)), .point((east, north))).argument }
}

/// All points within a ring, but for those in its holes.
public struct GeoPolygon: GeoArea {
  /// A corner.
  private struct Corner: Hashable, Sendable {
    let longitude: Double
    let latitude: Double
  }

  private let rings: [[Corner]]

  /// The polygon of a ring of corners, longitude first, in degrees. Its edges are great circles, and the last corner is
  /// joined with the first.
  ///
  /// - Parameters:
  ///   - outer: The ring, of three corners or more. One that crosses itself throws where a query uses it.
  ///   - holes: What is left out, a ring each.
  public init(
    outer: [(longitude: Double, latitude: Double)], holes: [[(longitude: Double, latitude: Double)]] = []
  ) {
    rings = ([outer] + holes).map { ring in
      ring.map { Corner(longitude: $0.longitude, latitude: $0.latitude) }
    }
  }

  /// The polygon as a query has it.
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
  /// Lies within a shape. The struct has a `longitude` and a `latitude` in degrees.
  ///
  /// ```swift
  /// quakes.where { $0.location.geoWithin(GeoCircle(center: (-122.3, 47.6), radius: .kilometers(100))) }
  /// ```
  public func geoWithin(_ area: some GeoArea) -> QueryExpression<Bool> {
    guard let shape = ShapeSyntax(argument: area.queryValue) else {
      return QueryExpression<Bool>(QueryTerm(failing: "\(type(of: area)) is no shape of this library"))
    }
    return QueryExpression<Bool>(.comparison(term, .geoWithin, QueryTerm(ExpressionSyntax(.shape(shape)))))
  }
}
