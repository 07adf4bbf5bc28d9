import ObjectStoreCore
import PredicateLanguage

/// One query from its text to its answer, with the time that each step takes: what one way of asking takes longer than
/// the one that stops before it.
struct QuerySteps {
  /// A step, and the microseconds it takes.
  struct Step {
    var name: String
    var time: Double
  }

  static let text = "magnitude > 4.5 AND depth < 70 AND place CONTAINS \"Japan\""
  let steps: [Step]
  /// What `EXPLAIN ANALYZE` says of it.
  let plan: String

  init(_ store: Store, repetitions: Int) throws {
    let quakes = try store.objects("Quake")
    // Another number each time, and more of them than are remembered, so that it is a new query.
    var asked = NewTexts { Self.text.replacing("4.5", with: "4.5\($0)") }
    func time(_ body: (String) throws -> Void) rethrows -> Double {
      try median(repetitions) { for text in asked.next() { try body(text) } } / Double(NewTexts.count) / 1e3
    }
    let parsed = try time { blackHole(try PredicateParser.filter($0)) }
    let bound = try time { blackHole(try quakes.filter($0)) }
    let planned = try time { blackHole(try quakes.filter($0).limit(0).count) }
    let answered = try time { blackHole(try quakes.filter($0).count) }
    steps = [
      Step(name: "reading the text: a syntax tree with ranges", time: parsed),
      Step(name: "binding: names against the schema, types, constants", time: max(0, bound - parsed)),
      Step(name: "planning: sampling clusters, asking indexes, the cheapest way", time: max(0, planned - bound)),
      Step(name: "answering: masks of 256 objects, cluster by cluster", time: max(0, answered - planned)),
      Step(name: "all of it", time: answered),
    ]
    plan = try quakes.filter(Self.text).analyze().text
  }

  /// The section of the results page.
  var markdown: String {
    let lines = steps.map { "| \($0.name) | \(Figure($0.time)) |" }
    return """
      ## One query, step by step

      `\(Self.text)`, counted, without an index:

      | step | µs |
      | --- | ---: |
      \(lines.joined(separator: "\n"))

      What it did, as `analyze()` tells it:

      ```
      \(plan.trimmingSuffix("\n"))
      ```
      """
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
