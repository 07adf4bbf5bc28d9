/// A path from the root of a tree to a leaf, with every page on it verified.
///
/// It searches in the same way as LMDB, so that LMDB takes the same path. It does not know what LMDB does there.
struct TreePath {
  /// The destination.
  enum Target {
    case first, last
    /// Only the root, which LMDB reads with the record of a tree.
    case root
    /// The leaf where a key is or would be.
    case key(UnsafeRawBufferPointer)
  }

  /// A page on the way.
  struct Step {
    let page: UnsafeRawPointer
    let number: UInt64
    /// The number of entries.
    let count: Int
    /// The index of the entry on the path; in a leaf, the first whose key is not before the one sought.
    var index: Int
    /// The bounds of its keys.
    let from: UnsafeRawBufferPointer?
    let to: UnsafeRawBufferPointer?
  }

  let pages: PageGuard
  let check: PageCheck
  private(set) var steps: [Step] = []

  /// The way to a target in a tree that has a root.
  init(_ pages: PageGuard, _ check: PageCheck, to target: Target) throws(LMDBError) {
    self.pages = pages
    self.check = check
    steps.reserveCapacity(Int(check.record.depth))
    let length = if case .root = target { min(1, Int(check.record.depth)) } else { Int(check.record.depth) }
    while steps.count < length { try descend(target) }
  }

  /// The leaf.
  var leaf: Step? { steps.count == Int(check.record.depth) ? steps.last : nil }

  /// The entries of a page on the path without fixed width.
  func nodes(_ step: Step) -> PageNodes { PageNodes(verified: step.page, byteCount: pages.pageSize) }

  /// Moves down one page, from the last page or to the root.
  private mutating func descend(_ target: Target) throws(LMDBError) {
    guard var number = check.record.root else { return }
    var from: UnsafeRawBufferPointer?
    var to: UnsafeRawBufferPointer?
    if let above = steps.last {
      let nodes = nodes(above)
      number = nodes.child(above.index)
      from = above.index > 0 ? nodes.key(above.index) : above.from
      to = above.index + 1 < nodes.count ? nodes.key(above.index + 1) : above.to
    }
    let level = UInt16(steps.count + 1)
    let page = try pages.page(number, level: level, check, from: from, to: to)
    let nodes = PageNodes(verified: page, byteCount: pages.pageSize)
    let index = level < check.record.depth ? child(of: nodes, target) : place(in: nodes, target)
    steps.append(Step(page: page, number: number, count: nodes.count, index: index, from: from, to: to))
  }

  /// The child in which a target is.
  private func child(of nodes: PageNodes, _ target: Target) -> Int {
    switch target {
    case .first, .root: return 0
    case .last: return nodes.count - 1
    case .key(let key):
      // The last child whose first key is not after the one sought.
      var (low, high) = (1, nodes.count)
      while low < high {
        let middle = (low + high) / 2
        if check.isOrdered(key, nodes.key(middle)) { high = middle } else { low = middle + 1 }
      }
      return low - 1
    }
  }

  private func place(in nodes: PageNodes, _ target: Target) -> Int {
    switch target {
    case .first, .root: return 0
    case .last: return max(0, nodes.count - 1)
    case .key(let key):
      var (low, high) = (0, nodes.count)
      while low < high {
        let middle = (low + high) / 2
        if check.isOrdered(keyOfLeaf(nodes, middle), key) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// A key of a leaf, be it of fixed width.
  private func keyOfLeaf(_ nodes: PageNodes, _ index: Int) -> UnsafeRawBufferPointer {
    check.hasFixedLeaves
      ? UnsafeRawBufferPointer(start: nodes.base + PageNodes.headerSize + 8 * index, count: 8) : nodes.key(index)
  }

  /// Moves to the page next to the last one, at the same level; false when there is none.
  mutating func move(forward: Bool) throws(LMDBError) -> Bool {
    let depth = steps.count
    var level = depth - 2
    while level >= 0 {
      let index = steps[level].index + (forward ? 1 : -1)
      if index >= 0, index < steps[level].count {
        steps[level].index = index
        steps.removeLast(steps.count - level - 1)
        while steps.count < depth { try descend(forward ? .first : .last) }
        return true
      }
      level -= 1
    }
    return false
  }

  /// Moves to the entry next to the current one in the leaf; false when there is none.
  mutating func moveEntry(forward: Bool) throws(LMDBError) -> Bool {
    guard let leaf else { return false }
    let index = leaf.index + (forward ? 1 : -1)
    if index >= 0, index < leaf.count {
      steps[steps.count - 1].index = index
      return true
    }
    return try move(forward: forward)
  }

  /// Verifies the neighbours of the pages on the path, up to `reach` of them on either side at every level.
  func verifyNeighbours(_ reach: Int) throws(LMDBError) {
    for length in stride(from: steps.count, to: 1, by: -1) {
      for forward in [false, true] {
        var other = self
        other.steps.removeLast(steps.count - length)
        for _ in 0..<reach where try !other.move(forward: forward) { break }
      }
    }
  }
}
