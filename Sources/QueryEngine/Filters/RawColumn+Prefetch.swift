internal import CKernels
internal import Storage

extension RawColumn {
  /// Prefetches the entries of a cluster that will be read soon.
  @inline(__always) static func prefetch(_ column: UnsafePointer<RawColumn>) {
    let lines =
      switch column.pointee.layout {
      case .numbers(let layout, _): layout.cacheLines
      case .codes: 4
      case .texts, .same, .unchecked, .other: 0
      }
    for line in 0..<lines { os_prefetch(column.pointee.values + line &* 64) }
  }
}
