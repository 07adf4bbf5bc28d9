/// Nodes and leaves in memory, and what adding, merging and deleting them means: the meaning that a store is compared
/// with. It looks at everything, again and again.
struct NodeModel: Equatable {
  /// What can be planted, to show that the comparison notices it.
  enum Mistake: CaseIterable {
    case cascadeStops, nothingIsDenied, duplicatesAreOne, linksStay, mergingAdds, orderIsLost, rollbackKeeps
  }

  struct Node: Equatable {
    var key: String
    var value: Int
    var next: UInt64?
    var others: [UInt64] = []
    var leaves: [UInt64] = []
    var needs: UInt64?
  }

  struct Leaf: Equatable {
    var key: String
    var home: UInt64?
  }

  var nodes: [UInt64: Node] = [:]
  var leaves: [UInt64: Leaf] = [:]

  func node(_ key: String) -> UInt64? { nodes.first { $0.value.key == key }?.key }
  func leaf(_ key: String) -> UInt64? { leaves.first { $0.value.key == key }?.key }

  /// The nodes whose next is one, and those that have a leaf.
  func before(_ node: UInt64) -> [UInt64] { nodes.filter { $0.value.next == node }.keys.sorted() }
  func holders(_ leaf: UInt64) -> [UInt64] { nodes.filter { $0.value.leaves.contains(leaf) }.keys.sorted() }

  /// Deletes nodes with what goes with them; false when one of them needs a leaf that stays.
  mutating func delete(_ numbers: some Sequence<UInt64>, _ mistake: Mistake?) -> Bool {
    var going = Set(numbers.filter { nodes[$0] != nil })
    while mistake != .cascadeStops {
      let more = going.union(going.compactMap { nodes[$0]?.next })
      if more == going { break }
      going = more
    }
    let goingLeaves = Set(going.flatMap { nodes[$0]?.leaves ?? [] })
    let needed = going.compactMap { nodes[$0]?.needs }
    guard mistake == .nothingIsDenied || needed.allSatisfy({ goingLeaves.contains($0) }) else { return false }
    remove(going, goingLeaves, mistake)
    return true
  }

  mutating func delete(leaf: UInt64, _ mistake: Mistake?) { remove([], [leaf], mistake) }

  private mutating func remove(_ goingNodes: Set<UInt64>, _ goingLeaves: Set<UInt64>, _ mistake: Mistake?) {
    for number in goingNodes { nodes[number] = nil }
    for number in goingLeaves { leaves[number] = nil }
    for (number, node) in nodes where mistake != .linksStay {
      var left = node
      if let next = node.next, goingNodes.contains(next) { left.next = nil }
      if let needs = node.needs, goingLeaves.contains(needs) { left.needs = nil }
      left.others.removeAll { goingNodes.contains($0) }
      left.leaves.removeAll { goingLeaves.contains($0) }
      nodes[number] = left
    }
    for (number, leaf) in leaves {
      if let home = leaf.home, goingNodes.contains(home) { leaves[number]?.home = nil }
    }
  }
}
