import Foundation
import ObjectStore
import Testing

/// The example of the front page, as people will write it.
@Suite struct ExampleTests {
  @Sendable private func quake(_ number: Int) -> Quake {
    Quake(
      code: "q\(number)", magnitude: Double(number % 80) / 10,
      time: Date(timeIntervalSinceReferenceDate: Double(number)),
      location: Location(name: number.isMultiple(of: 3) ? "Alaska" : "Chile", longitude: -70, latitude: -30))
  }

  @Test func earthquakesEndToEnd() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quakes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(folder, models: Quake.self)
    let id = try await store.write { tx in
      for number in 1...1000 { try tx.add(quake(number)) }
      return try tx.add(quake(1001))
    }
    try await store.write { tx in try tx.update(id) { $0.magnitude = 9.5 } }

    let text = "chile"
    let strong = try store.objects(Quake.self).filter("magnitude > 5 AND location.name CONTAINS[c] %@", text)
    #expect(try strong.count > 100)
    for quake in try strong.sorted(by: \.time, .reverse).limit(20).objects() { #expect(quake.magnitude > 5) }
    #expect(try strong.max(of: \.magnitude) == 9.5)
    #expect(try strong.sorted(by: \.magnitude, .reverse).first?.objectID == id)
    #expect(try strong[3].location.name == "Chile")
    #expect(try strong.ids.count == strong.count)
    try strong.forEach { quake in #expect(quake.location.name == "Chile") }

    let cutoff = Date(timeIntervalSinceReferenceDate: 900)
    try await store.write { tx in _ = try tx.delete(tx.objects(Quake.self).filter("time < %@", cutoff)) }
    #expect(try store.objects(Quake.self).count == 102)
    #expect(try store.check().isWhole)
  }
}

extension ExampleTests {
  @Test func tripsAndTheirStops() throws {
    #expect(Trip.modelDefinition.entity.property(named: "stops")?.type == .embeddedList("Stop"))
    let store = try Store.inMemory(Trip.self)
    let here = Location(name: "Ulm", longitude: 10, latitude: 48.4)
    let trip = Trip(code: "a", stops: [Stop(name: "x", minutes: 6, location: here), Stop(name: "y")])
    try store.write { tx in
      try tx.add(trip)
      try tx.add(Trip(code: "b", stops: [Stop(name: "x", minutes: 3), Stop(name: "y", minutes: 9)]))
    }
    let slow = try store.objects(Trip.self).filter(
      "SUBQUERY(stops, $s, $s.name == %@ AND $s.minutes > 5).@count > 0", "x")
    #expect(try slow.objects() == [trip])
    #expect(try store.objects(Trip.self).filter("ANY stops.location.name == 'Ulm'").count == 1)
  }

  @Test func projectsAndTheirTasks() throws {
    let store = try Store.inMemory(Task.self, Project.self)
    try store.write { tx in
      _ = try tx.add(Project(name: "New", tasks: [Task(assignee: "Alex", priority: 5)]))
    }
    let busy = try store.objects(Project.self)
      .filter("SUBQUERY(tasks, $t, $t.isComplete == false AND $t.assignee == %@).@count > 0", "Alex")
    for project in try busy.objects() {
      #expect(project.name == "New")
      #expect(try project.tasks.results.sorted(by: \.priority, .reverse).first?.priority == 5)
    }
    #expect(try busy.count == 1)
  }
}
