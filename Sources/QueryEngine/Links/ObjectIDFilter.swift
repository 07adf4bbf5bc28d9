internal import PredicateLanguage
internal import Storage
internal import Values

/// Filters by object IDs: a link or an argument names the objects.
final class ObjectIDFilter: ColumnFilter {
  /// The object IDs, ascending.
  private let numbers: [UInt64]

  /// nil if the comparison does not compare the object itself with values that are the same for every row.
  init?(_ comparison: BoundComparison) {
    guard Self.exists(for: comparison), let others = Self.others(in: comparison) else { return nil }
    let numbers = others.compactMap { other in
      if case .int(let number)? = other.constant { UInt64(bitPattern: number) } else { nil }
    }
    self.numbers = Set(numbers).sorted()
  }

  /// Whether a comparison compares the object itself with values that are the same for every row.
  static func exists(for comparison: BoundComparison) -> Bool {
    others(in: comparison)?.allSatisfy { other in
      switch other.constant {
      case .int?, .null?: true
      default: false
      }
    } ?? false
  }

  /// The expressions that the object itself is compared with; nil if it is not compared for equality.
  private static func others(in comparison: BoundComparison) -> [BoundExpression]? {
    guard comparison.folding.isNone else { return nil }
    switch comparison.comparator {
    case .equal where comparison.right.first?.isOwn ?? false: return [comparison.left]
    case .equal where comparison.left.isOwn, .isIn where comparison.left.isOwn: return comparison.right
    default: return nil
    }
  }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
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
