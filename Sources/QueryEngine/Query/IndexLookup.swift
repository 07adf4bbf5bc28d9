package import PredicateLanguage
internal import Schema
package import Storage
package import Values

/// A filter that compares properties with arguments and is evaluated by one index without a plan: nothing is bound,
/// estimated or compared.
///
/// This is correct and fast if the index finds so few objects that no other plan could save more than planning costs.
/// That is found out during the lookup, in a bounded number of steps. If there are more objects, the result is nil and
/// the query is planned as usual. Only in snapshots of commits: within a write transaction a unique key may have
/// several objects.
package struct IndexLookup: Sendable {
  private let shape: Shape
  /// The interval of each column, that of the index first; empty if the intervals of a column have no common value.
  private let intervals: [ValueInterval]

  /// The entity of the objects.
  package var entity: StoredEntity { shape.entity }

  fileprivate init(_ shape: Shape, _ intervals: [ValueInterval]) {
    self.shape = shape
    self.intervals = intervals
  }

  /// The maximum number of keys that counting steps over.
  private static let mostSteps = 128

  /// The number of objects; nil if a plan must count them.
  package func count(in snapshot: Snapshot) throws -> Int? {
    guard let asked = intervals.first else { return 0 }
    guard intervals.count == 1 else { return try objects(in: snapshot)?.count }
    let reader = try snapshot.index(shape.index, of: entity)
    guard let range = range(asked, reader) else { return shape.missed() }
    if let key = reader.uniqueKey(range) { return try reader.firstObject(of: key) == nil ? 0 : 1 }
    var steps = Self.mostSteps
    let count = try reader.count(range, steps: &steps)
    return steps > 0 ? shape.hit(count) : shape.missed()
  }

  /// The objects in insertion order; nil if a plan must find them.
  package func objects(in snapshot: Snapshot) throws -> [ObjectNumber]? {
    guard let asked = intervals.first else { return [] }
    let reader = try snapshot.index(shape.index, of: entity)
    guard let range = range(asked, reader), let found = try few(reader, range) else { return shape.missed() }
    return shape.hit(try passing(found, in: snapshot))
  }

  /// The range of the objects' keys; nil if keys may be truncated.
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
  private func passing(_ objects: [UInt64], in snapshot: Snapshot) throws -> [ObjectNumber] {
    if intervals.count == 1 { return objects.map { ObjectNumber($0) } }
    var left: [ObjectNumber] = []
    var number: UInt64?
    var columns: [ColumnView] = []
    for object in objects {
      if number != object >> 8 {
        number = object >> 8
        columns.removeAll(keepingCapacity: true)
        guard let cluster = try snapshot.cluster(object >> 8, of: entity) else { continue }
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

extension IndexLookup.Shape {
  /// The lookup with other arguments of the same types as those of the shape. Returns nil if the arguments must be
  /// bound, or if the index has missed too often to be tried now.
  package func lookup(_ arguments: Arguments) -> IndexLookup? {
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
          return IndexLookup(self, [])
        }
        asked = asked?.intersection(interval) ?? interval
      }
      guard let asked else { return nil }
      if asked.isEmpty { return IndexLookup(self, []) }
      intervals.append(asked)
    }
    return IndexLookup(self, intervals)
  }

  /// Whether an index stores the value without truncating it, and the value is within the limits of the language.
  private static func isShort(_ value: Value) -> Bool {
    switch value {
    case .string(let text): text.utf8.count <= longest
    case .data(let bytes): bytes.count <= longest
    default: true
    }
  }

  private static var longest: Int { 200 }
}
