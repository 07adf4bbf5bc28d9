internal import Storage
internal import Values

/// A filter on a column of UUIDs: those between two of them, or some.
final class UUIDFilter: ColumnFilter {
  /// Which UUIDs pass.
  enum Question: Sendable {
    case interval(UUIDBytes, UUIDBytes)
    case oneOf(Set<UUIDBytes>)
  }

  let column: Int
  let question: Question

  init(column: Int, question: Question) {
    self.column = column
    self.question = question
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    if left.isEmpty { return .none }
    switch view.values {
    case .same(.uuid(let id)): return holds(for: id) ? left : .none
    case .uuid(let pairs):
      return mask(left & Mask(firstCount: view.slotCount)) { UUIDBytes(high: pairs[2 * $0], low: pairs[2 * $0 + 1]) }
    case .same, .bits, .numbers, .dictionary, .text, .collection: return .none
    }
  }

  private func holds(for id: UUIDBytes) -> Bool {
    switch question {
    case .interval(let lower, let upper): lower <= id && id <= upper
    case .oneOf(let ids): ids.contains(id)
    }
  }

  /// The slots whose UUID passes. Most are decided by the high word.
  @inline(__always)
  private func mask(_ slots: Mask, _ id: (Int) -> UUIDBytes) -> Mask {
    var found = Mask.none
    switch question {
    case .interval(let lower, let upper):
      let span = upper.high - lower.high
      slots.forEach { slot in
        let id = id(slot)
        if id.high &- lower.high > span { return }
        if id.high == lower.high, id.low < lower.low { return }
        if id.high == upper.high, id.low > upper.low { return }
        found[slot] = true
      }
    case .oneOf(let ids): slots.forEach { slot in if ids.contains(id(slot)) { found[slot] = true } }
    }
    return found
  }
}
