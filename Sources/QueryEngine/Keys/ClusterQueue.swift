/// Clusters in the order of their edges, the best first. Only as many are put in order as are taken.
struct ClusterQueue {
  private let ascending: Bool
  /// A heap whose top is the best.
  private var heap: [ClusterZone]

  init(_ edges: [ClusterZone], ascending: Bool) {
    self.ascending = ascending
    heap = edges
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sift(from: index) }
  }

  /// How many are left.
  var count: Int { heap.count }

  /// Takes the best.
  mutating func next() -> ClusterZone? {
    guard let best = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sift(from: 0)
    }
    return best
  }

  private mutating func sift(from start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      if left >= heap.count { return }
      let right = left + 1
      let child = right < heap.count && heap[right].comesBefore(heap[left], ascending: ascending) ? right : left
      if !heap[child].comesBefore(heap[index], ascending: ascending) { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}
