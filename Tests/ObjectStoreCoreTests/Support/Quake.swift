import Foundation
import ObjectStoreCore

/// What `@Model` writes, by hand: this product builds no macros.
struct Place: Model {
  var name: String
  var longitude: Double
  var latitude: Double
  private var _objectID = ObjectIdentity<Place>()

  init(_ name: String, _ longitude: Double = 0, _ latitude: Double = 0) {
    self.name = name
    self.longitude = longitude
    self.latitude = latitude
  }

  static let modelDefinition = ModelDefinition(of: Place.self, name: "Place") { model in
    model.property("name", \Place.name, \Place?.?.name)
    model.property("longitude", \Place.longitude, \Place?.?.longitude)
    model.property("latitude", \Place.latitude, \Place?.?.latitude)
  }

  var objectID: ObjectID<Place>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Place> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    longitude = try row.next()
    latitude = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    longitude.encode(into: &row)
    latitude.encode(into: &row)
  }
}

/// What `@Model` writes, by hand.
struct Quake: Model {
  var code: String
  var magnitude: Double
  var time: Date
  var place: Place
  var origin: Place?
  var felt: Int?
  private var _objectID = ObjectIdentity<Quake>()

  init(
    _ code: String, _ magnitude: Double, at time: Double = 0, in place: Place = Place(""), from origin: Place? = nil,
    felt: Int? = nil
  ) {
    self.code = code
    self.magnitude = magnitude
    self.time = Date(timeIntervalSinceReferenceDate: time)
    self.place = place
    self.origin = origin
    self.felt = felt
  }

  static let modelDefinition = ModelDefinition(of: Quake.self, name: "Quake") { model in
    model.property("code", \Quake.code, \Quake?.?.code, indexes: [.unique])
    model.property("magnitude", \Quake.magnitude, \Quake?.?.magnitude)
    model.property("time", \Quake.time, \Quake?.?.time)
    model.property("place", \Quake.place, \Quake?.?.place)
    model.property("origin", \Quake.origin, \Quake?.?.origin)
    model.property("felt", \Quake.felt, \Quake?.?.felt)
    model.index(.ordered, [\.magnitude, \.time])
  }

  var objectID: ObjectID<Quake>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Quake> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    code = try row.next()
    magnitude = try row.next()
    time = try row.next()
    place = try row.next()
    origin = try row.next()
    felt = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    code.encode(into: &row)
    magnitude.encode(into: &row)
    time.encode(into: &row)
    place.encode(into: &row)
    origin.encode(into: &row)
    felt.encode(into: &row)
  }
}

extension Quake {
  /// Five quakes, in no order.
  static let five = [
    Quake("us1", 6.4, at: 400, in: Place("Hualien", 121.7, 24.1), felt: 60),
    Quake("ak2", 1.5, at: 100, in: Place("Alaska", -150, 61), from: Place("Anchorage", -149.9, 61.2)),
    Quake("ci3", 2.5, at: 300, in: Place("California", -118, 34), felt: 3),
    Quake("us4", 5.1, at: 200, in: Place("Alaska", -151, 60)),
    Quake("nc5", 2.5, at: 500, in: Place("California", -122, 38), from: Place("Napa", -122.3, 38.3), felt: 3),
  ]

  /// A store in memory with the five.
  static func store() throws -> Store {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in _ = try tx.add(five) }
    return store
  }
}
