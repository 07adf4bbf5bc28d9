import Values

/// The equality of constants in trees. `Value`'s own equality follows IEEE 754, where NaN does not equal itself; but
/// two trees with `nan` are equal.
extension Value {
  /// Whether both are written the same way.
  func saysSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
    case (.float(let left), .float(let right)): left == right || left.isNaN && right.isNaN
    case (.date(let left), .date(let right)): left == right || left.seconds.isNaN && right.seconds.isNaN
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.saysSame(as: $1) }
    case (.embedded(let left), .embedded(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.value.saysSame(as: $1.value) }
    default: self == other
    }
  }

  /// Hashes the value as `saysSame(as:)` compares it.
  func hashWhatItSays(into hasher: inout Hasher) {
    switch self {
    case .double(let number) where number.isNaN: hasher.combine(Double.nan)
    case .float(let number) where number.isNaN: hasher.combine(Float.nan)
    case .date(let instant) where instant.seconds.isNaN: hasher.combine(Double.nan)
    case .list(let elements): for element in elements { element.hashWhatItSays(into: &hasher) }
    case .embedded(let fields): for field in fields { field.value.hashWhatItSays(into: &hasher) }
    default: hasher.combine(self)
    }
  }
}
