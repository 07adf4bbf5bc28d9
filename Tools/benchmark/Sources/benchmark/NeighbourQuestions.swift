import Foundation
import ObjectStoreCore

/// Pairs of queries that differ by one function or operator: neither should take several times as long as the other.
/// The second of a pair is shown as a multiple of the first.
struct NeighbourQuestions {
  private struct Item: Sendable {
    var a: Int64
    var b: Int64
    var u: String
    var s: String
    /// A number of hundredths, stored as a Double and as a Decimal.
    var cents: Int64
    var key: UUIDBytes

    var price: Value {
      DecimalValue(isNegative: false, magnitude: UInt128(cents), exponent: -2).map(Value.decimal) ?? .null
    }
  }

  private struct Question: Sendable {
    /// A filter, or a whole statement after the entity.
    var text: String
    /// How many objects or rows it finds.
    var expected: @Sendable ([Item]) -> Int
  }

  private let items: [Item]
  private let store: Store

  init(objects: Int, folder: URL) throws {
    let words = ["tau", "phi", "rho", "eta", "zeta", "Alpha", "beta", "Gamma"]
    var random = Generator(seed: 11)
    items = (0..<objects).map { _ in
      Item(
        a: Int64(random.below(1_000)), b: Int64(random.below(1_000)), u: words[random.below(words.count)],
        s: words[random.below(words.count)], cents: Int64(random.below(1_000_000)),
        key: UUIDBytes(high: random.next(), low: random.next()))
    }
    let types: [(String, ScalarType)] = [
      ("a", .int), ("b", .int), ("u", .string), ("s", .string), ("x", .double), ("price", .decimal), ("id", .uuid),
      ("name", .string),
    ]
    let properties = types.map { Property(name: $0.0, type: .scalar($0.1)) }
    store = try Store.openDynamic(
      folder.appendingPathComponent("neighbours.store").path, mode: .create,
      schema: Schema(entities: [Entity(name: "Item", properties: properties)]))
    try store.write { [items] tx in
      let inserter = try tx.inserter(for: "Item")
      for item in items {
        _ = try inserter.append([
          .int(item.a), .int(item.b), .string(item.u), .string(item.s), .double(Double(item.cents) / 100),
          item.price, .uuid(item.key), .string(item.key.description),
        ])
      }
    }
  }

  func ask(_ report: Report) throws {
    for (first, second) in Self.pairs {
      var neighbour: Double?
      for question in [first, second] {
        let name = "neighbours: \(question.text)"
        guard report.wants(name) else { continue }
        let (found, expected) = (try count(question.text), question.expected(items))
        guard found == expected else {
          throw DifferentAnswers(description: "\(question.text): \(found), a loop over arrays \(expected)")
        }
        try report.question(name, neighbour: neighbour, isQuery: false, ours: { try count(question.text) })
        neighbour = report.rows.last?.ours
      }
    }
  }

  private func count(_ text: String) throws -> Int {
    if text.hasPrefix("GROUP") {
      guard case .rows(let rows) = try store.run("Item \(text) SELECT @count") else { return 0 }
      return try rows.count
    }
    // Of a sort or a limit, to count is not to find.
    let found = try store.objects("Item").filter(text)
    return try text.contains("SORT") ? found.ids.count : found.count
  }

  private static let pairs: [(Question, Question)] = [
    (
      Question(text: "TERNARY(a > 500, 1, b) > 2") { $0.count { ($0.a > 500 ? 1 : $0.b) > 2 } },
      Question(text: "TERNARY(a > 500, 1, b) + 1 > 3") { $0.count { ($0.a > 500 ? 1 : $0.b) + 1 > 3 } }
    ),
    (
      Question(text: "uppercase(u) == 'TAU'") { $0.count { $0.u == "tau" } },
      Question(text: "uppercase(u) == uppercase(s)") { $0.count { $0.u == $0.s } }
    ),
    (
      Question(text: "length(u) > 4") { $0.count { $0.u.count > 4 } },
      Question(text: "length(uppercase(u)) > 4") { $0.count { $0.u.count > 4 } }
    ),
    (
      Question(text: "uppercase(u) > 'M'") { $0.count { $0.u.uppercased() > "M" } },
      Question(text: "uppercase(u) BETWEEN {'B', 'P'}") { $0.count { ("B"..."P").contains($0.u.uppercased()) } }
    ),
    (
      Question(text: "u == s") { $0.count { $0.u == $0.s } },
      Question(text: "u ==[c] s") { $0.count { $0.u == $0.s } }
    ),
    (
      Question(text: "TRUEPREDICATE SORT(a + 1) LIMIT(3)") { _ in 3 },
      Question(text: "TRUEPREDICATE SORT(TERNARY(a > 500, a, 0)) LIMIT(3)") { _ in 3 }
    ),
    (
      Question(text: "GROUP BY uppercase(u)") { Set($0.map(\.u)).count },
      Question(text: "GROUP BY TERNARY(a > 500, 1, 0)") { Set($0.map { $0.a > 500 }).count }
    ),
    (
      Question(text: "TRUEPREDICATE SORT(x)") { $0.count },
      Question(text: "TRUEPREDICATE SORT(price)") { $0.count }
    ),
    (
      Question(text: "TRUEPREDICATE SORT(x) LIMIT(3)") { _ in 3 },
      Question(text: "TRUEPREDICATE SORT(price) LIMIT(3)") { _ in 3 }
    ),
    (
      Question(text: "GROUP BY x") { Set($0.map(\.cents)).count },
      Question(text: "GROUP BY price") { Set($0.map(\.cents)).count }
    ),
    (
      Question(text: "x > 5000") { $0.count { $0.cents > 500_000 } },
      Question(text: "price > 5000") { $0.count { $0.cents > 500_000 } }
    ),
    (
      Question(text: "TRUEPREDICATE SORT(name)") { $0.count },
      Question(text: "TRUEPREDICATE SORT(id)") { $0.count }
    ),
    (
      Question(text: "name > 'C'") { $0.count { $0.key.high >> 60 >= 12 } },
      Question(text: "id > uuid(C0000000-0000-0000-0000-000000000000)") { $0.count { $0.key.high >> 60 >= 12 } }
    ),
  ]
}
