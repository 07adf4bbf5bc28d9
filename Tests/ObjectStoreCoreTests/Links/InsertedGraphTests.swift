import ObjectStoreCore
import TestSeeds
import Testing

/// Random graphs, with circles and objects that lead to themselves, written as one INSERT: an object where it is first
/// met or later, elsewhere its name; some of them are in the store already. What is there then is the graph.
@Suite struct InsertedGraphTests {
  private struct Node { var value: Int, best: Int?, next: [Int] }

  /// Writes the nodes that can be come to from 0 as one object in JSON.
  private struct Writer {
    let nodes: [Node]
    var random: SeededNumbers
    var written: Set<Int> = []
    private(set) var named: Set<Int> = []

    init(_ nodes: [Node], _ random: SeededNumbers) { (self.nodes, self.random) = (nodes, random) }

    mutating func text() -> String {
      var text = object(0, isRoot: true)
      // Those that were only named stand at the root's end.
      var rest: [String] = []
      while let left = named.subtracting(written).min() { rest.append(object(left)) }
      text.removeLast()
      return text + ", \"rest\": [\(rest.joined(separator: ", "))]}"
    }

    private mutating func object(_ node: Int, isRoot: Bool = false) -> String {
      written.insert(node)
      let own = nodes[node]
      let best = own.best.map { link($0) } ?? "null"
      let next = own.next.map { link($0) }
      return
        "{\"name\": \"n\(node)\", \"value\": \(own.value), \"best\": \(best), \"next\": [\(next.joined(separator: ", "))]}"
    }

    private mutating func link(_ node: Int) -> String {
      named.insert(node)
      if !written.contains(node), Int.random(in: 0..<3, using: &random) > 0 { return object(node) }
      return Bool.random(using: &random) ? "\"n\(node)\"" : "{\"name\": \"n\(node)\"}"
    }
  }

  @Test(arguments: 0..<40) func whatIsWrittenIsThere(round: Int) throws {
    let seed = testSeed() &+ UInt64(round)
    var random = SeededNumbers(seed)
    let store = try Store.inMemory(
      schema: try SchemaText.parse(
        """
        @Model struct Node {
          @Attribute(.unique) var name: String
          var value: Int?
          var best: Link<Node>?
          var next: List<Node>
          var rest: List<Node>
        }
        """))
    let size = Int.random(in: 1...12, using: &random)
    var nodes: [Node] = []
    for _ in 0..<size {
      let next = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<size, using: &random) }
      let best = Bool.random(using: &random) ? Int.random(in: 0..<size, using: &random) : nil
      nodes.append(Node(value: Int.random(in: 0..<100, using: &random), best: best, next: next))
    }
    var there: Set<Int> = []
    for node in (0..<size).dropFirst() where Int.random(in: 0..<3, using: &random) == 0 {
      there.insert(node)
      _ = try store.run("INSERT Node {\"name\": \"n\(node)\", \"value\": -1, \"next\": [\"n\(node)\"]}")
    }
    var writer = Writer(nodes, random)
    let text = "INSERT Node " + writer.text()
    guard case .changed(let changes) = try store.run(text) else {
      Issue.record("SEED=\(seed): nothing changed by \(text)")
      return
    }
    let merged = there.intersection(writer.written).count
    #expect(changes.count(.inserted) == writer.written.count - merged, "SEED=\(seed): \(text)")
    #expect(changes.count(.merged) == merged, "SEED=\(seed): \(text)")
    guard case .rows(let rows) = try store.run("Node SELECT name, value, best.name, next.name") else { return }
    var found: [String: [Value]] = [:]
    for row in try rows.rows() { if case .string(let name)? = row.first { found[name] = Array(row.dropFirst()) } }
    #expect(found.count == there.union(writer.written).count, "SEED=\(seed): \(text)")
    for node in writer.written {
      let wanted: [Value] = [
        .int(Int64(nodes[node].value)), nodes[node].best.map { .string("n\($0)") } ?? .null,
        .list(nodes[node].next.map { .string("n\($0)") }),
      ]
      #expect(found["n\(node)"] == wanted, "SEED=\(seed): n\(node) of \(text)")
    }
    #expect(try store.check().isWhole, "SEED=\(seed)")
  }
}
