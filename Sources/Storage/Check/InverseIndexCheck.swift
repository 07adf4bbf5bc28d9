internal import Values

/// The check of the inverse of a link: each object is there once for each of its targets.
final class InverseIndexCheck: KeyIndexCheck {
  override func note(_ object: ObjectNumber, _ values: [Value], _ check: inout EntityCheck) throws {
    for target in values.lazy.flatMap(\.targets) {
      try expect(
        IndexKey.ofTarget(ObjectNumber(target: target)), of: object,
        "\(place) lacks object \(object.rawValue) under number \(target)", &check)
    }
  }

  override func reasonAgainst(_ key: UnsafeRawBufferPointer, _ values: [Value]) -> String? {
    guard let target = IndexKey.target(of: key)?.target else { return "a key that is no object's number" }
    return values.contains { $0.targets.contains(target) }
      ? nil : "number \(target), to which it does not link"
  }
}
