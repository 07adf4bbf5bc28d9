internal import Values

/// A limit of `Store.Limits` that a query, a statement, a value or a schema exceeds.
public struct LimitExceeded: Hashable, Sendable {
  /// The limits, by the names of the properties of `Store.Limits`.
  public enum Limit: String, CaseIterable, Hashable, Sendable {
    case time
    case memory
    case rows
    case valueBytes
    case columns
    case elements
  }

  /// The limit.
  public var limit: Limit
  /// Its value: milliseconds of `time`, otherwise the number of bytes, rows, columns or elements.
  public var maximum: Int
  /// The part that exceeds it: `the query`, `Quake.place`, `argument 1`.
  public var subject: String

  package init(_ limit: Limit, _ maximum: Int, of subject: String) {
    self.limit = limit
    self.maximum = maximum
    self.subject = subject
  }
}

extension LimitExceeded: CustomStringConvertible {
  /// The limit, its value, and how to raise it.
  public var description: String {
    let (excess, remedy) =
      switch limit {
      case .time: ("takes longer than \(maximum) ms", Self.atOpening)
      case .memory: ("needs more than \(maximum) bytes of memory", Self.atOpening)
      case .rows: ("has more than \(amount(maximum, "row"))", "ask for fewer with LIMIT, or " + Self.atOpening)
      case .valueBytes: ("is longer than \(amount(maximum, "byte"))", Self.atOpening)
      case .columns: ("has more than \(amount(maximum, "column"))", "\(Self.atOpening) (4096 at most)")
      case .elements: ("has more than \(amount(maximum, "element"))", Self.atOpening)
      }
    return "\(subject) \(excess), the limit '\(limit.rawValue)': \(remedy)"
  }

  private static let atOpening = "open the store with a greater one"
}
