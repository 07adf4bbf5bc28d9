internal import Schema
package import Values

extension Value {
  /// The numbers of the objects that the value of a link leads to, ascending and each once.
  package var targets: [Int64] {
    switch self {
    case .int(let target): return [target]
    case .list(let elements):
      var targets: [Int64] = []
      targets.reserveCapacity(elements.count)
      var isAscending = true
      for case .int(let target) in elements {
        if let last = targets.last, last >= target { isAscending = false }
        targets.append(target)
      }
      if isAscending { return targets }
      targets.sort()
      var count = 0
      for target in targets where count == 0 || targets[count - 1] != target {
        targets[count] = target
        count += 1
      }
      targets.removeSubrange(count...)
      return targets
    default: return []
    }
  }
}

extension ObjectNumber {
  /// The object that a link leads to.
  package init(target: Int64) { self.init(UInt64(bitPattern: target)) }

  /// The object ID as a link stores it.
  package var target: Int64 { Int64(bitPattern: rawValue) }
}

extension IndexKey {
  /// The key of a target in the inverse of a link.
  static func ofTarget(_ target: ObjectNumber) -> [UInt8] { encode([.int(target.target)], types: [.int]) }

  /// The target in a key of a link's inverse; nil for a damaged key.
  static func target(of key: UnsafeRawBufferPointer) -> ObjectNumber? {
    guard let values = decode(key, types: [.int]), case .int(let target)? = values.first else { return nil }
    return ObjectNumber(target: target)
  }
}
