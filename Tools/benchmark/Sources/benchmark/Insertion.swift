import Foundation
import ObjectStoreCore

/// How fast rows of five properties go in: through models, and from a file by the command.
struct Insertion {
  var folder: URL

  func run(_ quakes: [QuakeRow]) throws -> [Row] {
    let models = quakes.map(SmallQuake.init)
    let store = try Store(
      folder.appendingPathComponent("small.store").path, models: SmallQuake.self)
    let plain = try seconds(
      ContinuousClock().measure {
        try store.write { tx in for quake in models { try tx.add(quake) } }
      })

    let indexed = try Store(
      folder.appendingPathComponent("indexed.store").path, models: SmallQuake.self)
    var schema = try indexed.schema
    schema.entities[0].indexes = [Index(paths: ["magnitude"]), Index(paths: ["time"])]
    try indexed.declare(schema)
    let two = try seconds(
      ContinuousClock().measure {
        try indexed.write { tx in for quake in models { try tx.add(quake) } }
      })
    let count = Double(quakes.count)
    return [
      Row(row: "insert, five properties", unit: "objects/s", ours: count / plain, goal: 700_000),
      Row(row: "insert, five properties, two indexes", unit: "objects/s", ours: count / two),
    ]
  }
}
