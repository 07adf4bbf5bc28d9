internal import Storage
internal import Values

/// The names of linked objects for output: the unique property of each, looked up in one snapshot. Objects without one
/// stay objects.
struct LinkNames {
  /// The objects of one entity.
  private struct Target {
    var columns: ClusterColumnsCache
    var known: [ObjectNumber: Value] = [:]
  }

  /// The maximum number of cached names for each entity.
  private static let capacity = 65_536

  private let snapshot: Snapshot
  /// nil for an entity without a unique property.
  private var targets: [String: Target?] = [:]

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The row with objects replaced by names. Most rows have no objects and are returned unchanged.
  mutating func named(_ row: [Value]) throws -> [Value] {
    guard row.contains(where: Self.mayHoldObjects) else { return row }
    return try row.map { try named($0) }
  }

  private static func mayHoldObjects(_ value: Value) -> Bool {
    switch value {
    case .object, .list, .embedded: true
    case .null, .bool, .int, .float, .double, .decimal, .string, .date, .uuid, .data: false
    }
  }

  /// The value with objects replaced by names.
  mutating func named(_ value: Value) throws -> Value {
    switch value {
    case .object(let object): return try name(of: object) ?? value
    case .list(let elements):
      // All elements have the same type, except for nil.
      switch elements.first(where: { !$0.isNull }) {
      case .object?, .embedded?, .list?: break
      default: return value
      }
      return .list(try elements.map { try named($0) })
    case .embedded(let fields):
      return .embedded(try fields.map { EmbeddedField(name: $0.name, value: try named($0.value)) })
    default: return value
    }
  }

  private mutating func name(of object: ObjectReference) throws -> Value? {
    if targets[object.entity] == nil { targets.updateValue(target(object.entity), forKey: object.entity) }
    guard var target = targets[object.entity] ?? nil else { return nil }
    if let known = target.known[object.number] { return known }
    // Removed from the table while it changes, so that it is not copied.
    targets[object.entity] = .some(nil)
    defer { targets[object.entity] = target }
    guard let columns = try target.columns.columns(of: object.number) else { return nil }
    let name = try columns.value(0, slot: object.number.slot)
    if name.isNull { return nil }
    if target.known.count >= Self.capacity { target.known.removeAll(keepingCapacity: true) }
    target.known[object.number] = name
    return name
  }

  private func target(_ name: String) -> Target? {
    guard let entity = snapshot.schema.entity(named: name), let key = entity.keyColumn else { return nil }
    return Target(columns: ClusterColumnsCache(snapshot, entity, columns: [key]))
  }
}
