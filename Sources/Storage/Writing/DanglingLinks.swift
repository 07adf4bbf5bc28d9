/// The targets that lists of links have lost to deletions, until the lists are written.
///
/// A list that loses many targets one after the other is thus written only once. Before an object is read or written,
/// its lists must be updated.
struct DanglingLinks {
  /// The capacity; when it is reached, the lists are written.
  static let limit = 1 << 20

  private var lists: [UInt64: [Int: [UInt64]]] = [:]
  private var count = 0

  var isEmpty: Bool { lists.isEmpty }
  var isFull: Bool { count >= Self.limit }

  /// The objects whose lists have lost targets, ascending.
  var objects: [UInt64] { lists.keys.sorted() }

  /// The lost targets of an object's lists, by column.
  func lists(of object: UInt64) -> [Int: [UInt64]]? { lists[object] }

  mutating func add(_ targets: some Collection<UInt64>, object: UInt64, column: Int) {
    lists[object, default: [:]][column, default: []].append(contentsOf: targets)
    count += targets.count
  }

  /// Forgets about an object: its lists are written.
  mutating func remove(_ object: UInt64) {
    guard let removed = lists.removeValue(forKey: object) else { return }
    count -= removed.values.reduce(0) { $0 + $1.count }
  }
}
