import Foundation
import ObjectStoreCore

/// How times grow with the number of objects: scans in proportion to it, look-ups in indexes with its logarithm at most.
struct Growth {
  let folder: URL
  /// The most objects.
  let most: Int
  let repetitions: Int

  /// What is asked, by name; the argument is the number of objects.
  private static let questions: [(name: String, isScan: Bool, ask: @Sendable (Store, Int) throws -> Int)] = [
    (
      "place CONTAINS 'Alaska'", true,
      { store, _ in try store.objects("Quake").filter("place CONTAINS 'Alaska'").count }
    ),
    ("full sort by magnitude", true, { store, _ in try store.objects("Quake").sorted(by: "magnitude").ids.count }),
    (
      "GROUP BY type", true,
      { store, _ in
        guard case .rows(let rows) = try store.run("Quake GROUP BY type SELECT type, @count AS n") else { return 0 }
        return try rows.rows().count
      }
    ),
    ("magnitude * 2 + 1 > 11", true, { store, _ in try store.objects("Quake").filter("magnitude * 2 + 1 > 11").count }),
    ("depth > 300", true, { store, _ in try store.objects("Quake").filter("depth > 300").count }),
    (
      "code == '…', indexed", false,
      { store, objects in
        return try store.objects("Quake").filter("code == %@", QuakeRow.code(of: objects / 2)).count
      }
    ),
    (
      "ten by time, indexed", false,
      { store, objects in
        // As many hits whatever the number of objects.
        let seconds = 10 * 365 * 86_400 / Double(objects)
        let start = 510_019_200.0
        return try store.objects("Quake").filter(
          "time BETWEEN {%@, %@}", Date(timeIntervalSinceReferenceDate: start),
          Date(timeIntervalSinceReferenceDate: start + seconds)
        ).count
      }
    ),
    (
      "SORT(time) LIMIT(10), indexed", false,
      { store, _ in
        try store.objects("Quake").sorted(by: "time").limit(10).ids.count
      }
    ),
  ]

  func measure() throws -> (Plot, [ColdStarts.Outcome]) {
    var coldStarts: [ColdStarts.Outcome] = []
    var series = Self.questions.map { Plot.Series(name: $0.name, isScan: $0.isScan) }
    var objects = 10_000
    while objects <= most {
      say("\(objects) objects …")
      let place = folder.appendingPathComponent("\(objects)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: place) }
      let store = try load(objects, into: place.appendingPathComponent(Self.storeName))
      for (index, question) in Self.questions.enumerated() {
        let time = try median(repetitions) { blackHole(try question.ask(store, objects)) } / 1e3
        series[index].points.append((Double(objects), time))
      }
      try withExtendedLifetime(store) { coldStarts.append(try start(objects, in: place)) }
      objects *= 10
    }
    return (Plot(title: "Time by number of objects, both by powers of ten", series: series), coldStarts)
  }

  /// What new processes pay, beside SQLite with the same objects and indexes.
  private func start(_ objects: Int, in place: URL) throws -> ColdStarts.Outcome {
    let sqlite = try SQLiteSide(folder: place)
    try sqlite.load(quakes(objects))
    try sqlite.makeIndexes(["code", "time"])
    try sqlite.checkpoint()
    return try withExtendedLifetime(sqlite) {
      try ColdStarts(
        store: place.appendingPathComponent(Self.storeName), sqlite: place.appendingPathComponent(SQLiteSide.fileName),
        objects: objects, processes: 3 * repetitions
      ).outcome()
    }
  }

  private static let storeName = "quakes.store"

  /// So many earthquakes, which are not kept in memory.
  private func quakes(_ count: Int) -> some Sequence<QuakeRow> {
    var generator = QuakeGenerator()
    return (0..<count).lazy.map { _ in generator.next() }
  }

  /// A store of so many earthquakes.
  private func load(_ objects: Int, into place: URL) throws -> Store {
    let store = try Store(place, models: StoredQuake.self)
    try store.write { tx in for quake in quakes(objects) { try tx.add(StoredQuake(quake)) } }
    var schema = try store.schema
    guard let entity = schema.entities.firstIndex(where: { $0.name == "Quake" }) else { return store }
    schema.entities[entity].indexes = [Index(kind: .unique, paths: ["code"]), Index(paths: ["time"])]
    try store.declare(schema)
    return store
  }
}
