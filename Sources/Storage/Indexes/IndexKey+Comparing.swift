internal import Values

extension IndexKey {
  /// Whether two values are equal for uniqueness: all NaN are one value, and so are both zeros.
  static func isSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
    case (.float(let left), .float(let right)): left == right || left.isNaN && right.isNaN
    case (.decimal(let left), .decimal(let right)): left == right || left.isNaN && right.isNaN
    case (.date(let left), .date(let right)):
      left.seconds == right.seconds || left.seconds.isNaN && right.seconds.isNaN
    default: left == right
    }
  }
}

extension [UInt8] {
  /// Calls `body`, which throws a single error type, with the bytes in memory.
  @inline(__always)
  func withBytes<R, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    try withUnsafeBufferPointer { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
