import ObjectStoreCore

extension DotCommand {
  /// `.describe`
  static let describe = DotCommand(
    name: ".describe", usage: "[ENTITY]", summary: "what the values of each property are like",
    help: """
      For each property its type, how many objects have none (nil), how many distinct values there are, the least and the
      greatest, the mean of numbers, and the most frequent values with their share of the objects:
        .describe Quake
      Without an entity it is that of .use, or all. With more than 100,000 distinct values of a property their number is
      estimated, marked by ~. The modes csv, tsv, json and jsonl have plain numbers: the frequent values are a list, with
      their counts, and isEstimate says whether these and 'distinct' are estimates.
      """,
    isLong: true, words: 0...1, completes: .entities,
    run: { session, words in try session.describe(words.first) })
}

extension OutputMode {
  /// Whether programs read it, which want numbers as numbers.
  fileprivate var isForPrograms: Bool {
    switch self {
    case .csv, .tsv, .json, .jsonl, .geojson, .insert: true
    case .table, .box, .line, .markdown, .html, .chart, .count, .ids, .none: false
    }
  }
}

extension Session {
  /// Shows what the values of each property of an entity are like; without a name, of the default entity or of all.
  func describe(_ name: String?) throws {
    let table = try description(of: name, forPrograms: style.mode.isForPrograms)
    try show(rows: table.rows, columns: table.columns)
  }

  /// The table of what the values of each property are like.
  func description(of name: String?, forPrograms: Bool) throws -> SummaryTable {
    let schema = try store.schema
    let named = try (name ?? defaultEntity).map { [try entity(named: $0)] }
    let entities = named ?? schema.entities
    guard !entities.isEmpty else { throw CommandFailure(description: "the store has no entities") }
    var summaries: [(entity: String, properties: [PropertySummary])] = []
    for entity in entities {
      let objects = try objects(of: entity.name).cancellable(by: running)
      summaries.append((entity.name, try objects.summaries()))
    }
    return SummaryTable(summaries, forPrograms: forPrograms)
  }
}
