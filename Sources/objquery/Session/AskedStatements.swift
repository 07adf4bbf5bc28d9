import ObjectStoreCore

/// The statements that `.advise` is about: those a session has run, or those of the files that `objquery advise` reads.
struct AskedStatements {
  /// Each once, with how often it was asked.
  private(set) var statements: [AdvisedStatement] = []
  /// Those that cannot be planned.
  private(set) var leftOut: [IndexAdvice.LeftOut] = []
  /// Notes to show beside the advice: sentences without a full stop.
  private(set) var notes: [String] = []
  /// The number of statements that find no objects, and of those beyond the limit.
  private(set) var withoutObjects = 0
  private(set) var beyondLimit = 0
  /// The dot commands that were not run.
  private(set) var skipped: [String] = []

  /// The most different statements that are kept.
  static let most = 1_000

  /// The positions of the statements, by their text.
  private var places: [String: [Int]] = [:]

  /// Adds a statement; nil is one that finds no objects.
  mutating func add(_ statement: AdvisedStatement?) {
    guard let statement else { return withoutObjects += 1 }
    if let place = places[statement.source]?.first(where: { statements[$0].isSame(as: statement) }) {
      statements[place].count += 1
    } else if statements.count == Self.most {
      beyondLimit += 1
    } else {
      places[statement.source, default: []].append(statements.count)
      statements.append(statement)
    }
  }

  /// Adds a statement that cannot be planned.
  mutating func leaveOut(_ source: String, _ reason: String) {
    leftOut.append(IndexAdvice.LeftOut(source: source, reason: reason))
  }

  mutating func note(_ sentence: String) { if !notes.contains(sentence) { notes.append(sentence) } }

  mutating func skip(_ command: String) { if !skipped.contains(command) { skipped.append(command) } }

  /// All notes to show beside the advice.
  var allNotes: [String] {
    var all = notes
    if withoutObjects > 0 {
      all.append("\(counted(withoutObjects, "statement")) that no index makes cheaper, as INSERT, left out")
    }
    if beyondLimit > 0 {
      all.append("only the first \(grouped(Self.most)) different statements count, \(grouped(beyondLimit)) more do not")
    }
    if !skipped.isEmpty { all.append("commands that were not run: \(skipped.joined(separator: ", "))") }
    return all
  }
}
