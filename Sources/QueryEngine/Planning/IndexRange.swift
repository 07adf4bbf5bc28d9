internal import PredicateLanguage
internal import Storage
internal import Values

/// Ranges of one index, with the predicates they answer. Immutable, and a class, since plans are copied.
final class IndexRange: Sendable {
  /// The predicate on one column.
  enum Asked: Sendable {
    case isNil(String)
    case interval(String, ValueInterval)
    case equal(String, Value)
    case oneOf(String, [Value])
    case beginning(String, [UInt8])
    /// A description.
    case words(String)

    /// A description: `magnitude in (5, +∞)`.
    var text: String {
      switch self {
      case .isNil(let path): "\(path) = nil"
      case .interval(let path, let interval): "\(path) in \(IntervalText.text(interval))"
      case .equal(let path, let value): "\(path) = \(IntervalText.value(value))"
      case .oneOf(let path, let values): IntervalText.membership(path, values)
      case .beginning(let path, let bytes): "\(path) in [\(IntervalText.text(bytes))…]"
      case .words(let text): text
      }
    }
  }

  let index: StoredIndex
  let ranges: [IndexKeyRange]
  /// The predicates, one for each column, formatted only for EXPLAIN.
  let asked: [Asked]
  /// Whether every object in the ranges satisfies the predicates; otherwise they are rechecked.
  let isExact: Bool
  /// The positions in the AND of the conjuncts that the ranges answer.
  let answers: Set<Int>

  init(index: StoredIndex, ranges: [IndexKeyRange], asked: [Asked], isExact: Bool, answers: Set<Int>) {
    self.index = index
    self.ranges = ranges
    self.asked = asked
    self.isExact = isExact
    self.answers = answers
  }

  /// The number of leading index columns with a single value.
  var equalColumns: Int {
    asked.prefix {
      switch $0 {
      case .equal, .isNil: true
      default: false
      }
    }.count
  }

  /// A description of each column's predicate: `magnitude in (5, +∞)`.
  var description: [String] { asked.map(\.text) }
}

extension IndexRange {
  /// Joins several ranges of one index into a walk that visits each key once, in order. nil if the ranges belong to
  /// several indexes, or are not single keys.
  convenience init?(joining nodes: [PlanNode], isExact: Bool, answers: Set<Int>) {
    var index: StoredIndex?
    var keys: [IndexKeyRange] = []
    var words: [String] = []
    for node in nodes {
      guard case .indexRange(let range) = node.kind, index.map({ $0 == range.index }) ?? true,
        range.ranges.allSatisfy({ $0.onlyKey != nil })
      else { return nil }
      index = range.index
      keys += range.ranges
      words.append(range.description.joined(separator: ", "))
    }
    guard let index else { return nil }
    self.init(
      index: index, ranges: Self.ordered(keys), asked: [.words(Self.words(words))], isExact: isExact, answers: answers)
  }

  /// Whether a walk for `count` objects reads whole pages instead of key by key: for many objects, and for objects of a
  /// single key.
  func readsPages(_ count: Int) -> Bool { count >= 256 || ranges.allSatisfy { $0.onlyKey != nil } }

  /// Whether the ranges can be walked in index order: there is one range, or each is a single key.
  var hasOrder: Bool { ranges.count == 1 || ranges.allSatisfy { $0.onlyKey != nil } }

  /// The ranges in index order, or in reverse order if `descending`.
  func inOrder(descending: Bool) -> IndexRange {
    if ranges.count == 1 { return self }
    let keys = Self.ordered(ranges)
    return IndexRange(
      index: index, ranges: descending ? keys.reversed() : keys, asked: asked, isExact: isExact, answers: answers)
  }

  /// The single keys in order, each once.
  private static func ordered(_ keys: [IndexKeyRange]) -> [IndexKeyRange] {
    keys.sorted { ($0.onlyKey ?? []).lexicographicallyPrecedes($1.onlyKey ?? []) }
      .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Joins `x = 1` and `x = 2` into `x in {1, 2}`.
  private static func words(_ words: [String]) -> String {
    let equals = " = "
    let parts = words.map { $0.split(separator: equals, maxSplits: 1, omittingEmptySubsequences: false) }
    let shown = 6
    let more = words.count > shown ? ["… \(words.count) values"] : []
    if let name = parts.first?.first, parts.allSatisfy({ $0.count == 2 && $0[0] == name }) {
      return "\(name) in {\((parts.prefix(shown).map { String($0[1]) } + more).joined(separator: ", "))}"
    }
    return (words.prefix(shown) + more).joined(separator: " or ")
  }
}
