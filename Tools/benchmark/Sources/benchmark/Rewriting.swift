import Foundation
import ObjectStoreCore

/// How the file grows under a million changes of one property of random objects, by how many of them are one
/// transaction. A page that is changed is written to a free place, and its old place is free after the commit: so the
/// file grows by what the largest transaction changes, once, and no further.
struct Rewriting {
  /// How many objects there are.
  let objects: Int
  private let changes = 1_000_000

  /// What became of the file.
  struct Outcome {
    var changesInATransaction: Int
    var bytesBefore: Int
    /// The size of the file after each quarter of the changes.
    var bytesAfter: [Int] = []
    var freeBytes = 0
    /// Of all changes.
    var seconds = 0.0
  }

  /// In memory, since nothing that is measured here hangs on the disk: pages are given and freed alike.
  func measure() throws -> [Outcome] {
    try [1, 100, 10_000].map { size in
      say("\(changes) changes, \(size) in a transaction …")
      let store = try Store.inMemory(StoredQuake.self)
      var generator = QuakeGenerator()
      try store.write { tx in for _ in 0..<objects { try tx.add(StoredQuake(generator.next())) } }
      var outcome = Outcome(changesInATransaction: size, bytesBefore: try store.statistics().fileBytes)
      var random = Generator(seed: 23)
      let duration = try ContinuousClock().measure {
        for _ in 0..<4 {
          for _ in 0..<changes / 4 / size {
            try store.write { tx in
              for _ in 0..<size {
                let number = ObjectNumber(UInt64(random.below(objects) + 1))
                try tx.update(number, of: "Quake", ["significance": .int(Int64(random.below(1000)))])
              }
            }
          }
          outcome.bytesAfter.append(try store.statistics().fileBytes)
        }
      }
      outcome.freeBytes = try store.statistics().freeBytes
      outcome.seconds = benchmark.seconds(duration)
      return outcome
    }
  }

  /// The outcomes as a Markdown table.
  static func table(_ outcomes: [Outcome]) -> String {
    var lines = [
      "| changes in a transaction | MB before | after 250,000 | 500,000 | 750,000 | 1,000,000 | of it free | µs a change |",
      "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for outcome in outcomes {
      let sizes = ([outcome.bytesBefore] + outcome.bytesAfter + [outcome.freeBytes]).map {
        "\(Figure(Double($0) / 1e6))"
      }
      lines.append(
        "| \(outcome.changesInATransaction) | \(sizes.joined(separator: " | ")) | \(Figure(outcome.seconds)) |")
    }
    return lines.joined(separator: "\n")
  }
}
