import ObjectStoreCore

/// Advice on indexes as text for people, and as JSON for programs.
struct IndexAdviceText {
  private let advice: IndexAdvice
  private let leftOut: [IndexAdvice.LeftOut]
  private let notes: [String]

  init(_ advice: IndexAdvice, _ asked: AskedStatements) {
    self.advice = advice
    leftOut = asked.leftOut + advice.leftOut
    notes = Self.notes(advice) + asked.allNotes
  }

  private static func notes(_ advice: IndexAdvice) -> [String] {
    var notes = advice.sampled.map {
      "estimated with \(grouped($0.objects)) of the \(counted($0.all, "object")) of \($0.entity)"
    }
    if advice.untried > 0 {
      notes.append(
        "\(counted(advice.untried, "more index", "more indexes")) may help and were not tried: ask with fewer statements"
      )
    }
    return notes
  }

  // MARK: Text

  /// The statements that create the indexes, ready to paste, with what they gain and cost.
  var plain: String {
    var parts = advice.advised.isEmpty ? [nothing] : advice.advised.map(plain)
    if !advice.unused.isEmpty {
      let lines = advice.unused.map { "  \($0.statement);  -- \(byteCount($0.bytes))" }
      parts.append("not used by these statements:\n" + lines.joined(separator: "\n"))
    }
    if !leftOut.isEmpty {
      let lines = leftOut.map { "  \(Self.line($0.source))\n    \(Screen.harmless($0.reason))" }
      parts.append("left out:\n" + lines.joined(separator: "\n"))
    }
    if !notes.isEmpty { parts.append(notes.map { "note: " + Screen.harmless($0) }.joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }

  private var nothing: String {
    if advice.statements.isEmpty { return "no index can be advised: no statement could be judged" }
    let cost = advice.statements.reduce(0) { $0 + Double($1.count) * $1.before }
    let count = advice.statements.reduce(0) { $0 + $1.count }
    return "no index is worth having: \(counted(count, "statement")), about \(Self.time(cost)) together"
  }

  private func plain(_ index: IndexAdvice.Advised) -> String {
    let served = index.serves.map { advice.statements[$0] }
    let count = served.reduce(0) { $0 + $1.count }
    var lines = [
      "\(index.statement);",
      "  \(counted(count, "statement")): \(Self.time(index.before)) → \(Self.time(index.after))",
    ]
    for statement in served {
      let times = statement.count > 1 ? "\(grouped(statement.count))× " : ""
      lines.append(
        "    \(times)\(Self.line(statement.source))   \(Self.time(statement.before)) → \(Self.time(statement.after))")
    }
    lines.append("  \(byteCount(index.bytes)); each insert writes \(Self.written(index))")
    return lines.joined(separator: "\n")
  }

  /// What an insert writes more. An index with fewer entries than objects keeps many objects in each.
  private static func written(_ index: IndexAdvice.Advised) -> String {
    (index.entries < 0.99 ? "" : "one more index entry and ") + "about \(percent(index.share)) more"
  }

  private static func percent(_ share: Double) -> String {
    share < 0.01 ? "1 %" : "\(Int(min(1e6, share * 100).rounded())) %"
  }

  /// A statement in one line of limited length.
  private static func line(_ source: String) -> String {
    let words = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return Screen.harmless(words.count <= 100 ? words : words.prefix(99) + "…")
  }

  /// `0.2 ms`, with two digits.
  static func time(_ nanoseconds: Double) -> String {
    guard nanoseconds < 1e18 else { return "very long" }
    var (amount, unit) = (nanoseconds / 1e3, "µs")
    if amount >= 1_000 { (amount, unit) = (amount / 1e3, "ms") }
    if amount >= 1_000, unit == "ms" { (amount, unit) = (amount / 1e3, "s") }
    let digits = amount >= 9.95 ? 1.0 : amount >= 0.995 ? 10 : 100
    let rounded = (amount * digits).rounded() / digits
    return (digits == 1 || rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") + " " + unit
  }

  // MARK: JSON

  /// One object. Costs are in milliseconds.
  var json: String {
    ValueText.json(
      .embedded([
        field("advised", .list(advice.advised.map(value))),
        field(
          "unused",
          .list(
            advice.unused.map {
              .embedded([
                field("statement", .string($0.statement)), field("entity", .string($0.entity)),
                field("index", .string($0.index.name)), field("kind", .string($0.index.kind.rawValue)),
                field("bytes", .int(Int64($0.bytes))),
              ])
            })),
        field("statements", .list(advice.statements.map(value))),
        field(
          "leftOut",
          .list(
            leftOut.map {
              .embedded([field("statement", .string($0.source)), field("reason", .string($0.reason))])
            })),
        field("notes", .list(notes.map { .string($0) })),
      ]))
  }

  private func value(_ index: IndexAdvice.Advised) -> Value {
    .embedded([
      field("statement", .string(index.statement)), field("entity", .string(index.entity)),
      field("index", .string(index.index.name)), field("kind", .string(index.index.kind.rawValue)),
      field("serves", .list(index.serves.map { .string(advice.statements[$0].source) })),
      field("before", milliseconds(index.before)), field("after", milliseconds(index.after)),
      field("bytes", .int(Int64(index.bytes))),
      field("entriesPerObject", .double((index.entries * 100).rounded() / 100)),
      field("writesMore", .double((index.share * 1_000).rounded() / 1_000)),
    ])
  }

  private func value(_ statement: IndexAdvice.Statement) -> Value {
    .embedded([
      field("statement", .string(statement.source)), field("count", .int(Int64(statement.count))),
      field("before", milliseconds(statement.before)), field("after", milliseconds(statement.after)),
    ])
  }

  private func milliseconds(_ nanoseconds: Double) -> Value { .double((nanoseconds / 10).rounded() / 1e5) }

  private func field(_ name: String, _ value: Value) -> EmbeddedField { EmbeddedField(name: name, value: value) }
}
