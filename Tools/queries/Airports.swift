/// What airports and the routes between them look like: `airports.csv` and `routes.csv`.
@Model struct Airport {
  @Attribute(.unique) var iata: String
  var name: String
  var city: String?
  var state: String?
  var country: String
  var latitude: Double
  var longitude: Double
  @Inverse(\Route.origin) var departures: LinkingObjects<Route>
  @Inverse(\Route.destination) var arrivals: LinkingObjects<Route>
}

@Model struct Route {
  var origin: Link<Airport>?
  var destination: Link<Airport>?
  /// Flights in a year.
  var count: Int
}
