internal import PredicateLanguage
internal import Storage
internal import Values

/// Two columns of texts compared with each other, by their bytes as they lie.
final class TextPairCondition: Condition, @unchecked Sendable {
  private let comparator: Comparator
  private let left: Int
  private let right: Int

  /// nil for what is no comparison of two such columns as they are.
  init?(_ comparison: BoundComparison) {
    guard comparison.folding.isNone, comparison.right.count == 1, case .column(let left, .string) = comparison.left,
      case .column(let right, .string) = comparison.right[0]
    else { return nil }
    switch comparison.comparator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .beginsWith, .endsWith: break
    case .like, .matches, .between, .isIn, .geoWithin, .text: return nil
    }
    comparator = comparison.comparator
    self.left = left
    self.right = right
  }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    let (lefts, rights) = (try cluster.column(left), try cluster.column(right))
    var found = Mask.none
    try candidates.andNot(lefts.nulls | rights.nulls).forEach { slot in
      if holds(try lefts.text(at: slot), try rights.text(at: slot)) { found[slot] = true }
    }
    switch comparator {
    // Nil is equal to nil and to nothing else, and before or after nothing.
    case .equal, .lessOrEqual, .greaterOrEqual: return found | candidates & lefts.nulls & rights.nulls
    case .notEqual: return found | candidates & (lefts.nulls ^ rights.nulls)
    default: return found
    }
  }

  @inline(__always)
  private func holds(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    switch comparator {
    case .equal: Bytes.areEqual(left, right)
    case .notEqual: !Bytes.areEqual(left, right)
    case .less: Bytes.compare(left, right) < 0
    case .lessOrEqual: Bytes.compare(left, right) <= 0
    case .greater: Bytes.compare(left, right) > 0
    case .greaterOrEqual: Bytes.compare(left, right) >= 0
    case .contains: Bytes.find(right, in: left) != nil
    case .beginsWith: Bytes.hasPrefix(left, right)
    case .endsWith: Bytes.hasSuffix(left, right)
    case .like, .matches, .between, .isIn, .geoWithin, .text: false
    }
  }
}
