import ObjectStoreCore

/// A store of objects that link to each other, for what is said of statements about them.
enum GraphExamples {
  private static let schema = #"""
    @Model struct Stop { var at: String; var minutes: Int }
    @Model struct Spot { var longitude: Double; var latitude: Double }
    @Model struct Airport {
      @Attribute(.unique) var code: String
      var location: Spot
      @Inverse(\Flight.origin) var departures: LinkingObjects<Flight>
    }
    @Model struct Flight {
      var number: Int
      var origin: Link<Airport>?
      var destination: Link<Airport>?
    }
    @Model struct Person {
      @Attribute(.unique) var name: String
      var age: Int?
      var friend: Link<Person>?
      var nicknames: [String]
      var scores: [String: Double]
      @Relationship(deleteRule: .deny) @Inverse(\Task.assignee) var tasks: LinkingObjects<Task>
    }
    @Model struct Project {
      @Attribute(.unique) var code: Int
      var title: String
      var lead: Link<Person>?
      @Relationship(deleteRule: .cascade) var tasks: List<Task>
      var stops: [Stop]
      var home: Spot?
    }
    @Model struct Task {
      var title: String
      var priority: Int
      var isDone: Bool
      var due: Date?
      var labels: Set<String>
      var assignee: Link<Person>?
      var after: List<Task>
    }
    """#

  private static let statements = [
    #"""
    INSERT Project {"code": 1, "title": "one", "lead": {"name": "Ann", "age": 40}, "tasks": [
      {"title": "a", "priority": 5, "isDone": false, "labels": ["x"], "assignee": "Ann"},
      {"title": "b", "priority": 2, "isDone": true, "assignee": {"name": "Bo"}}], "stops": [{"at": "x", "minutes": 5}]}
    """#,
    #"INSERT Project {"code": 2, "title": "two", "home": {"longitude": 1, "latitude": 2}}"#,
    #"""
    INSERT Flight {"number": 1, "origin": {"code": "A", "location": {"longitude": 1, "latitude": 2}},
      "destination": {"code": "B", "location": {"longitude": 3, "latitude": 4}}}
    """#,
  ]

  static func store() throws -> Store {
    let store = try Store.inMemory(schema: try SchemaText.parse(schema))
    for statement in statements { _ = try store.run(statement) }
    return store
  }
}
