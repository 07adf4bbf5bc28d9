internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Finds how an index answers the conjuncts of a predicate: equalities on its first columns, then one interval, a list
/// of values or nil. It does not depend on costs.
struct IndexAccess {
  let entity: StoredEntity
  let index: StoredIndex
  let hasLongKeys: Bool
  /// The most ranges of one access; longer lists are left to the scan. With a range for every thirty-second object the
  /// scan is about as fast, and making the ranges takes as long again.
  let mostRanges: Int

  init(entity: StoredEntity, index: StoredIndex, hasLongKeys: Bool, objects: Int) {
    self.entity = entity
    self.index = index
    self.hasLongKeys = hasLongKeys
    mostRanges = max(4096, objects / 32)
  }

  /// The ranges that answer conjuncts; nil if the index answers none.
  func range(for conjuncts: [BoundPredicate]) -> IndexRange? {
    switch index.index.kind {
    case .ordered, .unique: valueRange(for: conjuncts)
    case .folded: foldedRange(for: conjuncts)
    case .inverse: sources(for: conjuncts)
    case .trigram, .fullText, .geo: nil
    }
  }

  /// The ranges of an index whose keys are the values.
  private func valueRange(for conjuncts: [BoundPredicate]) -> IndexRange? {
    // The usual case: an interval of the first column.
    if let column = index.columns.first, let (number, question) = question(about: column, in: conjuncts),
      case .interval(let interval) = question, interval.single == nil
    {
      return found(
        [Self.keys(interval, of: index)], [number], [.interval(entity.columns[column].path, interval)])
    }
    var prefixes: [[Value]] = [[]]
    var answers: Set<Int> = []
    var asked: [IndexRange.Asked] = []
    for column in index.columns {
      guard let (number, question) = question(about: column, in: conjuncts) else { break }
      let path = entity.columns[column].path
      switch question {
      case .isNil:
        prefixes = prefixes.map { $0 + [.null] }
        asked.append(.isNil(path))
      case .interval(let interval):
        guard let value = interval.single else {
          return found(
            prefixes.map {
              .between(Self.end(interval.lower), Self.end(interval.upper), after: $0, types: index.types)
            },
            answers.union([number]), asked + [.interval(path, interval)])
        }
        prefixes = prefixes.map { $0 + [value] }
        asked.append(.equal(path, value))
      case .oneOf(let values):
        guard prefixes.count * values.count <= mostRanges else { return equal(to: prefixes, answers, asked) }
        prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
        asked.append(.oneOf(path, values))
      case .text(let test):
        guard let start = test.start else { return equal(to: prefixes, answers, asked) }
        return found(
          prefixes.map { prefix in
            start.bytes.withUnsafeBytes { .text(beginningWith: $0, after: prefix, types: index.types) }
          },
          answers.union([number]), asked + [.beginning(path, start.bytes)],
          isExact: start.isAll)
      }
      answers.insert(number)
    }
    return equal(to: prefixes, answers, asked)
  }

  /// The ranges for objects that link to given ones, from the inverse index of a to-one link. The index lacks objects
  /// whose link is nil.
  private func sources(for conjuncts: [BoundPredicate]) -> IndexRange? {
    guard let column = index.columns.first, entity.columns[column].collectionKind == nil,
      let (number, question) = question(about: column, in: conjuncts)
    else { return nil }
    let path = entity.columns[column].path
    switch question {
    case .interval(let interval):
      guard let value = interval.single else { return nil }
      return found([.equal(to: [value], types: index.types)], [number], [.equal(path, value)])
    case .oneOf(let values):
      guard values.count <= mostRanges else { return nil }
      return found(
        values.map { .equal(to: [$0], types: index.types) }, [number], [.oneOf(path, values)])
    case .isNil, .text: return nil
    }
  }

  /// The range of all keys.
  var everything: IndexRange {
    IndexRange(index: index, ranges: [.all], asked: [], isExact: true, answers: [])
  }

  private func equal(to prefixes: [[Value]], _ answers: Set<Int>, _ asked: [IndexRange.Asked]) -> IndexRange? {
    found(prefixes.map { .equal(to: $0, types: index.types) }, answers, asked)
  }

  /// nil if the index answers no predicate. Truncated keys need a recheck.
  func found(
    _ ranges: [IndexKeyRange], _ answers: Set<Int>, _ asked: [IndexRange.Asked], isExact: Bool = true
  ) -> IndexRange? {
    if answers.isEmpty { return nil }
    return IndexRange(
      index: index, ranges: ranges, asked: asked,
      isExact: isExact && !hasLongKeys && !ranges.contains(where: \.isApproximate), answers: answers)
  }

  /// The keys whose first column has a value in an interval.
  static func keys(_ interval: ValueInterval, of index: StoredIndex) -> IndexKeyRange {
    if let value = interval.single { return .equal(to: [value], types: index.types) }
    return .between(end(interval.lower), end(interval.upper), types: index.types)
  }

  private static func end(_ bound: ValueInterval.Bound) -> IndexKeyRange.End? {
    switch bound {
    case .unbounded: nil
    case .included(let value): IndexKeyRange.End(value, isIncluded: true)
    case .excluded(let value): IndexKeyRange.End(value, isIncluded: false)
    }
  }

  /// The first conjunct on the column that an index can answer.
  private func question(about column: Int, in conjuncts: [BoundPredicate]) -> (Int, SargablePredicate.Question)? {
    for (number, conjunct) in conjuncts.enumerated() {
      guard case .test(let test) = conjunct, test.column == column else { continue }
      switch test.question {
      case .isNil, .interval, .oneOf: return (number, test.question)
      case .text(let text):
        if let start = text.start, start.folding.isNone { return (number, test.question) }
      }
    }
    return nil
  }
}

extension StoredIndex {
  /// Whether its keys can be read in ranges.
  var isReadable: Bool {
    switch index.kind {
    case .ordered, .unique, .folded, .inverse: isComplete
    case .trigram, .fullText, .geo: false
    }
  }

  /// The type that finds searches in the index; nil if its keys are read in ranges.
  var searchAccess: (any IndexSearchAccess.Type)? {
    switch index.kind {
    case .trigram: isComplete ? TrigramAccess.self : nil
    case .ordered, .unique, .folded, .inverse, .fullText, .geo: nil
    }
  }
}
