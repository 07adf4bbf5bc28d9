internal import Storage

/// The first few objects in the order of one number, in a heap with the last of them on top. `TopKRows` handles other
/// keys.
struct TopKHeap {
  /// An object with its position in the order.
  struct Entry {
    var rank: UInt8
    var word: UInt64
    var object: UInt64
  }

  private let count: Int
  private let ascending: Bool
  private var heap: [Entry] = []

  init(count: Int, ascending: Bool) {
    self.count = count
    self.ascending = ascending
  }

  /// The last of the kept objects; nil until the heap is full.
  var bound: Entry? { heap.count == count ? heap.first : nil }

  /// The kept objects, in order.
  var objects: [UInt64] {
    heap.sorted { comesBefore($0, $1) }.map(\.object)
  }

  /// Whether an object of a cluster might be kept, given the best value in the cluster.
  func mightKeep(_ edge: ClusterZone) -> Bool {
    guard let bound else { return count > 0 }
    if edge.rank != bound.rank { return (edge.rank < bound.rank) == ascending }
    if edge.word != bound.word { return (edge.word < bound.word) == ascending }
    return edge.cluster <= bound.object >> 8
  }

  /// Adds those objects of one cluster that come before the last kept one.
  mutating func offer(_ vector: Vector, _ mask: Mask, _ base: UInt64) {
    var left = mask
    // Most objects come after the last kept one, which a single comparison shows for the whole cluster.
    if let bound { left = vector.before(bound.rank, bound.word, ascending, orEqual: base <= bound.object) & mask }
    SortableKey.forEach(vector, left) { slot, rank, word in
      let entry = Entry(rank: rank, word: word, object: base | UInt64(truncatingIfNeeded: slot))
      if heap.count < count {
        heap.append(entry)
        siftUp(heap.count - 1)
      } else if comesBefore(entry, heap[0]) {
        heap[0] = entry
        siftDown()
      }
    }
  }

  private func comesBefore(_ left: Entry, _ right: Entry) -> Bool {
    if left.rank != right.rank { return (left.rank < right.rank) == ascending }
    if left.word != right.word { return (left.word < right.word) == ascending }
    return left.object < right.object
  }

  private mutating func siftUp(_ index: Int) {
    var index = index
    while index > 0, comesBefore(heap[(index - 1) / 2], heap[index]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && comesBefore(heap[last], heap[child]) {
        last = child
      }
      if last == index { return }
      heap.swapAt(index, last)
      index = last
    }
  }
}
