internal import Storage
internal import Values

/// A filter for a Bool column with given truth values.
final class BoolFilter: ColumnFilter {
  let column: Int
  let takesTrue: Bool
  let takesFalse: Bool

  init(column: Int, takesTrue: Bool, takesFalse: Bool) {
    self.column = column
    self.takesTrue = takesTrue
    self.takesFalse = takesFalse
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    switch view.values {
    case .bits(let words):
      let flags = Mask(loading: words)
      return ((takesTrue ? flags : .none) | (takesFalse ? ~flags : .none)) & left
    case .same(.bool(let value)): return (value ? takesTrue : takesFalse) ? left : .none
    default: return .none
    }
  }
}
