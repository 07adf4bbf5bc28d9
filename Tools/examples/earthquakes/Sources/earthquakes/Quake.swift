import Foundation
import ObjectStore

/// An earthquake, as the feeds of the US Geological Survey have it.
@Model struct Quake {
  #Index<Quake>([\.time])
  @Attribute(.unique) var code: String
  var net: String
  var magnitude: Double?
  var place: String
  var time: Date
  var depth: Double?
  var location: Location
}

/// Where it was, in degrees.
@Model struct Location {
  var longitude: Double
  var latitude: Double
}

/// A feed: GeoJSON of <https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php>.
struct Feed: Decodable {
  struct Feature: Decodable {
    struct Properties: Decodable {
      var mag: Double?
      var place: String?
      var time: Double
      var net: String
    }
    struct Geometry: Decodable { var coordinates: [Double] }
    var id: String
    var properties: Properties
    var geometry: Geometry

    /// nil for one without a place on the map.
    var quake: Quake? {
      let coordinates = geometry.coordinates
      guard coordinates.count >= 2 else { return nil }
      return Quake(
        code: id, net: properties.net, magnitude: properties.mag, place: properties.place ?? "somewhere",
        time: Date(timeIntervalSince1970: properties.time / 1000), depth: coordinates.count > 2 ? coordinates[2] : nil,
        location: Location(longitude: coordinates[0], latitude: coordinates[1]))
    }
  }
  var features: [Feature]

  /// Stores a feed. Earthquakes that are there already get its values.
  static func load(_ path: String, into store: Store) throws {
    let feed = try JSONDecoder().decode(Feed.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    try store.write { tx in
      for quake in feed.features.compactMap(\.quake) { try tx.upsert(quake) }
    }
  }
}
