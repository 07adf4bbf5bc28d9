/// Clusters ordered by their zone maps, the best first. Only those that are taken are sorted.
struct ClusterQueue {
  private let ascending: Bool
  /// A heap with the best cluster on top.
  private var heap: [ClusterZone]

  init(_ edges: [ClusterZone], ascending: Bool) {
    self.ascending = ascending
    heap = edges
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sift(from: index) }
  }

  /// The number of remaining clusters.
  var count: Int { heap.count }

  /// Removes and returns the best cluster.
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
