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
        let code = "us\(String(objects / 2 + 100_000, radix: 36))"
        return try store.objects("Quake").filter("code == %@", code).count
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

  func measure() throws -> Plot {
    var series = Self.questions.map { Plot.Series(name: $0.name, isScan: $0.isScan) }
    var objects = 10_000
    while objects <= most {
      say("\(objects) objects …")
      let store = try load(objects)
      for (index, question) in Self.questions.enumerated() {
        let time = try median(repetitions) { blackHole(try question.ask(store, objects)) } / 1e3
        series[index].points.append((Double(objects), time))
      }
      objects *= 10
    }
    return Plot(title: "Time by number of objects, both by powers of ten", series: series)
  }

  /// A store of so many earthquakes, which are not kept in memory.
  private func load(_ objects: Int) throws -> Store {
    let place = folder.appendingPathComponent("\(objects).store")
    let store = try Store(place, models: StoredQuake.self)
    var generator = QuakeGenerator()
    try store.write { tx in for _ in 0..<objects { try tx.add(StoredQuake(generator.next())) } }
    var schema = try store.schema
    guard let entity = schema.entities.firstIndex(where: { $0.name == "Quake" }) else { return store }
    schema.entities[entity].indexes = [Index(kind: .unique, paths: ["code"]), Index(paths: ["time"])]
    try store.declare(schema)
    return store
  }
}
