package import PredicateLanguage
internal import Schema
package import Storage
package import Values

/// A filter that compares properties with constants and arguments, answered by one index without a plan: nothing is
/// bound, estimated or compared with other ways.
///
/// This is right only if the index leaves so few objects that no other way is better by more than planning costs. That
/// shows while the objects are looked up, within a bounded number of steps. If there are more, the answer is nil and the
/// query must be planned. It serves commits only: within a write a unique key may have several objects.
///
/// `ObjectLookup`, which has no filter but one value of a unique property, goes by `UniqueKey` itself.
package struct PreparedQuery: Sendable {
  /// What is asked of the columns of the shape.
  enum Asked: Sendable {
    /// No value is in all the intervals of a column.
    case nothing
    /// One value of a unique property, and nothing else.
    case key(UniqueKey, Value)
    /// An interval for each column, that of the index first.
    case intervals([ValueInterval])
  }

  private let shape: Shape
  private let asked: Asked

  /// The entity of the objects.
  package var entity: StoredEntity { shape.entity }

  /// Whether it asks for one value of a unique property and nothing else, so that its index always has the answer.
  package var isKey: Bool { if case .key = asked { true } else { false } }

  fileprivate init(_ shape: Shape, _ asked: Asked) {
    self.shape = shape
    self.asked = asked
  }

  /// The query that a bound filter is; nil unless it has one value of a unique property.
  init?(_ stages: [BoundStage], of entity: StoredEntity) {
    guard let shape = Shape(stages, of: entity), let prepared = shape.prepared(Arguments()) else { return nil }
    self = prepared
  }

  /// How many keys are stepped over at most when objects are only counted.
  private static let mostSteps = 128

  /// The number of objects; nil if a plan must count them.
  package func count(in snapshot: Snapshot) throws -> Int? {
    guard case .intervals(let intervals) = asked, intervals.count == 1 else { return try objects(in: snapshot)?.count }
    let reader = try snapshot.index(shape.index, of: entity)
    guard let range = range(intervals[0], reader) else { return shape.missed() }
    if let key = reader.uniqueKey(range) { return try reader.firstObject(of: key) == nil ? 0 : 1 }
    var steps = Self.mostSteps
    let count = try reader.count(range, steps: &steps)
    return steps > 0 ? shape.hit(count) : shape.missed()
  }

  /// The objects in insertion order; nil if a plan must find them.
  package func objects(in snapshot: Snapshot) throws -> [ObjectNumber]? {
    switch asked {
    case .nothing: return []
    case .key(let key, let value): return try snapshot.find(unique: key.index, value, of: entity).map { [$0] } ?? []
    case .intervals(let intervals):
      let reader = try snapshot.index(shape.index, of: entity)
      guard let range = range(intervals[0], reader), let found = try few(reader, range) else { return shape.missed() }
      return shape.hit(try passing(found, intervals, in: snapshot))
    }
  }

  /// The keys of the objects; nil if an index entry does not show the whole value, because a key was too long.
  private func range(_ asked: ValueInterval, _ reader: IndexReader) -> IndexKeyRange? {
    if reader.hasLongKeys { return nil }
    let range = IndexAccess.keys(asked, of: shape.index)
    return range.isApproximate ? nil : range
  }

  /// The objects with a key in a range, ascending; nil if there are too many.
  private func few(_ reader: IndexReader, _ range: IndexKeyRange) throws -> [UInt64]? {
    if let key = reader.uniqueKey(range) { return try reader.firstObject(of: key).map { [$0] } ?? [] }
    var found: [UInt64] = []
    var isAll = true
    try reader.forEachPart([range]) { part in
      isAll = found.count + part.count <= shape.most
      if isAll { found += part }
      return isAll
    }
    if !isAll { return nil }
    found.sort()
    return found
  }

  /// Those of some objects whose other columns lie in their intervals.
  private func passing(
    _ objects: [UInt64], _ intervals: [ValueInterval], in snapshot: Snapshot
  ) throws -> [ObjectNumber] {
    if intervals.count == 1 { return objects.map { ObjectNumber($0) } }
    var left: [ObjectNumber] = []
    var number: UInt64?
    var columns: [ColumnView] = []
    for object in objects {
      if number != object >> 8 {
        number = object >> 8
        columns.removeAll(keepingCapacity: true)
        guard let cluster = try snapshot.cluster(object >> 8, of: entity) else {
          let lost = Mask(slot: Int(truncatingIfNeeded: object & 255))
          throw try snapshot.reader(of: entity).lostObject(object >> 8, lost, namedBy: "an index")
        }
        for column in shape.columns.dropFirst() { columns.append(try cluster.column(column.number)) }
      }
      let slot = Int(truncatingIfNeeded: object & 255)
      var passes = !columns.isEmpty
      for (column, asked) in zip(columns, intervals.dropFirst()) where passes {
        let value = try column.value(at: slot)
        passes = !value.isNull && asked.contains(value)
      }
      if passes { left.append(ObjectNumber(object)) }
    }
    return left
  }
}

extension PreparedQuery.Shape {
  /// The query with other arguments of the kinds that the shape was made with; nil if they must be bound, or if the index
  /// was of no use so often that it is tried seldom.
  package func prepared(_ arguments: Arguments) -> PreparedQuery? {
    if let key, let value = columns[0].parts[0].operand.value(arguments), key.finds(value) {
      return PreparedQuery(self, .key(key, value))
    }
    guard mayBeOfUse else { return nil }
    var intervals: [ValueInterval] = []
    intervals.reserveCapacity(columns.count)
    for column in columns {
      var asked: ValueInterval?
      for part in column.parts {
        guard let value = part.operand.value(arguments), Self.isShort(value),
          Binder.takesAsItIs(value, as: column.type, by: part.comparator)
        else { return nil }
        guard let interval = ColumnInterval.of(part.comparator, value, column.type) else {
          return PreparedQuery(self, .nothing)
        }
        asked = asked?.intersection(interval) ?? interval
      }
      guard let asked else { return nil }
      if asked.isEmpty { return PreparedQuery(self, .nothing) }
      intervals.append(asked)
    }
    return PreparedQuery(self, .intervals(intervals))
  }

  /// Whether an index stores the value without truncating it, and the value is within the limits of the language.
  private static func isShort(_ value: Value) -> Bool {
    switch value {
    case .string(let text): text.utf8.count <= longest
    case .data(let bytes): bytes.count <= longest
    case .null, .bool, .int, .float, .double, .decimal, .date, .uuid, .list, .embedded, .object: true
    }
  }

  private static var longest: Int { 200 }
}
