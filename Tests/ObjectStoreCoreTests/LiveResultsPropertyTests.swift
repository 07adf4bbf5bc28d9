import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// Whatever is written, by two stores on one folder and by another process: the changes that are told lead from the old results to the new ones.
@Suite struct LiveResultsPropertyTests {
  /// Follows results in an array, as an application does.
  private struct Follower<Object: Model> {
    var changes: ResultsChanges<Object>.AsyncIterator
    let query: Results<Object>
    var ids: [ObjectID<Object>] = []
    var values: [ObjectID<Object>: Object] = [:]

    init(_ query: Results<Object>) {
      self.query = query
      changes = query.changes().makeAsyncIterator()
    }

    mutating func begin() async throws {
      guard case .initial(let results)? = try await changes.next() else { throw StoreError.finished }
      ids = try results.ids
      values = try known()
    }

    private func known() throws -> [ObjectID<Object>: Object] {
      Dictionary(
        uniqueKeysWithValues: try query.objects().compactMap { object in object.objectID.map { ($0, object) } })
    }

    /// Takes in what is told of, if the results or their objects are other ones now.
    mutating func follow(exactly: Bool) async throws {
      let (now, new) = (try query.ids, try known())
      let modified = now.indices.filter { place in values[now[place]].map { $0 != new[now[place]] } ?? false }
      if now == ids, modified.isEmpty { return }
      let change = try await changes.next()
      guard case .update(let results, let deletions, let insertions, let modifications, let moves)? = change else {
        throw StoreError.finished
      }
      var applied = ids
      try change?.apply(to: &applied)
      #expect(applied == now)
      for position in (deletions + moves.map(\.from)).sorted(by: >) { ids.remove(at: position) }
      let entering = (insertions + moves.map(\.to)).sorted()
      #expect(Set(entering).count == entering.count)
      for position in entering { ids.insert(now[position], at: position) }
      #expect(ids == now)
      #expect(try results.ids == now)
      #expect(Set(modifications).isSuperset(of: modified))
      if exactly { #expect(modifications.sorted() == modified) }
      (ids, values) = (now, new)
    }
  }

  private let filters = [
    "magnitude > 3", "felt == nil OR felt > 4", "TRUEPREDICATE", "origin != nil AND place.name CONTAINS 'a'",
    "magnitude > 2 SORT(felt DESC, magnitude)", "TRUEPREDICATE SORT(place.name)", "SORT(magnitude) felt > 2",
    "felt != nil SORT(lowercase(place.name) DESC)", "TRUEPREDICATE SORT(magnitude DESC) LIMIT(5)",
    "magnitude > 1 DISTINCT(felt)", "TRUEPREDICATE SORT(felt) SORT(magnitude)", "magnitude < 0",
    "TRUEPREDICATE OFFSET(690)", "felt > 1 SORT(magnitude DESC) OFFSET(3) LIMIT(6)",
    "TRUEPREDICATE SORT(magnitude) LIMIT(60) FILTER(felt > 3)",
    "magnitude > 2 LIMIT(90) FILTER(felt != nil) SORT(felt DESC) OFFSET(4)",
    // Windows that are full, that few writes reach, and that follow each other.
    "TRUEPREDICATE LIMIT(300)", "felt > 2 OFFSET(40) LIMIT(30)", "TRUEPREDICATE SORT(felt) OFFSET(20) LIMIT(200)",
    "magnitude > 3 SORT(place.name, magnitude DESC) LIMIT(40)", "TRUEPREDICATE SORT(magnitude DESC) LIMIT(20) LIMIT(7)",
    "TRUEPREDICATE SORT(felt DESC) OFFSET(2) OFFSET(3) LIMIT(10)", "magnitude > 1 LIMIT(0)",
    "felt > 3 SORT(magnitude) DISTINCT(felt) LIMIT(4)", "TRUEPREDICATE DISTINCT(place.name, felt)",
    "time < now() SORT(magnitude) LIMIT(8)", "time < now() AND felt > 2",
    "felt != nil SORT(TERNARY(time < now(), 0, 1), felt)",
    // Windows that are sometimes full.
    "magnitude > 6.9 LIMIT(20)", "magnitude > 6.9 SORT(felt DESC, magnitude) LIMIT(20)", "magnitude > 9 LIMIT(4)",
    "magnitude > 6.9 SORT(place.name) LIMIT(30) LIMIT(20)", "magnitude > 6.9 OFFSET(2) LIMIT(20)",
  ]

  /// A statement that changes some of the quakes, for another process.
  private static func statement(_ random: inout Numbers, _ number: inout Int) -> String {
    let code = "q\(Int.random(in: 0..<number, using: &random))"
    let value = Int.random(in: 0..<12, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      number += 1
      return """
        INSERT Quake {"code": "p\(number)", "magnitude": \(value), "time": "2001-01-01T00:00:00Z", "felt": \(value),
          "place": {"name": "Alaska", "longitude": 0, "latitude": 0}}
        """
    case 1: return "DELETE Quake WHERE code == '\(code)'"
    case 2: return "UPDATE Quake SET felt = \(value == 0 ? "nil" : "\(value)") WHERE code == '\(code)'"
    case 3: return "UPDATE Quake SET felt = felt + 1 WHERE felt == \(value) AND magnitude > 5"
    case 4: return "UPDATE Quake SET place.name = 'Ararat' WHERE code == '\(code)'"
    default: return "UPDATE Quake SET magnitude = \(value) WHERE code == '\(code)'"
    }
  }

  @Test func randomWrites() async throws {
    var random = Numbers(testSeed())
    let folder = try TemporaryFolder()
    let path = folder.path("quakes")
    let (here, there) = (try Store(path, models: Quake.self), try Store(path, models: Quake.self))
    func write(_ store: Store, _ body: (WriteTransaction) throws -> Void) throws { try store.write(body) }
    try write(here) { tx in _ = try tx.add((0..<700).map { Quake("q\($0)", Double($0 % 50) / 7, felt: $0 % 9) }) }
    var followers: [Follower<Quake>] = []
    for filter in filters {
      var follower = Follower(
        filter.hasPrefix("SORT(magnitude) ")
          ? try here.objects(Quake.self).sorted(by: \.magnitude).filter(String(filter.dropFirst(16)))
          : try here.objects(Quake.self).filter(filter))
      try await follower.begin()
      followers.append(follower)
    }
    var number = 700
    for step in 0..<40 {
      let isLarge = step == 20
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try write(Bool.random(using: &random) ? here : there) { tx in
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            let id = ObjectID<Quake>(ObjectNumber(UInt64.random(in: 1...UInt64(number), using: &random)))
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
              number += 1
              try tx.add(Quake("q\(number)", Double.random(in: 0...9, using: &random), in: Place("Alaska")))
            case 1: try tx.delete(id)
            default:
              guard try tx.object(id) != nil else { continue }
              let value = Int.random(in: 0..<12, using: &random)
              switch Int.random(in: 0..<5, using: &random) {
              case 0: try tx.update(id) { $0.magnitude = Double(value) }
              case 1: try tx.update(id) { $0.felt = value == 0 ? nil : value }
              case 2: try tx.update(id) { $0.place.name = ["Bali", "alaska", "Ararat", "Oz"][value % 4] }
              case 3: try tx.update(id) { $0.origin = value % 2 == 0 ? nil : Place("o") }
              default: try tx.update(id) { $0.time = value == 0 ? .distantFuture : $0.time + 1 }
              }
            }
          }
          if isLarge { try tx.update(tx.objects(Quake.self)) { $0.felt = ($0.felt ?? 0) % 5 + 1 } }
        }
      }
      if step % 3 == 0 { try OtherProcess.run(Self.statement(&random, &number), on: path) }
      for index in followers.indices { try await followers[index].follow(exactly: true) }
    }
    // So many values at once that nobody knows which.
    try write(here) { tx in
      _ = try tx.add((0..<3_000).map { Quake("x\($0)", Double($0 % 11)) })
      try tx.update(tx.objects(Quake.self).filter("code != 'q5'")) {
        $0.felt = 3
        $0.time += 1
      }
    }
    for index in followers.indices { try await followers[index].follow(exactly: false) }
  }

  /// A statement that changes some people, tasks or projects, for another process.
  private static func statementAboutLinks(_ random: inout Numbers) -> String {
    let (value, task) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<60, using: &random))
    let letter = ["a", "b", "c"][value % 3]
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "UPDATE Person SET name = '\(letter)\(value % 4)' WHERE name ENDSWITH '\(value % 4)'"
    case 1: return "UPDATE Person SET mentor = nil WHERE name ENDSWITH '\(value % 4)'"
    case 2: return "UPDATE Project SET name = '\(letter)' WHERE ANY tasks.name == 't\(task)'"
    case 3: return "UPDATE Task SET owner = nil WHERE name == 't\(task)'"
    case 4: return "UPDATE Task SET priority = \(value) WHERE owner.name ENDSWITH '\(value % 4)' AND priority < 3"
    case 5: return "DELETE Task WHERE name == 't\(task)'"
    case 6: return "INSERT Project {\"name\": \"\(letter)\"}"
    default: return "UPDATE Task SET priority = \(value) WHERE name == 't\(task)'"
    }
  }

  @Test func throughLinks() async throws {
    var random = Numbers(testSeed())
    let folder = try TemporaryFolder()
    let path = folder.path("works")
    let store = try Store(path, models: Project.self, Task.self, Person.self)
    let other = try Store(path, models: Project.self, Task.self, Person.self)
    func write<R>(to store: Store, _ body: (WriteTransaction) throws -> R) throws -> R { try store.write(body) }
    let people = try write(to: store) { tx in try tx.add((0..<4).map { Person("p\($0)") }) }
    let tasks = try write(to: other) { tx in
      try tx.add((0..<60).map { Task("t\($0)", priority: $0 % 7, owner: $0 % 5 == 4 ? nil : Link(people[$0 % 4])) })
    }
    let projects = try write(to: store) { tx in
      try tx.add(
        (0..<5).map { place in
          Project("x\(place)", tasks: List(tasks.filter { $0.number.rawValue % 5 == UInt64(place) }))
        })
    }
    let all = store.objects(Task.self)
    var followers = [
      Follower(try all.filter("owner.name BEGINSWITH 'a'")), Follower(try all.sorted(by: "owner.name, priority DESC")),
      Follower(try all.filter("ANY projects.name == 'a' AND priority > 2")),
      Follower(try all.filter("projects.@count > 1 SORT(priority)")),
      Follower(try all.filter("owner.name BEGINSWITH 'a' SORT(priority DESC) LIMIT(3)")),
      Follower(try all.filter("TRUEPREDICATE SORT(owner.name, priority) OFFSET(2) LIMIT(9)")),
      Follower(try all.filter("TRUEPREDICATE SORT(priority) LIMIT(20) FILTER(ANY projects.name == 'a')")),
      Follower(try all.filter("owner.name BEGINSWITH 'c' SORT(owner.name, priority DESC) LIMIT(25)")),
      Follower(try all.filter("owner.mentor.name BEGINSWITH 'b' SORT(owner.mentor.name DESC, priority) LIMIT(12)")),
      Follower(try all.filter("NONE projects.name == 'b' LIMIT(10)")),
      Follower(try all.filter("SUBQUERY(projects.tasks, $t, $t.priority > 5).@count > 1 SORT(owner.tasks.@count)")),
      Follower(try all.filter("projects.@count > 0 AND owner.tasks.@max.priority == priority")),
      Follower(try all.filter("TRUEPREDICATE DISTINCT(owner.name)")),
      Follower(try all.filter("owner == nil OR owner.friends.@count > 1")),
    ]
    let everybody = store.objects(Person.self)
    var friends = [
      Follower(try everybody.filter("mentor.mentor.name BEGINSWITH 'a' OR ANY friends.name BEGINSWITH 'a'")),
      Follower(try everybody.filter("ANY tasks.projects.name == 'a' SORT(tasks.@count DESC)")),
      Follower(try everybody.filter("friends.@count > 0 SORT(mentor.name) LIMIT(2)")),
    ]
    var linked = Follower(try store.objects(Project.self).filter("ANY tasks.priority > 5 AND tasks.@sum.priority < 40"))
    for index in followers.indices { try await followers[index].begin() }
    for index in friends.indices { try await friends[index].begin() }
    try await linked.begin()
    for step in 0..<90 {
      let task = tasks.randomElement(using: &random) ?? tasks[0]
      let project = projects.randomElement(using: &random) ?? projects[0]
      let value = Int.random(in: 0..<8, using: &random)
      try write(to: Bool.random(using: &random) ? store : other) { tx in
        switch Int.random(in: 0..<10, using: &random) {
        case 7: try tx.update(people[value % 4]) { $0.mentor = value < 4 ? Link(people[(value + 1) % 4]) : nil }
        case 8: try tx.update(people[value % 4]) { $0.friends = List(value % 3 == 0 ? [] : [people[value / 2]]) }
        case 9:
          try tx.add(Task("new", priority: value, owner: Link(people[value % 4])))
          if try tx.object(task) != nil {
            try tx.add(Project(["a", "b", "c"][value % 3], tasks: List([task])))
          }
        case 0: try tx.update(people[value % 4]) { $0.name = ["a", "b", "c"][value % 3] + "\(value % 4)" }
        case 1: try tx.update(project) { $0.name = ["a", "b", "c"][value % 3] }
        case 2: if try tx.object(task) != nil { try tx.update(project) { $0.tasks.append(task) } }
        case 3: try tx.update(project) { if !$0.tasks.isEmpty { $0.tasks.removeLast() } }
        case 4:
          if try tx.object(task) != nil {
            try tx.update(task) { $0.owner = value == 0 ? nil : Link(people[value % 4]) }
          }
        case 5: if value == 0 { try tx.delete(task) }
        default: if try tx.object(task) != nil { try tx.update(task) { $0.priority = value } }
        }
      }
      if step % 3 == 0 { try OtherProcess.run(Self.statementAboutLinks(&random), on: path) }
      for index in followers.indices { try await followers[index].follow(exactly: true) }
      for index in friends.indices { try await friends[index].follow(exactly: true) }
      try await linked.follow(exactly: true)
    }
  }
}
