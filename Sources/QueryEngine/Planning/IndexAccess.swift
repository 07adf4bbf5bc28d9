internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Finds what an index can say about the conjuncts of a predicate: equalities on its first columns, then one interval,
/// a list of values or nil. It knows no costs.
struct IndexAccess {
  let entity: StoredEntity
  let index: StoredIndex
  let hasLongKeys: Bool

  /// How many ranges one access may have; longer lists are left to the scan.
  private static let rangeLimit = 4096

  /// The ranges that answer conjuncts, nil when the index has nothing to say about any.
  func range(for conjuncts: [BoundPredicate]) -> IndexRange? {
    var prefixes: [[Value]] = [[]]
    var answers: Set<Int> = []
    var description: [String] = []
    for (place, column) in index.columns.enumerated() {
      guard let (number, question) = question(about: column, in: conjuncts) else { break }
      let path = entity.columns[column].path
      switch question {
      case .isNil:
        prefixes = prefixes.map { $0 + [.null] }
        description.append("\(path) = nil")
      case .interval(let interval) where interval.single != nil:
        guard let value = interval.single, isShort(value) else { return finished(prefixes, answers, description) }
        prefixes = prefixes.map { $0 + [value] }
        description.append("\(path) = \(IntervalText.value(value))")
      case .oneOf(let values):
        guard prefixes.count * values.count <= Self.rangeLimit, values.allSatisfy(isShort) else {
          return finished(prefixes, answers, description)
        }
        prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
        description.append(IntervalText.membership(path, values))
      case .interval(let interval):
        guard let end = ranges(prefixes, interval, place) else { return finished(prefixes, answers, description) }
        return IndexRange(
          index: index, ranges: end, description: description + ["\(path) in \(IntervalText.text(interval))"],
          isExact: !hasLongKeys, answers: answers.union([number]))
      case .text(let test):
        guard case .beginsWith(let bytes) = test.question, test.folding.isNone, bytes.count < 200, !bytes.isEmpty else {
          return finished(prefixes, answers, description)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let end = prefixes.map { prefix in
          // The mark that ends a text is the key of the empty one; without it, a key begins all that start so.
          let end = encode(prefix + [.string("")]).count - encode(prefix).count - 1
          return Self.prefixed(by: Array(encode(prefix + [.string(text)]).dropLast(end)))
        }
        return IndexRange(
          index: index, ranges: end,
          description: description + ["\(path) in [\(IntervalText.value(.string(text)))…]"],
          isExact: !hasLongKeys, answers: answers.union([number]))
      }
      answers.insert(number)
    }
    return finished(prefixes, answers, description)
  }

  /// All keys.
  var everything: IndexRange {
    IndexRange(index: index, ranges: [.all], description: [], isExact: true, answers: [])
  }

  private func finished(_ prefixes: [[Value]], _ answers: Set<Int>, _ description: [String]) -> IndexRange? {
    guard !answers.isEmpty else { return nil }
    let ranges = prefixes.map { prefix -> IndexKeyRange in
      let key = encode(prefix)
      return prefix.count == index.columns.count
        ? IndexKeyRange(lower: .included(key), upper: .included(key)) : Self.prefixed(by: key)
    }
    return IndexRange(
      index: index, ranges: ranges, description: description, isExact: !hasLongKeys, answers: answers)
  }

  /// The first conjunct that asks about the column in a way an index can answer.
  private func question(about column: Int, in conjuncts: [BoundPredicate]) -> (Int, ColumnTest.Question)? {
    for (number, conjunct) in conjuncts.enumerated() {
      guard case .test(let test) = conjunct, test.column == column else { continue }
      switch test.question {
      case .isNil, .interval, .oneOf: return (number, test.question)
      case .text(let text):
        if case .beginsWith = text.question, text.folding.isNone { return (number, test.question) }
      }
    }
    return nil
  }

  /// The keys whose next column lies in an interval.
  private func ranges(_ prefixes: [[Value]], _ interval: ValueInterval, _ place: Int) -> [IndexKeyRange]? {
    for value in [interval.lower.value, interval.upper.value].compactMap(\.self) where !isShort(value) { return nil }
    return prefixes.map { prefix in
      let start = encode(prefix)
      let lower: IndexKeyRange.Bound
      switch interval.lower {
      case .unbounded: lower = .included(least(after: prefix, place))
      case .included(let value): lower = .included(encode(prefix + [value]))
      case .excluded(let value): lower = Self.after(encode(prefix + [value]))
      }
      let upper: IndexKeyRange.Bound
      switch interval.upper {
      case .unbounded: upper = IndexKey.encodePrefixUpperBound(start).map { .excluded($0) } ?? .unbounded
      case .included(let value):
        let key = encode(prefix + [value])
        upper = IndexKey.encodePrefixUpperBound(key).map { .excluded($0) } ?? .unbounded
      case .excluded(let value): upper = .excluded(encode(prefix + [value]))
      }
      return IndexKeyRange(lower: lower, upper: upper)
    }
  }

  /// Where values that are neither nil nor NaN begin.
  private func least(after prefix: [Value], _ place: Int) -> [UInt8] {
    switch index.types[place] {
    case .double: encode(prefix + [.double(-.infinity)])
    case .float: encode(prefix + [.float(-.infinity)])
    case .date: encode(prefix + [.date(Instant(seconds: -.infinity))])
    // nil is a single 0 byte, any value begins with 1.
    default: encode(prefix) + [1]
    }
  }

  /// Behind all keys that begin with `key`.
  private static func after(_ key: [UInt8]) -> IndexKeyRange.Bound {
    // Nothing comes after a key of only 0xFF bytes, and there is none.
    IndexKey.encodePrefixUpperBound(key).map { .included($0) } ?? .excluded(key)
  }

  private static func prefixed(by key: [UInt8]) -> IndexKeyRange {
    if key.isEmpty { return .all }
    return IndexKeyRange(
      lower: .included(key), upper: IndexKey.encodePrefixUpperBound(key).map { .excluded($0) } ?? .unbounded)
  }

  private func encode(_ values: [Value]) -> [UInt8] {
    values.isEmpty ? [] : IndexKey.encode(values, types: Array(index.types.prefix(values.count)))
  }

  /// Whether a key made of it is kept whole, so that its order is known.
  private func isShort(_ value: Value) -> Bool {
    switch value {
    case .string(let text): text.utf8.count <= 150
    case .data(let bytes): bytes.count <= 150
    default: true
    }
  }
}
