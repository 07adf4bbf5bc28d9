import Foundation
import ObjectStoreCore

/// Searches of parts of the places of earthquakes by a trigram index, how long it takes to build, and how large it is.
struct TrigramQuestions {
  private let store: Store
  private let places: [String?]
  private let buildTime: Double
  private let objects: Int

  private static let plain = Schema(entities: [
    Entity(name: "Place", properties: [Property(name: "place", type: .scalar(.string), isOptional: true)])
  ])
  private static var indexed: Schema {
    var schema = plain
    schema.entities[0].indexes = [Index(kind: .trigram, paths: ["place"])]
    return schema
  }

  init(_ quakes: [QuakeRow], folder: URL) throws {
    places = quakes.map(\.place)
    objects = max(1, quakes.count)
    let file = folder.appendingPathComponent("trigrams.store").path
    do {
      let store = try Store.openDynamic(file, mode: .create, schema: Self.plain)
      try store.write { [places] tx in
        let inserter = try tx.inserter(for: "Place")
        for place in places { _ = try inserter.append([place.map { .string($0) } ?? .null]) }
      }
    }
    let start = ContinuousClock.now
    store = try Store.openDynamic(file, mode: .create, schema: Self.indexed)
    let elapsed = start.duration(to: .now).components
    buildTime = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
  }

  func rows(repetitions: Int) throws -> [Row] {
    var rows = try [
      question("place CONTAINS[c] \"alaska\"", goal: 1, repetitions) {
        $0.range(of: "alaska", options: .caseInsensitive) != nil
      },
      question("place CONTAINS \"Alaska\"", repetitions) { $0.contains("Alaska") },
      question("place LIKE[c] \"*alaska\"", repetitions) { $0.lowercased().hasSuffix("alaska") },
      question("place MATCHES \".*of Alaska.*\"", repetitions) { $0.contains("of Alaska") },
      question("place CONTAINS[cd] \"NE OF A\"", repetitions) { $0.lowercased().contains("ne of a") },
      question("place CONTAINS[c] \"qqqq\"", repetitions) { $0.contains("qqqq") },
    ]
    let bytes = try store.statistics().indexes.reduce(0) { $0 + $1.bytes }
    rows.append(
      Row(
        row: "size of the trigram index, an object", unit: "bytes", ours: Double(bytes) / Double(objects),
        isQuery: false))
    rows.append(Row(row: "building the trigram index", unit: "ms", ours: buildTime, isQuery: false))
    return rows
  }

  private func question(
    _ filter: String, goal: Double? = nil, _ repetitions: Int, _ expected: (String) -> Bool
  ) throws -> Row {
    let found = try store.objects("Place").filter(filter)
    let count = places.count { $0.map(expected) ?? false }
    guard try found.count == count else {
      throw DifferentAnswers(description: "\(filter): \(try found.count), Foundation \(count)")
    }
    let time = try median(repetitions) { _ = try store.objects("Place").filter(filter).count }
    return Row(
      row: "count \(filter), trigram index", unit: "ms", ours: time / 1e6, goal: objects == 1_000_000 ? goal : nil)
  }
}
