/// What lists of links lost because it was deleted, as long as the lists themselves are not written anew.
///
/// A list that many objects go out of, one after the other, is then written once and not as often as there are objects.
/// It does not know lists: who reads or writes an object asks for what its lists lost first.
struct DanglingLinks {
  /// So many are kept at most: then the lists are written.
  static let limit = 1 << 20

  private var lists: [UInt64: [Int: [UInt64]]] = [:]
  private var count = 0

  var isEmpty: Bool { lists.isEmpty }
  var isFull: Bool { count >= Self.limit }

  /// The objects whose lists lost something, ascending.
  var objects: [UInt64] { lists.keys.sorted() }

  /// What the lists of an object lost, by column.
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
