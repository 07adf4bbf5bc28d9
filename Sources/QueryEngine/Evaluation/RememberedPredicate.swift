internal import Values

/// A predicate about elements that ranges over more collections in turn. It is asked once of each element, or of each
/// combination of elements that it names, and answered from memory after that: however many ways lead to an object
/// through SUBQUERYs in each other, each of them asks it once.
///
/// It is a plan, not a result: `Answers` keeps what was found.
package final class RememberedPredicate: Hashable, Sendable {
  let predicate: BoundPredicate
  /// The levels of the variables whose elements it names.
  let levels: [Int]
  /// Whether it reads the object of the row as well.
  let readsRow: Bool
  /// The entity of the one object that it names, where it names nothing else.
  let onlyEntity: String?

  /// Of the element of a level and those around it.
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

  /// Another form of the same predicate.
  init(_ predicate: BoundPredicate, as other: RememberedPredicate) {
    self.predicate = predicate
    levels = other.levels
    readsRow = other.readsRow
    onlyEntity = other.onlyEntity
  }

  package static func == (left: RememberedPredicate, right: RememberedPredicate) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Whether it is true of a row.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    // A group is no object, and known by no number.
    guard !readsRow || !row.own.isNull, let answers = try row.linked?.answers(of: self) else {
      return try predicate.holds(for: row, scope)
    }
    if let known = answers.known(scope, row.own) { return known }
    let holds = try predicate.holds(for: row, scope)
    answers.take(holds, scope, row.own)
    return holds
  }
}

/// What one predicate was found to say, in one execution.
final class Answers {
  private let predicate: RememberedPredicate
  /// Where the objects stand that alone it is asked of; nil where it is asked of anything else.
  private let places: ObjectOrdinals?
  /// Of such objects: those asked about, and those for which it holds.
  private let asked: ObjectBits
  private let held: ObjectBits
  /// Of combinations of elements.
  private var others: [[Value]: Bool] = [:]
  /// The object of the row that `others` are about, where the predicate reads it.
  private var row = Value.null

  /// From how many combinations on what was found is forgotten.
  private static let most = 1 << 18

  init(_ predicate: RememberedPredicate, _ places: ObjectOrdinals?) {
    self.predicate = predicate
    self.places = places
    asked = ObjectBits(places ?? .none, clusters: 1)
    held = ObjectBits(places ?? .none, clusters: 1)
  }

  /// What it said before.
  func known(_ scope: ElementScope, _ own: Value) -> Bool? {
    if let place = place(scope) { return asked.contains(place) ? held.contains(place) : nil }
    if predicate.readsRow, row != own { return nil }
    return others[key(scope)]
  }

  /// Notes what it says.
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
