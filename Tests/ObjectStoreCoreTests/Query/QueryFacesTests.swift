import Foundation
import ObjectStoreCore
import Testing

/// What a text, an expression in Swift and a predicate of Foundation can all say is one query: equal trees, equal rows.
@Suite struct QueryFacesTests {
  struct Faces<Object: Model>: Sendable, CustomTestStringConvertible {
    let text: String
    let expression: Query<Object>
    let predicate: Predicate<Object>
    let count: Int

    init(
      _ text: String, _ expression: @Sendable (QueryExpression<Object>) -> QueryExpression<Bool>,
      _ predicate: Predicate<Object>, _ count: Int
    ) {
      self.text = text
      self.expression = Query(expression)
      self.predicate = predicate
      self.count = count
    }

    var testDescription: String { text }
  }

  static let quakes: [Faces<Quake>] = [
    Faces("magnitude > 5.0", { $0.magnitude > 5 }, #Predicate { $0.magnitude > 5 }, 2),
    Faces("magnitude == 2.5", { $0.magnitude == 2.5 }, #Predicate { $0.magnitude == 2.5 }, 2),
    Faces("2.5 <= magnitude", { 2.5 <= $0.magnitude }, #Predicate { 2.5 <= $0.magnitude }, 4),
    Faces("felt == nil", { $0.felt == nil }, #Predicate { $0.felt == nil }, 2),
    Faces("felt != 3", { $0.felt != 3 }, #Predicate { $0.felt != 3 }, 3),
    Faces("origin.name == 'Napa'", { $0.origin.name == "Napa" }, #Predicate { $0.origin?.name == "Napa" }, 1),
    Faces(
      "place.name CONTAINS 'a' AND NOT code == 'us1'", { $0.place.name.contains("a") && !($0.code == "us1") },
      #Predicate { $0.place.name.contains("a") && !($0.code == "us1") }, 4),
    Faces(
      "code BEGINSWITH 'us' OR magnitude < 2.0", { $0.code.starts(with: "us") || $0.magnitude < 2 },
      #Predicate { $0.code.starts(with: "us") || $0.magnitude < 2 }, 3),
    Faces(
      "place.name CONTAINS[cd] 'ALÄSKA'",
      { $0.place.name.contains("ALÄSKA", options: [.caseInsensitive, .diacriticInsensitive]) },
      #Predicate { $0.place.name.localizedStandardContains("ALÄSKA") }, 2),
    Faces(
      "code IN {'us1', 'us4'}", { $0.code.in(["us1", "us4"]) }, #Predicate { ["us1", "us4"].contains($0.code) }, 2),
    Faces(
      "magnitude BETWEEN {2.0, 3.0}", { $0.magnitude.contains(2...3) },
      #Predicate { (2.0...3.0).contains($0.magnitude) }, 2),
    Faces(
      "magnitude >= 2.5 AND magnitude < 5.1", { $0.magnitude >= 2.5 && $0.magnitude < 5.1 },
      #Predicate { $0.magnitude >= 2.5 && $0.magnitude < 5.1 }, 2),
    // A range is one condition, also of a collection, so its end becomes the last value before it.
    Faces(
      "magnitude BETWEEN {2.5, \(5.1.nextDown)}", { $0.magnitude.contains(2.5..<5.1) },
      #Predicate { (2.5..<5.1).contains($0.magnitude) }, 2),
    Faces(
      "magnitude * 2.0 + 1.0 > 6.0", { $0.magnitude * 2 + 1 > 6 }, #Predicate { $0.magnitude * 2 + 1 > 6 }, 2),
    Faces("length(code) == 3", { $0.code.count == 3 }, #Predicate { $0.code.count == 3 }, 5),
  ]

  static let arithmetic: [Faces<Quake>] = [
    Faces("magnitude / 2.0 > 1.25", { $0.magnitude / 2 > 1.25 }, #Predicate { $0.magnitude / 2 > 1.25 }, 2),
    Faces("-magnitude < -5.0", { -$0.magnitude < -5 }, #Predicate { -$0.magnitude < -5 }, 2),
    Faces(
      "place.longitude - 1.0 < -magnitude - 100.0", { $0.place.longitude - 1 < -$0.magnitude - 100 },
      #Predicate { $0.place.longitude - 1 < -$0.magnitude - 100 }, 4),
  ]

  static let optionals: [Faces<Quake>] = [
    Faces("origin == nil", { $0.origin == nil }, #Predicate { $0.origin == nil }, 3),
    Faces("origin != nil", { $0.origin != nil }, #Predicate { $0.origin != nil }, 2),
    Faces("origin.name == nil", { $0.origin.name == nil }, #Predicate { $0.origin?.name == nil }, 3),
    Faces(
      "felt != nil AND felt > 3", { $0.felt != nil && $0.felt > 3 },
      #Predicate {
        if let felt = $0.felt { return felt > 3 } else { return false }
      }, 1),
    Faces(
      "origin != nil AND origin.name BEGINSWITH 'A'", { $0.origin != nil && $0.origin.name.starts(with: "A") },
      #Predicate {
        if let origin = $0.origin { return origin.name.starts(with: "A") } else { return false }
      }, 1),
  ]

  static let times: [Faces<Quake>] = {
    let (from, to) = (Date(timeIntervalSinceReferenceDate: 200), Date(timeIntervalSinceReferenceDate: 400))
    return [
      Faces("time > 2001-01-01@00:03:20", { $0.time > from }, #Predicate { $0.time > from }, 3),
      Faces("time == 2001-01-01@00:06:40", { $0.time == to }, #Predicate { $0.time == to }, 1),
      Faces(
        "time BETWEEN {2001-01-01@00:03:20, 2001-01-01@00:06:40}", { $0.time.contains(from...to) },
        #Predicate { (from...to).contains($0.time) }, 3),
      Faces(
        "time >= 2001-01-01@00:03:20 AND time < 2001-01-01@00:06:40", { $0.time >= from && $0.time < to },
        #Predicate { $0.time >= from && $0.time < to }, 2),
    ]
  }()

  /// Truth values and sets.
  static let tasks: [Faces<Task>] = [
    Faces("isComplete", { $0.isComplete }, #Predicate { $0.isComplete }, 8),
    Faces("isComplete == true", { $0.isComplete == true }, #Predicate { $0.isComplete == true }, 8),
    Faces(
      "NOT isComplete AND priority > 5", { !$0.isComplete && $0.priority > 5 },
      #Predicate { !$0.isComplete && $0.priority > 5 }, 2),
    Faces("labels CONTAINS 'bug'", { $0.labels.contains("bug") }, #Predicate { $0.labels.contains("bug") }, 1),
    Faces("ratings CONTAINS 3", { $0.ratings.contains(3) }, #Predicate { $0.ratings.contains(3) }, 7),
    Faces("ratings.@count == 2", { $0.ratings.count == 2 }, #Predicate { $0.ratings.count == 2 }, 2),
    Faces("ratings.@count == 0", { $0.ratings.isEmpty }, #Predicate { $0.ratings.isEmpty }, 3),
    Faces("NOT labels.@count == 0", { !$0.labels.isEmpty }, #Predicate { !$0.labels.isEmpty }, 2),
  ]

  /// Ranges, whole numbers, and conditions on each element.
  static let ranges: [Faces<Task>] = [
    Faces(
      "priority BETWEEN {2, 6}", { $0.priority.contains(2..<7) }, #Predicate { (2..<7).contains($0.priority) }, 5),
    // An empty range contains nothing.
    Faces(
      "priority BETWEEN {nil, nil}", { $0.priority.contains(7..<7) }, #Predicate { (7..<7).contains($0.priority) }, 0),
    Faces("priority / 2 == 3", { $0.priority / 2 == 3 }, #Predicate { $0.priority / 2 == 3 }, 1),
    Faces(
      "modulus:by:(priority, 2) == 1", { $0.priority % 2 == 1 }, #Predicate { $0.priority % 2 == 1 }, 6),
    Faces("-priority < -8", { -$0.priority < -8 }, #Predicate { -$0.priority < -8 }, 2),
    Faces("assignee == nil", { $0.assignee == nil }, #Predicate { $0.assignee == nil }, 7),
    Faces("ANY ratings > 2", { $0.ratings.any { $0 > 2 } }, #Predicate { $0.ratings.contains { $0 > 2 } }, 8),
    Faces("ALL ratings < 4", { $0.ratings.all { $0 < 4 } }, #Predicate { $0.ratings.allSatisfy { $0 < 4 } }, 10),
    Faces(
      "ANY labels == 'bug'", { $0.labels.any { $0 == "bug" } }, #Predicate { $0.labels.contains { $0 == "bug" } }, 1),
    Faces(
      "ANY labels CONTAINS 'u'", { $0.labels.any { $0.contains("u") } },
      #Predicate { $0.labels.contains { $0.contains("u") } }, 2),
  ]

  /// Enums, arrays and sets of them, and arrays of structs.
  static let chores: [Faces<Chore>] = {
    let (open, done, high) = (Status.open, Status.done, Rank.high)
    return [
      Faces("status == 'open'", { $0.status == .open }, #Predicate { $0.status == open }, 2),
      Faces("status != 'open'", { $0.status != .open }, #Predicate { $0.status != open }, 2),
      Faces("rank == 1", { $0.rank == .high }, #Predicate { $0.rank == high }, 1),
      Faces("rank == nil", { $0.rank == nil }, #Predicate { $0.rank == nil }, 1),
      Faces("history CONTAINS 'open'", { $0.history.contains(.open) }, #Predicate { $0.history.contains(open) }, 1),
      Faces("history.@count == 3", { $0.history.count == 3 }, #Predicate { $0.history.count == 3 }, 1),
      Faces("history.@count == 0", { $0.history.isEmpty }, #Predicate { $0.history.isEmpty }, 3),
      Faces("wanted CONTAINS 'open'", { $0.wanted.contains(.open) }, #Predicate { $0.wanted.contains(open) }, 1),
      Faces("wanted.@count > 1", { $0.wanted.count > 1 }, #Predicate { $0.wanted.count > 1 }, 1),
      Faces("steps.@count == 2", { $0.steps.count == 2 }, #Predicate { $0.steps.count == 2 }, 1),
      Faces("steps.@count == 0", { $0.steps.isEmpty }, #Predicate { $0.steps.isEmpty }, 3),
      Faces(
        "ANY steps.status == 'done'", { $0.steps.any { $0.status == .done } },
        #Predicate { $0.steps.contains { $0.status == done } }, 1),
      Faces(
        "ALL steps.status == 'done'", { $0.steps.all { $0.status == .done } },
        #Predicate { $0.steps.allSatisfy { $0.status == done } }, 3),
      Faces(
        "SUBQUERY(steps, $t, $t.status == 'done' AND $t.title != '').@count > 0",
        { $0.steps.any { $0.status == .done && $0.title != "" } },
        #Predicate { $0.steps.contains { $0.status == done && $0.title != "" } }, 1),
      Faces(
        "SUBQUERY(steps, $t, NOT ($t.status == 'done' OR $t.title == '')).@count == 0",
        { $0.steps.all { $0.status == .done || $0.title == "" } },
        #Predicate { $0.steps.allSatisfy { $0.status == done || $0.title == "" } }, 3),
    ]
  }()

  @Test(arguments: quakes + arithmetic + optionals) func areOne(_ faces: Faces<Quake>) throws {
    try Self.compare(faces, in: try Quake.store())
  }

  @Test(arguments: times) func ofTimesAreOne(_ faces: Faces<Quake>) throws {
    try Self.compare(faces, in: try Quake.store())
  }

  @Test(arguments: tasks + ranges) func ofTruthAndSetsAreOne(_ faces: Faces<Task>) throws {
    try Self.compare(faces, in: try Project.store())
  }

  @Test(arguments: chores) func ofEnumsAndArraysAreOne(_ faces: Faces<Chore>) throws {
    try Self.compare(faces, in: try Chore.store())
  }

  /// One meaning, several trees: what each says has no other form in the others. Only the rows are the same.
  @Test func whatIsSaidInAnotherWayFindsTheSame() throws {
    let tasks = try Project.store().objects(Task.self)
    func expect(
      _ text: String, _ expression: Query<Task>, _ predicate: Predicate<Task>, _ count: Int,
      at location: SourceLocation = #_sourceLocation
    ) throws {
      let found = try tasks.filter(text).ids
      #expect(found.count == count, sourceLocation: location)
      #expect(try tasks.filter(expression).ids == found, sourceLocation: location)
      #expect(try tasks.filter(predicate).ids == found, sourceLocation: location)
    }
    // An argument that is a range has only its bounds, a range whose bounds are properties has no constant end.
    let range = 2..<7
    #expect(try Query<Task>(#Predicate { range.contains($0.priority) }) == Query("priority BETWEEN %@", range))
    try expect(
      "priority >= 2 AND priority < progressMinutes",
      Query { $0.priority >= 2 && $0.priority < $0.progressMinutes },
      #Predicate { $0.priority >= 2 && $0.priority < $0.progressMinutes }, 4)
    // Swift compares a constant with a property in the order written; BETWEEN is of the text only.
    try expect(
      "progressMinutes BETWEEN {priority, 100}",
      Query { $0.priority <= $0.progressMinutes && $0.progressMinutes <= 100 },
      #Predicate { ($0.priority...100).contains($0.progressMinutes) }, 8)
    // A closure with ?? has no counterpart in `where`, which says it by its two cases.
    try expect(
      "TERNARY(assignee != nil, assignee, '') == ''", Query { $0.assignee == nil || $0.assignee == "" },
      #Predicate { ($0.assignee ?? "") == "" }, 7)
    // A condition that may be nil is compared with nil by whether there is a value.
    try expect(
      "NOT assignee BEGINSWITH 'Al'", Query { !$0.assignee.starts(with: "Al") },
      #Predicate { !($0.assignee?.starts(with: "Al") ?? false) }, 7)
  }

  private static func compare<Object>(_ faces: Faces<Object>, in store: Store) throws {
    let text = try Query<Object>(faces.text)
    let predicate = try Query(faces.predicate)
    #expect(text == faces.expression, "\(faces.expression)")
    #expect(text == predicate, "\(predicate)")
    // What #query makes of the text.
    #expect(text == Query<Object>(checked: faces.text, []))
    let results = store.objects(Object.self)
    let objects = try results.objects()
    for query in [text, faces.expression, predicate] {
      let found = try results.filter(query)
      #expect(try found.count == faces.count)
      #expect(try objects.filter { try query.matches($0) } == found.objects())
      #expect(try Query<Object>(query.predicateFormat) == query)
    }
  }
}
