import Foundation
import ObjectStoreCore

/// A trip with its stops, structs without identity: what `@Model` writes, by hand.
struct Trip: Model {
  var code: String
  var stops: [Stop] = []
  var limit = 5
  private var _objectID = ObjectIdentity<Trip>()

  init(_ code: String, _ stops: [Stop] = [], limit: Int = 5) {
    self.code = code
    self.stops = stops
    self.limit = limit
  }

  static let modelDefinition = ModelDefinition(of: Trip.self, name: "Trip") { model in
    model.property("code", \Trip.code, \Trip?.?.code, indexes: [.unique])
    model.property("stops", \Trip.stops, \Trip?.?.stops, default: [])
    model.property("limit", \Trip.limit, \Trip?.?.limit, default: 5)
  }

  var objectID: ObjectID<Trip>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Trip> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    code = try row.next()
    stops = try row.next()
    limit = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    code.encode(into: &row)
    stops.encode(into: &row)
    limit.encode(into: &row)
  }

  static let several = [
    Trip("a", [Stop("x", minutes: 6, place: Town("Ulm", .init(timeIntervalSinceReferenceDate: 7))), Stop("y")]),
    Trip("b", [Stop("x", minutes: 3), Stop("z", minutes: 9, place: Town("Rom"))], limit: 3), Trip("c"),
    Trip("d", (0..<50).map { Stop("stop \($0)", minutes: $0 % 3 == 0 ? nil : $0) }),
  ]

  static func store() throws -> Store {
    let store = try Store.inMemory(Trip.self)
    try store.write { tx in _ = try tx.add(several) }
    return store
  }
}

struct Stop: Model {
  var name: String
  var minutes: Int?
  var place: Town?
  private var _objectID = ObjectIdentity<Stop>()

  init(_ name: String, minutes: Int? = nil, place: Town? = nil) {
    self.name = name
    self.minutes = minutes
    self.place = place
  }

  static let modelDefinition = ModelDefinition(of: Stop.self, name: "Stop") { model in
    model.property("name", \Stop.name, \Stop?.?.name)
    model.property("minutes", \Stop.minutes, \Stop?.?.minutes)
    model.property("place", \Stop.place, \Stop?.?.place)
  }

  var objectID: ObjectID<Stop>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Stop> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    minutes = try row.next()
    place = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    minutes.encode(into: &row)
    place.encode(into: &row)
  }
}

struct Town: Model {
  var city: String
  var seen: Date?
  private var _objectID = ObjectIdentity<Town>()

  init(_ city: String, _ seen: Date? = nil) {
    self.city = city
    self.seen = seen
  }

  static let modelDefinition = ModelDefinition(of: Town.self, name: "Town") { model in
    model.property("city", \Town.city, \Town?.?.city)
    model.property("seen", \Town.seen, \Town?.?.seen)
  }

  var objectID: ObjectID<Town>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Town> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    city = try row.next()
    seen = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    city.encode(into: &row)
    seen.encode(into: &row)
  }
}

/// A struct that has arrays of itself, which no store can keep.
struct Knot: Model {
  var name: String
  var knots: [Knot]
  private var _objectID = ObjectIdentity<Knot>()

  static let modelDefinition = ModelDefinition(of: Knot.self, name: "Knot") { model in
    model.property("name", \Knot.name, \Knot?.?.name)
    model.property("knots", \Knot.knots, \Knot?.?.knots)
  }

  var objectID: ObjectID<Knot>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Knot> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    knots = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    knots.encode(into: &row)
  }
}
