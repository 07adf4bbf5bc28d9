internal import CPlatform
internal import Storage
internal import Values

/// A filter for a column of numbers or dates whose value is one of several, ascending.
final class NumberMembershipFilter: ColumnFilter {
  let column: Int
  private let integers: [Int64]
  private let doubles: [Double]

  init(column: Int, values: [Value]) {
    self.column = column
    integers = values.compactMap { if case .int(let number) = $0 { number } else { nil } }
    doubles = values.compactMap {
      if case .date(let instant) = $0 { instant.seconds } else if case .int = $0 { nil } else { Arithmetic.number($0) }
    }
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    if let first = integers.first, let last = integers.last, let range = cluster.range(column),
      case .int(let low) = range.minimum, case .int(let high) = range.maximum, low > last || high < first
    {
      return .none
    }
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    if left.isEmpty { return .none }
    switch view.values {
    case .numbers(let numbers) where numbers.kind != .integers: return Self.search(left, doubles) { numbers[$0] }
    // With few values, each is compared with all slots at once.
    case .numbers(let numbers) where doubles.isEmpty && integers.count <= 8:
      return integers.reduce(Mask.none) { $0 | numbers.between(view.slotCount, $1, $1) } & left
    case .numbers(let numbers): return Self.search(left, integers) { numbers.integer($0) }
    case .same(let value):
      let isMember: Bool =
        switch value {
        case .int(let number): Self.contains(integers, number)
        case .date(let instant): Self.contains(doubles, instant.seconds)
        default: Arithmetic.number(value).map { Self.contains(doubles, $0) } ?? false
        }
      return isMember ? left : .none
    case .bits, .uuid, .dictionary, .text, .collection: return .none
    }
  }

  @inline(__always)
  private static func search<T: Comparable>(_ candidates: Mask, _ members: [T], _ value: (Int) -> T) -> Mask {
    var found = Mask.none
    candidates.forEach { slot in if contains(members, value(slot)) { found[slot] = true } }
    return found
  }

  /// Whether an ascending array contains a value; false for NaN.
  @inline(__always)
  private static func contains<T: Comparable>(_ members: [T], _ value: T) -> Bool {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low &+ high) / 2
      if members[middle] < value { low = middle &+ 1 } else { high = middle }
    }
    return low < members.count && members[low] == value
  }
}
