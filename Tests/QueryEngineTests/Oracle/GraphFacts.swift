import Schema
import Values

/// What the tables of the language say about links, sentence by sentence, about a few people, tasks and cities.
///
/// | Person | name | age | boss | friends | home.city | home.no |
/// | - | - | - | - | - | - | - |
/// | 1 | Ann | 30 | 2 | 2, 3, 2 | 1 | 5 |
/// | 2 | Bob | 50 | nil | | no home | |
/// | 3 | Cem | nil | 3 | 3, 1 | nil | 7 |
/// | 4 | Dora | 20 | 1 | 4, 4 | 2 | 1 |
///
/// | Task | title | priority | cost | done | assignee | labels | blockers | hours |
/// | - | - | - | - | - | - | - | - | - |
/// | 1 | a | 1 | 1.5 | F | 1 | x, y | 2 | p 1, q 4 |
/// | 2 | b | 5 | nil | T | 1 | | 1 | |
/// | 3 | c | 9 | NaN | F | 3 | x | 1, 1, 4 | p 2 |
/// | 4 | d | 5 | 4.0 | T | nil | z | | q 7 |
/// | 5 | e | 2 | 0.5 | T | 4 | | 5 | p 0 |
///
/// | City | name | mayor | spot |
/// | - | - | - | - |
/// | 1 | Rome | 1 | 12.5, 41.9 |
/// | 2 | Oslo | nil | 10.75, 59.9 |
/// | 3 | Bonn | 3 | 7.1, 50.7 |
enum GraphFacts {
  struct Fact {
    var entity: String
    var query: String
    var numbers: [UInt64]

    init(_ entity: String, _ query: String, _ numbers: [UInt64]) {
      self.entity = entity
      self.query = query
      self.numbers = numbers
    }
  }

  static let schema: Schema = {
    func link(_ name: String, _ entity: String) -> Property {
      Property(name: name, type: .link(entity), isOptional: true)
    }
    return Schema(
      entities: [
        Entity(
          name: "Person",
          properties: [
            Property(name: "name", type: .scalar(.string)),
            Property(name: "age", type: .scalar(.int), isOptional: true), link("boss", "Person"),
            Property(name: "friends", type: .list("Person")),
            Property(name: "home", type: .embedded("Home"), isOptional: true),
            Property(name: "tasks", type: .linkingObjects(entity: "Task", property: "assignee")),
          ], indexes: [Index(kind: .unique, paths: ["name"])]),
        Entity(
          name: "Task",
          properties: [
            Property(name: "title", type: .scalar(.string)), Property(name: "priority", type: .scalar(.int)),
            Property(name: "cost", type: .scalar(.double), isOptional: true),
            Property(name: "done", type: .scalar(.bool)), link("assignee", "Person"),
            Property(name: "labels", type: .array(.string)), Property(name: "blockers", type: .list("Task")),
            Property(name: "hours", type: .dictionary(.int)),
          ]),
        Entity(
          name: "City",
          properties: [
            Property(name: "name", type: .scalar(.string)), link("mayor", "Person"),
            Property(name: "spot", type: .embedded("Place")),
            Property(name: "people", type: .linkingObjects(entity: "Person", property: "home.city")),
          ]),
      ],
      embedded: [
        Entity(name: "Home", properties: [link("city", "City"), Property(name: "no", type: .scalar(.int))]),
        Entity(
          name: "Place", properties: ["longitude", "latitude"].map { Property(name: $0, type: .scalar(.double)) }),
      ])
  }()

  static let graph: RandomGraph = {
    func numbers(_ numbers: Int64...) -> Value { .list(numbers.map(Value.int)) }
    func texts(_ texts: String...) -> Value { .list(texts.map(Value.string)) }
    func hours(_ hours: KeyValuePairs<String, Int64>) -> Value {
      .embedded(hours.map { EmbeddedField(name: $0.key, value: .int($0.value)) })
    }
    return RandomGraph(
      schema: schema,
      rows: [
        "Person": [
          [.string("Ann"), .int(30), .int(2), numbers(2, 3, 2), .bool(true), .int(1), .int(5)],
          [.string("Bob"), .int(50), .null, numbers(), .null, .null, .null],
          [.string("Cem"), .null, .int(3), numbers(3, 1), .bool(true), .null, .int(7)],
          [.string("Dora"), .int(20), .int(1), numbers(4, 4), .bool(true), .int(2), .int(1)],
        ],
        "Task": [
          [
            .string("a"), .int(1), .double(1.5), .bool(false), .int(1), texts("x", "y"), numbers(2),
            hours(["p": 1, "q": 4]),
          ],
          [.string("b"), .int(5), .null, .bool(true), .int(1), texts(), numbers(1), hours([:])],
          [.string("c"), .int(9), .double(.nan), .bool(false), .int(3), texts("x"), numbers(1, 1, 4), hours(["p": 2])],
          [.string("d"), .int(5), .double(4), .bool(true), .null, texts("z"), numbers(), hours(["q": 7])],
          [.string("e"), .int(2), .double(0.5), .bool(true), .int(4), texts(), numbers(5), hours(["p": 0])],
        ],
        "City": [
          [.string("Rome"), .int(1), .double(12.5), .double(41.9)],
          [.string("Oslo"), .null, .double(10.75), .double(59.9)],
          [.string("Bonn"), .int(3), .double(7.1), .double(50.7)],
        ],
      ])
  }()

  // MARK: What is found

  /// A path goes through embedded values and links; a nil link makes the rest nil. SELF, and items by their place.
  private static let paths: [Fact] = [
    Fact("Task", "assignee.boss.name == 'Bob'", [1, 2]),
    Fact("Task", "assignee.home.city.name == nil", [3, 4]),
    Fact("Task", "NOT assignee.home.no > 4", [4, 5]),
    Fact("Task", "assignee.home.no != 5", [3, 4, 5]),
    Fact("Person", "home == nil", [2]),
    Fact("Task", "assignee.home == nil", [4]),
    Fact("Person", "boss.home.no == 5", [4]),
    Fact("Person", "boss.boss.boss.boss.name == 'Cem'", [3]),
    Fact("Person", "boss.age + 1 == 31", [4]),
    Fact("Person", "boss.age > age", [1, 4]),
    Fact("Person", "SELF.boss.name == 'Ann'", [4]),
    Fact("Person", "boss == SELF", [3]),
    Fact("Person", "friends[0].name == 'Bob'", [1]),
    Fact("Person", "friends[LAST] == object(\"Person\", 1)", [3]),
    Fact("Person", "friends[SIZE] == 2", [3, 4]),
    Fact("Person", "friends[5] == nil", [1, 2, 3, 4]),
    Fact("Person", "friends[FIRST].age == nil", [2, 3]),
    Fact("Task", "assignee.@type == 'Person'", [1, 2, 3, 5]),
  ]

  /// A named inverse, `@links.Entity.property`, and all links from anywhere: each object that links once a link.
  private static let backlinks: [Fact] = [
    Fact("Person", "tasks.@count == 2", [1]),
    Fact("Person", "@links.Task.assignee.@count == 0", [2]),
    Fact("Person", "@links.City.mayor.name == 'Bonn'", [3]),
    Fact("City", "@links.Person.home.city.@count == 1", [1, 2]),
    Fact("City", "people.name == 'Dora'", [2]),
    Fact("Person", "@links.Person.friends.@count == 1", [1, 2, 4]),
    Fact("Person", "@links.@count == 5", [1, 3]),
    Fact("Person", "@links.@count == 2", [2, 4]),
    Fact("Task", "assignee.tasks.@count == 2", [1, 2]),
    Fact("Person", "tasks.blockers.@links.Task.blockers.title == 'c'", [1, 3]),
  ]

  /// ANY, SOME, ALL, NONE; none is ANY; nothing satisfies ALL and NONE, also behind a nil link; hops are flattened.
  private static let quantifiers: [Fact] = [
    Fact("Person", "ANY friends.age > 40", [1]),
    Fact("Person", "SOME friends.name == 'Cem'", [1, 3]),
    Fact("Person", "friends.name == 'Ann'", [3]),
    Fact("Person", "ANY boss.friends.name != 'x'", [3, 4]),
    Fact("Person", "ALL friends.age > 10", [2, 4]),
    Fact("Person", "ALL boss.friends.age > 45", [1, 2]),
    Fact("Person", "NONE friends.name == 'Bob'", [2, 3, 4]),
    Fact("Person", "NONE boss.friends.name == 'Ann'", [1, 2, 4]),
    Fact("Person", "NOT ANY boss.friends.name == 'Ann'", [1, 2, 4]),
    Fact("Person", "friends.friends.name == 'Dora'", [4]),
    Fact("Person", "friends.friends.@count == 5", [3]),
    Fact("Person", "friends.friends.@count == 4", [4]),
    Fact("Person", "ANY tasks.priority BETWEEN {2, 4}", [4]),
    Fact("Person", "ANY tasks.priority IN {1, 9}", [1, 3]),
    Fact("Person", "ANY tasks.priority > age / 10", [1]),
    Fact("Person", "ANY friends.name BEGINSWITH 'B'", [1]),
    Fact("Person", "friends.name CONTAINS 'em'", [1, 3]),
    Fact("Person", "ANY friends.name CONTAINS[c] 'ANN'", [3]),
    Fact("Person", "friends.friends.name CONTAINS 'or'", [4]),
    Fact("Person", "friends.friends.name == 'Ann'", [1, 3]),
    Fact("Person", "ANY tasks.title LIKE '?'", [1, 3, 4]),
    Fact("Person", "ALL tasks.title MATCHES '[ab]'", [1, 2]),
    Fact("Person", "tasks.labels CONTAINS 'x'", [1, 3]),
    Fact("Person", "ALL tasks.labels == 'x'", [2, 3, 4]),
    // What is no text has no parts: CONTAINS then asks for an element, of whatever the path leads to.
    Fact("Person", "tasks.priority CONTAINS 5", [1]),
    Fact("Person", "tasks.blockers.priority CONTAINS 1", [1, 3]),
    Fact("Person", "tasks.done CONTAINS TRUE", [1, 4]),
    Fact("Person", "tasks.cost CONTAINS nil", [1]),
  ]

  /// A nil link before a to-many hop gives no elements; after one it is an element, whose values are nil.
  private static let nilLinks: [Fact] = [
    Fact("Person", "boss.tasks.@count == 0", [1, 2]),
    Fact("Person", "boss.friends.@sum.age == 0", [1, 2]),
    Fact("Person", "boss.friends.@avg.age == nil", [1, 2]),
    Fact("Task", "ANY blockers.assignee == nil", [3]),
    Fact("Task", "blockers.assignee == nil", [3]),
    Fact("Task", "ANY blockers.assignee.name == nil", [3]),
    Fact("Task", "blockers.cost == nil", [1]),
    Fact("Person", "tasks.blockers.cost == nil", [1]),
    Fact("Person", "tasks.blockers.cost != nil", [1, 3, 4]),
    Fact("Task", "blockers.assignee.@count == 3", [3]),
    Fact("Task", "blockers.assignee.tasks.@count == 4", [3]),
    Fact("Task", "ALL blockers.assignee != nil", [1, 2, 4, 5]),
    Fact("Task", "NONE blockers.cost == nil", [2, 3, 4, 5]),
    Fact("Task", "SUBQUERY(blockers.assignee, $p, $p == nil).@count == 1", [3]),
  ]

  /// Of nothing the count and the sum are 0 and the others nil; nil and NaN are skipped, except by the count; one result
  /// over the flattened elements; the operator takes a path.
  private static let aggregates: [Fact] = [
    Fact("Person", "tasks.@sum.priority == 6", [1]),
    Fact("Person", "tasks.@sum.priority == 0", [2]),
    Fact("Person", "tasks.@avg.priority == 3", [1]),
    Fact("Person", "tasks.@avg.priority == nil", [2]),
    Fact("Person", "tasks.@max.priority == 9", [3]),
    Fact("Person", "tasks.@min.priority == 2", [4]),
    Fact("Person", "tasks.@min.title == 'a'", [1]),
    Fact("Person", "tasks.@avg.cost == 1.5", [1]),
    Fact("Person", "tasks.@max.cost == nil", [2, 3]),
    Fact("Person", "tasks.@sum.cost == 0", [2, 3]),
    Fact("Person", "tasks.cost.@count == 2", [1]),
    Fact("Person", "friends.tasks.@avg.priority == 5", [3]),
    Fact("Person", "friends.@avg.tasks.priority == 9", [1]),
    Fact("Person", "friends.tasks.@sum.priority == 4", [4]),
    Fact("Person", "friends.@max.home.no == 7", [1, 3]),
    Fact("Person", "tasks.@avg.priority > tasks.@count", [1, 3, 4]),
    Fact("Person", "friends.@distinctUnionOfObjects.name.@count == 2", [1, 3]),
    Fact("Person", "friends.@distinctUnionOfObjects.age.@count == 1", [1, 3, 4]),
    Fact("Person", "30 IN friends.@distinctUnionOfObjects.age", [3]),
    Fact("Person", "friends.@distinctUnionOfObjects.@count == 1", [4]),
  ]

  /// The elements for which the predicate holds, then any aggregate. `$t` is the element, a path without a variable the
  /// outermost object; inner variables may shadow.
  private static let subqueries: [Fact] = [
    Fact("Person", "SUBQUERY(tasks, $t, $t.priority > 2).@count == 1", [1, 3]),
    Fact("Person", "SUBQUERY(friends, $f, $f.age > age).@count == 2", [1]),
    Fact("Person", "SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g.name == name).@count > 0).@count == 1", [1]),
    Fact("Person", "SUBQUERY(friends, $t, SUBQUERY($t.tasks, $t, $t.priority == 9).@count == 1).@count == 1", [1, 3]),
    Fact("Person", "SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g == $f).@count > 0).@count == 1", [1, 3]),
    Fact("Person", "SUBQUERY(friends, $f, $f IN $f.friends).@count == 1", [1, 3]),
    Fact("Person", "SUBQUERY(friends, $f, $f.boss == SELF).@count == 1", [3]),
    Fact("Person", "SUBQUERY(tasks, $t, $t.done).@avg.priority == 5", [1]),
    Fact("Person", "SUBQUERY(tasks, $t, $t.done).@min.priority == nil", [2, 3]),
    Fact("Person", "SUBQUERY(tasks, $t, $t.done).@count * 2 == tasks.@count", [1, 2]),
    Fact("Task", "SUBQUERY(blockers, $b, $b.done).@count == priority", [1]),
    Fact("Task", "SUBQUERY(blockers, $b, ANY $b.labels == 'x').@count == 2", [3]),
    Fact("Task", "SUBQUERY(labels, $l, $l IN assignee.tasks.labels).@count == 2", [1]),
    Fact("Person", "ANY SUBQUERY(tasks, $t, $t.done).priority == 5", [1]),
    Fact("Person", "SUBQUERY(friends, $f, $f.age != nil).@distinctUnionOfObjects.name.@count == 1", [1, 3, 4]),
  ]

  /// A link with an object, with what tells its target apart, with nil; lists of objects in order.
  private static let objects: [Fact] = [
    Fact("Task", "assignee == object(\"Person\", 1)", [1, 2]),
    Fact("Task", "assignee != object(\"Person\", 1)", [3, 4, 5]),
    Fact("Task", "assignee == object(\"Person\", 99)", []),
    Fact("Task", "assignee == nil", [4]),
    Fact("Task", "assignee == 'Ann'", [1, 2]),
    Fact("Task", "assignee != 'Ann'", [3, 4, 5]),
    Fact("Task", "assignee IN {'Cem', nil}", [3, 4]),
    Fact("Task", "assignee IN {object(\"Person\", 1), object(\"Person\", 4)}", [1, 2, 5]),
    Fact("Task", "NOT assignee IN {object(\"Person\", 1), nil}", [3, 5]),
    Fact("Person", "SELF IN friends", [3, 4]),
    Fact("City", "ANY people == 'Ann'", [1]),
    Fact("City", "mayor IN people", [1]),
    Fact("City", "object(\"Person\", 4) IN people", [2]),
    Fact("Person", "friends CONTAINS object(\"Person\", 2)", [1]),
    Fact("Person", "ALL friends == SELF", [2, 4]),
    Fact("Person", "friends == {object(\"Person\", 3), object(\"Person\", 1)}", [3]),
    Fact("Person", "friends != {object(\"Person\", 3), object(\"Person\", 1)}", [1, 2, 4]),
    Fact("City", "mayor.boss == mayor", [2, 3]),
  ]

  /// By a to-one path, an aggregate or an expression; nil is one value for DISTINCT.
  private static let orders: [Fact] = [
    Fact("Task", "TRUEPREDICATE SORT(assignee.name DESC, title ASC)", [5, 3, 1, 2, 4]),
    Fact("Task", "TRUEPREDICATE SORT(blockers.@count DESC, title ASC)", [3, 1, 2, 5, 4]),
    Fact("Person", "TRUEPREDICATE SORT(tasks.@avg.priority ASC)", [2, 4, 1, 3]),
    Fact("Person", "TRUEPREDICATE SORT(tasks.@count + friends.@count DESC)", [1, 3, 4, 2]),
    Fact("Task", "TRUEPREDICATE SORT(assignee.boss.name ASC) LIMIT(2)", [4, 5]),
    Fact("Task", "TRUEPREDICATE DISTINCT(assignee.name)", [1, 3, 4, 5]),
    Fact("Task", "TRUEPREDICATE DISTINCT(assignee)", [1, 3, 4, 5]),
    Fact("Task", "assignee != nil DISTINCT(assignee.boss.age) SORT(title DESC)", [5, 3, 1]),
  ]

  /// A collection as a whole: element by element in order. Behind a nil link it is no list of nothing, and has no
  /// elements, of which none is nil and none is not; what is gathered from several objects is always there.
  private static let wholes: [Fact] = [
    Fact("Task", "{'x', 'y'} == assignee.tasks.labels", [1, 2]),
    Fact("Task", "labels == {}", [2, 5]),
    Fact("City", "mayor.friends == {object(\"Person\", 2), object(\"Person\", 3), object(\"Person\", 2)}", [1]),
    Fact("City", "mayor.friends == {}", []),
    Fact("City", "mayor.friends == nil", []),
    Fact("City", "mayor.friends != nil", [1, 3]),
    Fact("City", "NOT mayor.friends != nil", [2]),
    Fact("Task", "assignee.friends != nil", [1, 2, 3, 5]),
    Fact("Person", "boss.friends != nil", [3, 4]),
    Fact("Task", "assignee.friends[0] == nil", [4]),
    Fact("Person", "friends == nil", []),
    Fact("Person", "friends != nil", [1, 2, 3, 4]),
    Fact("City", "mayor.tasks == nil", []),
    Fact("City", "mayor.tasks.labels != nil", [1, 3]),
    Fact("Task", "SUBQUERY(blockers, $b, $b.labels == nil).@count > 0", []),
    Fact("Task", "SUBQUERY(blockers.assignee, $p, $p.friends == nil).@count > 0", []),
    Fact("Task", "SUBQUERY(blockers.assignee, $p, $p.friends != nil).@count == 2", [3]),
    Fact("Task", "assignee.tasks.labels CONTAINS {'x', 'y'}", [1, 2]),
    Fact("Task", "labels BEGINSWITH[c] {'X'}", [3]),
    Fact("Person", "tasks.title LIKE {'?', 'b*'}", [1]),
    Fact("Person", "tasks.title.length == 1", [1, 3, 4]),
    Fact("Task", "assignee.name.length == 4", [5]),
    Fact("Person", "friends.name.length == {3, 3, 3}", [1]),
    Fact("City", "mayor.tasks == {}", []),
    Fact("City", "mayor.@links.Task.assignee != nil", [1, 3]),
    Fact("City", "mayor.friends.tasks == nil", []),
    Fact("City", "mayor.friends.@type == {}", []),
    Fact("City", "mayor.tasks.priority == {1, 5}", [1]),
    Fact("Person", "{1, 5} == tasks.priority", [1]),
    Fact("Person", "{5, 1} == tasks.priority", []),
    Fact("Person", "tasks.priority < {2, 6}", [1]),
    Fact("Person", "boss.tasks.priority != {}", [2, 3, 4]),
  ]

  /// A point behind links, of items, and of each of many objects: ANY where no quantifier is written.
  private static let places: [Fact] = [
    Fact("Person", "home.city.spot IN geoCircle([12.5, 41.9], 10km)", [1]),
    Fact("Person", "ANY @links.City.mayor.spot IN geoBox([0, 40], [15, 55])", [1, 3]),
    Fact("Person", "ALL friends.home.city.spot geoWithin geoCircle([10.75, 59.9], 1km)", [2, 4]),
    Fact("Person", "NONE friends.home.city.spot IN geoCircle([10.75, 59.9], 1km)", [1, 2, 3]),
    Fact("Person", "friends.friends.home.city.spot IN geoCircle([10.75, 59.9], 1km)", [4]),
    Fact("Person", "friends[0].home.city.spot IN geoCircle([10.75, 59.9], 1km)", [4]),
    Fact("Person", "SUBQUERY(friends, $f, $f.age != nil).home.city.spot IN geoCircle([10.75, 59.9], 1km)", [4]),
    Fact("Person", "SUBQUERY(friends, $f, $f.home.city.spot IN geoBox([10, 40], [13, 42])).@count == 1", [3]),
    Fact("Task", "distance(assignee.home.city.spot, [12.5, 41.9]) < 1000", [1, 2]),
  ]

  /// The structs of many objects: one for each, which is nil where the struct or the object is, as values are.
  private static let structs: [Fact] = [
    Fact("Person", "friends.home.@count == 3", [1]),
    Fact("Person", "friends.home.@avg.no == 6", [3]),
    Fact("Person", "friends.home.@distinctUnionOfObjects.no.@count == 2", [3]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h.no > 4).@count == 2", [3]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h == nil).@count == 2", [1]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h.no != 7).@count == 2", [1, 4]),
    Fact("Person", "ANY SUBQUERY(friends.home, $h, $h.no > 4).city.name == 'Rome'", [3]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h.city == object(\"City\", 1)).@max.no == 5", [3]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h.city.spot IN geoBox([10, 40], [13, 42])).@count == 1", [3]),
    Fact("Task", "SUBQUERY(blockers.assignee.home, $h, $h.no == 5).@count == 2", [3]),
    Fact("Task", "SUBQUERY(blockers.assignee.home, $h, $h == nil).@count == 1", [3]),
    Fact("City", "SUBQUERY(people.home, $h, $h.no > 4).@count == 1", [1]),
    Fact("Person", "SUBQUERY(friends.home, $h, $h.no > age).@count == 0", [1, 2, 3, 4]),
    Fact(
      "Person", "SUBQUERY(friends.home, $h, SUBQUERY($h.city.people, $p, $p.age > 25).@count > 0).@count == 1", [3]),
    Fact("Person", "SUBQUERY(@links.City.mayor.spot, $s, distance($s, [12.5, 41.9]) < 1000).@count == 1", [1]),
    Fact("Person", "SUBQUERY(@links.City.mayor.spot, $s, $s geoWithin geoCircle([7.1, 50.7], 1km)).@count == 1", [3]),
    Fact("Person", "SUBQUERY(@links.City.mayor.spot, $s, TRUEPREDICATE) IN geoCircle([7.1, 50.7], 1km)", [3]),
  ]

  /// What stands under a key or at a place in the collection of each of many objects: nil where nothing does.
  private static let items: [Fact] = [
    Fact("Person", "ANY tasks.hours['p'] == 1", [1]),
    Fact("Person", "ANY tasks.hours['p'] == nil", [1]),
    Fact("Person", "tasks.hours['p'] == nil", [1]),
    Fact("Person", "ALL tasks.hours['q'] == nil", [2, 3, 4]),
    Fact("Person", "ANY tasks.hours.@values > 3", [1]),
    Fact("Person", "tasks.hours.@keys CONTAINS 'q'", [1]),
    Fact("Person", "NONE tasks.hours.@keys == 'p'", [2]),
    Fact("Person", "tasks.hours.@keys.@count == 2", [1]),
    Fact("Person", "ANY tasks.labels[0] == 'x'", [1, 3]),
    Fact("Person", "tasks.labels[LAST] CONTAINS 'y'", [1]),
    Fact("Person", "ANY tasks.labels[1] == nil", [1, 3, 4]),
    Fact("Person", "tasks.labels[5].@count == 2", [1]),
    Fact("Person", "tasks.blockers[0].title == 'a'", [1, 3]),
    Fact("Person", "tasks.hours['p'].@count == 2", [1]),
    Fact("Person", "tasks.@sum.hours['p'] == 2", [3]),
    Fact("Person", "tasks.hours['q'].@max == 4", [1]),
    Fact("Person", "SUBQUERY(tasks.hours['p'], $h, $h > 0).@count == 1", [1, 3]),
    Fact("Person", "ANY SUBQUERY(tasks, $t, $t.done).hours['p'] == 0", [4]),
    Fact("Person", "friends.tasks.labels[0] == 'x'", [1, 3]),
    Fact("Person", "ANY friends.friends[0].name == 'Bob'", [3]),
    Fact("Person", "ANY friends.friends[age - 30] == object(\"Person\", 3)", [1]),
    Fact("Task", "ANY blockers.assignee.friends[0] == nil", [3]),
    Fact("Person", "friends.friends[FIRST].home.city.spot IN geoCircle([10.75, 59.9], 1km)", [4]),
  ]

  /// How far each of many points is.
  private static let distances: [Fact] = [
    Fact("Person", "ANY distance(friends.home.city.spot, [12.5, 41.9]) < 1000", [3]),
    Fact("Person", "ALL distance(friends.home.city.spot, [10.75, 59.9]) < 1000", [2, 4]),
    Fact("Person", "NONE distance(friends.friends.home.city.spot, [12.5, 41.9]) < 1000", [2, 4]),
    Fact("Person", "ANY distance([12.5, 41.9], @links.City.mayor.spot) / 1000 BETWEEN {0, 1}", [1]),
    Fact("Person", "ANY distance(friends.home.city.spot, home.city.spot) < 1", [4]),
    Fact("City", "ALL distance(people.friends.home.city.spot, spot) > 1000", [3]),
    Fact("Person", "NONE friends.friends.home.city.spot geoWithin geoCircle([10.75, 59.9], 1km)", [1, 2, 3]),
    Fact("Person", "ALL friends.friends.home.city.spot geoWithin geoCircle([10.75, 59.9], 1km)", [2, 4]),
  ]

  /// A list of objects, of what tells them apart and of nil, all in one.
  private static let mixed: [Fact] = [
    Fact("Task", "assignee IN {object(\"Person\", 1), 'Dora', nil}", [1, 2, 4, 5]),
    Fact("Task", "NOT assignee IN {'Dora', object(\"Person\", 1)}", [3, 4]),
    Fact("Task", "assignee IN NONE {'Dora', object(\"Person\", 1)}", [3, 4]),
    Fact("Task", "assignee IN ALL {'Ann', object(\"Person\", 1)}", [1, 2]),
    Fact("Task", "assignee == ANY {'Dora', object(\"Person\", 1)}", [1, 2, 5]),
    Fact("City", "ANY people IN {'Ann', object(\"Person\", 4)}", [1, 2]),
    Fact("Person", "ALL friends IN {object(\"Person\", 4), 'Cem', nil}", [2, 4]),
    Fact("Task", "ANY blockers.assignee IN {object(\"Person\", 99), nil, 'nobody'}", [3]),
  ]

  static let found =
    structs + items + distances + mixed + places + wholes + paths + backlinks + quantifiers + nilLinks + aggregates
    + subqueries + objects + orders

  // MARK: What is refused

  /// Errors, whatever the data.
  static let refused: [(entity: String, query: String)] = [
    ("Task", "assignee < object(\"Person\", 1)"), ("Task", "assignee == 5"), ("Task", "assignee.nothing == 1"),
    ("Task", "assignee == object(\"City\", 1)"), ("Task", "assignee == object(\"Nobody\", 1)"),
    ("Task", "ANY assignee.name == 'x'"), ("Task", "blockers == 'a'"), ("Task", "ANY blockers == 'a'"),
    ("Person", "tasks.@avg > 3"), ("Person", "tasks.@count.priority > 3"), ("Person", "@links.City.name.@count > 0"),
    ("Person", "@links.Nobody.mayor.@count > 0"), ("Task", "@links.City.mayor.@count > 0"),
    ("Person", "TRUEPREDICATE SORT(boss ASC)"), ("Person", "TRUEPREDICATE SORT(friends ASC)"),
    ("Person", "boss.@count > 0"), ("Person", "SUBQUERY(boss, $b, $b.age > 3).@count > 0"),
    ("Person", "SUBQUERY(friends, $f, $f.nothing > 3).@count > 0"), ("Person", "ANY friends.age > 'x'"),
    ("Person", "ANY home.city.spot IN geoBox([0, 0], [1, 1])"), ("City", "people.name IN geoBox([0, 0], [1, 1])"),
    ("City", "people.home IN geoBox([0, 0], [1, 1])"), ("City", "distance(people.home.city.spot, [0, 0]) < 5"),
    ("City", "ANY distance(people.home.city.spot, people.home.city.spot) < 5"),
    ("City", "ANY distance(people.home, [0, 0]) < 5"), ("City", "ANY distance(people.name, [0, 0]) < 5"),
    ("Person", "tasks[0].title == 'a'"), ("City", "people.tasks[0].title == 'a'"), ("City", "people.boss[0] == nil"),
    ("Person", "tasks.labels['x'] == 'x'"), ("Person", "tasks.hours[0] == 1"), ("Person", "tasks.title[0] == 'a'"),
    ("Person", "tasks.labels.@keys == 'x'"), ("Person", "tasks.labels[0][0] == 'x'"),
    ("Person", "SUBQUERY(friends.home, $h, $h.nothing == 1).@count > 0"),
    ("Person", "SUBQUERY(friends.home, $h, $h == 1).@count > 0"),
    ("Person", "SUBQUERY(friends.home, $h, $h.no == 1).@avg.city > 0"), ("Person", "friends.home.@avg > 0"),
    ("Person", "SUBQUERY(home, $h, $h.no == 1).@count > 0"), ("Task", "assignee IN {'Dora', object(\"City\", 1)}"),
    ("Task", "assignee IN {5, object(\"Person\", 1)}"),
    ("Person", "friends['x'].home.city.spot IN geoBox([0, 0], [1, 1])"),
    ("Person", "SUBQUERY(friends, $f, $g.age > 3).@count > 0"), ("Person", "boss BETWEEN {SELF, SELF}"),
  ]
}
