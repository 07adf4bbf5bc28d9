internal import PredicateLanguage
internal import Storage
internal import Values

/// Filters by object IDs: a link or an argument names the objects.
final class ObjectIDFilter: FilterBase, ColumnFilter, @unchecked Sendable {
  /// The object IDs, ascending.
  private let numbers: [UInt64]

  /// nil if the comparison does not compare the object itself with values that are the same for every row.
  init?(_ comparison: BoundComparison) {
    guard comparison.folding.isNone else { return nil }
    let others: [BoundExpression]
    switch comparison.comparator {
    case .equal where comparison.right.first?.isOwn ?? false: others = [comparison.left]
    case .equal where comparison.left.isOwn, .isIn where comparison.left.isOwn: others = comparison.right
    default: return nil
    }
    var numbers: Set<UInt64> = []
    for other in others {
      switch other.constant {
      case .int(let number)?: numbers.insert(UInt64(bitPattern: number))
      case .null?: break
      default: return nil
      }
    }
    self.numbers = numbers.sorted()
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let first = cluster.number << 8
    var low = 0
    var high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < first { low = middle + 1 } else { high = middle }
    }
    var found = Mask.none
    while low < numbers.count, numbers[low] >> 8 == cluster.number {
      found[Int(truncatingIfNeeded: numbers[low] & 255)] = true
      low += 1
    }
    return found & candidates
  }
}
