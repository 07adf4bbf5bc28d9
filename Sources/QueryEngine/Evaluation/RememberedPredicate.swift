internal import Values

/// A predicate on elements that contains further quantifiers, with cached results. It is evaluated once for each
/// element, or combination of elements, that it reads. So nested SUBQUERYs evaluate it once for an object, regardless
/// of the number of paths to that object.
///
/// This is a plan, not a result: `Answers` keeps the results.
package final class RememberedPredicate: Hashable, Sendable {
  let predicate: BoundPredicate
  /// The levels of the variables that the predicate reads.
  let levels: [Int]
  /// Whether the predicate also reads the row's object.
  let readsRow: Bool
  /// The entity of the one object that the predicate reads, if it reads nothing else.
  let onlyEntity: String?

  /// Caches a predicate on the element of a level and of enclosing levels.
  init(_ predicate: BoundPredicate, level: Int) {
    self.predicate = predicate
    var elements: [Int: ExpressionType] = [:]
    var readsGroup = false
    predicate.forEachNode { node in
      switch node {
      // Variables with higher levels are bound within.
      case .expression(.element(let named, let type)) where named <= level: elements[named] = type
      case .expression(.computed), .collection(.computed): readsGroup = true
      case .predicate, .expression, .collection: break
      }
    }
    var columns: Set<Int> = []
    predicate.collectColumns(into: &columns)
    levels = elements.keys.sorted()
    readsRow = readsGroup || !columns.isEmpty
    onlyEntity = !readsRow && elements.count == 1 ? elements.values.first?.objectEntity : nil
  }

  /// Another form of the same predicate, with the same dependencies.
  init(_ predicate: BoundPredicate, as other: RememberedPredicate) {
    self.predicate = predicate
    levels = other.levels
    readsRow = other.readsRow
    onlyEntity = other.onlyEntity
  }

  package static func == (left: RememberedPredicate, right: RememberedPredicate) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Whether the predicate holds for a row.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    // A group is not an object and has no ID to cache by.
    guard !readsRow || !row.own.isNull, let answers = try row.linked?.answers(of: self) else {
      return try predicate.holds(for: row, scope)
    }
    if let known = answers.known(scope, row.own) { return known }
    let holds = try predicate.holds(for: row, scope)
    answers.take(holds, scope, row.own)
    return holds
  }
}

/// The cached results of one predicate in one execution.
final class Answers {
  private let predicate: RememberedPredicate
  /// The ordinals of the objects, if the predicate depends on one object only; nil otherwise.
  private let places: ObjectOrdinals?
  /// The objects that were tested, and those that passed.
  private let asked: ObjectBits
  private let held: ObjectBits
  /// Results by combination of elements.
  private var others: [[Value]: Bool] = [:]
  /// The row's object that `others` belong to, if the predicate reads it.
  private var row = Value.null

  /// The capacity for combinations; when it is reached, all are dropped.
  private static let most = 1 << 18

  init(_ predicate: RememberedPredicate, _ places: ObjectOrdinals?) {
    self.predicate = predicate
    self.places = places
    asked = ObjectBits(places ?? .none, clusters: 1)
    held = ObjectBits(places ?? .none, clusters: 1)
  }

  /// The cached result, or nil.
  func known(_ scope: ElementScope, _ own: Value) -> Bool? {
    if let place = place(scope) { return asked.contains(place) ? held.contains(place) : nil }
    if predicate.readsRow, row != own { return nil }
    return others[key(scope)]
  }

  /// Caches a result.
  func take(_ holds: Bool, _ scope: ElementScope, _ own: Value) {
    if let place = place(scope) {
      asked.insert(place)
      if holds { held.insert(place) }
      return
    }
    if others.count >= Self.most || predicate.readsRow && row != own { others.removeAll(keepingCapacity: true) }
    row = own
    others[key(scope)] = holds
  }

  private func place(_ scope: ElementScope) -> UInt64? {
    guard let places, case .int(let number) = scope[predicate.levels[0]] else { return nil }
    let place = places.place(UInt64(bitPattern: number))
    return place < places.limit ? place : nil
  }

  private func key(_ scope: ElementScope) -> [Value] { predicate.levels.map { scope[$0] } }
}
