import PredicateLanguage
import Schema
import Values

/// An object as the oracle has it: a value for each column, by its dotted path.
struct OracleObject {
  var number: UInt64
  var values: [String: Value]
}

/// What a path may mean somewhere: the object, and the elements that the variables around stand for.
struct OracleScope {
  var object = OracleObject(number: 0, values: [:])
  var variables: [String: OracleItem] = [:]
}

/// The meaning of a query: one object at a time, straight from the language's tables, too simple to be wrong.
///
/// It shares nothing with the query engine. What the engine finds must be what this finds, in the same order.
struct NaiveEvaluator {
  /// Mistakes that can be planted, to show that the comparison would notice them.
  enum Mistake: CaseIterable {
    case nilIsLess, notTurnsComparisons, intsAsDoubles, limitBeforeOffset, tiesReversed, tiesInInsertionOrder
    case emptyNeedleNeverMatches, textsOfListsAreAny
    case allOfNothingIsFalse, containsLooksInside, anyIsAll, countSkipsNaN, indexCountsFromOne, listsWithoutOrder
    case valuesAreKeys, variableIsFirstElement, averageOfNothingIsZero, sumWraps, nameGivenEndsAtItsDot
    case filtersGoFirst, sortOptionsAreIgnored
  }

  let entity: Entity
  /// All objects, for paths that lead away from the one that is asked about.
  let world: OracleWorld
  let arguments: Arguments
  let definitions: [String: PredicateSyntax]
  var mistake: Mistake?
  var linkMistake: LinkMistake?
  /// Set when an answer depends on the last bits of a distance: then any answer is right.
  let doubt = Doubt()

  /// The texts folded so far: the slow and obvious way is too slow to be gone twice.
  let folds = Folds()

  final class Doubt {
    var isThere = false
  }

  final class Folds {
    /// By the bytes: equal Strings may differ in them.
    private struct Key: Hashable {
      let bytes: [UInt8]
      let options: UInt8
    }

    private var known: [Key: String] = [:]

    func folded(_ text: String, _ options: StringOptions) -> String {
      if options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) { return text }
      let key = Key(bytes: Array(text.utf8), options: UInt8(truncatingIfNeeded: options.rawValue))
      if let text = known[key] { return text }
      let folded = OracleText.folded(text, options)
      known[key] = folded
      return folded
    }
  }

  init(
    schema: Schema, entity: Entity, arguments: Arguments = Arguments(), definitions: [String: PredicateSyntax] = [:],
    mistake: Mistake? = nil, world: OracleWorld? = nil
  ) {
    self.entity = entity
    self.world = world ?? OracleWorld(schema: schema)
    self.arguments = arguments
    self.definitions = definitions
    self.mistake = mistake
  }

  /// The numbers of the objects that the filter finds, in its order; `objects` are in insertion order.
  func rows(_ filter: FilterSyntax, of objects: [OracleObject]) throws(OracleError) -> [UInt64] {
    try check(filter)
    var rows = objects
    if let predicate = filter.predicate { rows = rows.filter { holds(predicate, OracleScope(object: $0)) } }
    for tail in mistake == .filtersGoFirst ? filtersFirst(filter.tails) : filter.tails {
      switch tail {
      case .filter(let predicate):
        rows = rows.filter { holds(predicate, OracleScope(object: $0)) }
      case .sort(let keys): rows = sorted(rows, by: keys)
      case .distinct(let expressions):
        // What is the same is in the same bucket; who else is there does not matter.
        var seen: [String: [[Value]]] = [:]
        rows = rows.filter { row in
          let key = expressions.map { whole($0, OracleScope(object: row)) }
          let bucket = key.map(OracleValues.bucket).joined(separator: " ")
          if seen[bucket, default: []].contains(where: { zip($0, key).allSatisfy(OracleValues.same) }) { return false }
          seen[bucket, default: []].append(key)
          return true
        }
      case .window(let offset, let limit):
        let skipped = offset.map { count($0) } ?? 0
        let kept = limit.map { count($0) } ?? rows.count
        if mistake == .limitBeforeOffset {
          rows = Array(rows.prefix(kept).dropFirst(skipped))
        } else {
          rows = Array(rows.dropFirst(skipped).prefix(kept))
        }
      }
    }
    return rows.map(\.number)
  }

  private func filtersFirst(_ tails: [TailSyntax]) -> [TailSyntax] {
    func isFilter(_ tail: TailSyntax) -> Bool { if case .filter = tail { true } else { false } }
    return tails.filter(isFilter) + tails.filter { !isFilter($0) }
  }

  private func count(_ expression: ExpressionSyntax) -> Int {
    if case .int(let number) = constant(expression) { return Int(number) }
    return 0
  }

  /// Sorted by the keys; what ties keeps the order it had, which is insertion order at first.
  private func sorted(_ rows: [OracleObject], by keys: [SortKeySyntax]) -> [OracleObject] {
    let values = rows.map { row in keys.map { value($0.expression, OracleScope(object: row)) } }
    return rows.indices.sorted { left, right in
      for (place, key) in keys.enumerated() {
        let (a, b) = (values[left][place], values[right][place])
        let options = mistake == .sortOptionsAreIgnored ? [] : key.options
        if OracleTextOrder.sortsBefore(a, b, options) { return key.ascending }
        if OracleTextOrder.sortsBefore(b, a, options) { return !key.ascending }
      }
      if mistake == .tiesInInsertionOrder { return rows[left].number < rows[right].number }
      return (left < right) != (mistake == .tiesReversed)
    }.map { rows[$0] }
  }

  // MARK: Constants

  func isLiteral(_ expression: ExpressionSyntax) -> Bool {
    switch expression.kind {
    case .literal, .placeholder: true
    default: false
    }
  }

  /// The value of a literal or argument.
  func constant(_ expression: ExpressionSyntax) -> Value {
    switch expression.kind {
    case .literal(let value): return value
    case .placeholder(let placeholder): return argument(placeholder)
    default: return .null
    }
  }

  func argument(_ placeholder: Placeholder) -> Value {
    switch placeholder {
    case .positional(let number), .sequential(let number, _):
      number < arguments.positional.count ? arguments.positional[number] : .null
    case .named(let name): arguments.named[name] ?? .null
    }
  }

  /// The elements of a list, written or given.
  func elements(_ expression: ExpressionSyntax) -> [ExpressionSyntax]? {
    if case .list(let elements) = expression.kind { return elements }
    if case .list(let values) = constant(expression) { return values.map { ExpressionSyntax(.literal($0)) } }
    return nil
  }
}
