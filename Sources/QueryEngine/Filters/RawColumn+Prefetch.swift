internal import CPlatform
internal import Storage

extension RawColumn {
  /// Prefetches the entries of a cluster that will be read soon.
  @inline(__always) static func prefetch(_ column: UnsafePointer<RawColumn>) {
    let lines =
      switch column.pointee.layout {
      case .scaled(let width): width.cacheLines
      case .offsets8, .codes: 4
      case .offsets16: 8
      case .offsets32, .float32: 16
      case .int64, .float64: 32
      case .texts, .same, .unchecked, .other: 0
      }
    for line in 0..<lines { os_prefetch(column.pointee.values + line &* 64) }
  }
}
