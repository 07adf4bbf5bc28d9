internal import CKernels
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
    case .numbers(let numbers) where numbers.kind != .integers: return left.among(doubles) { numbers[$0] }
    case .numbers(let numbers): return numbers.among(integers, view.slotCount, left)
    case .same(let value):
      let isMember: Bool =
        switch value {
        case .int(let number): integers.containsAscending(number)
        case .date(let instant): doubles.containsAscending(instant.seconds)
        default: Arithmetic.number(value).map { doubles.containsAscending($0) } ?? false
        }
      return isMember ? left : .none
    case .bits, .uuid, .dictionary, .text, .collection: return .none
    }
  }
}
