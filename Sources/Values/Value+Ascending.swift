extension Value {
  /// The elements of a set in stored order: ascending, without duplicates. All have the same type.
  ///
  /// Texts are ordered by their UTF-8 bytes. NaN is one value and comes last; -0.0 is 0.0.
  public static func ascending(_ elements: [Value]) -> [Value] {
    if elements.count < 2 { return elements.map(\.withoutNegativeZero) }
    var sorted = elements.map(\.withoutNegativeZero)
    if !isAscending(sorted) { sorted.sort(by: precedes) }
    var unique: [Value] = []
    unique.reserveCapacity(sorted.count)
    for element in sorted {
      if let last = unique.last, !precedes(last, element) { continue }
      unique.append(element)
    }
    return unique
  }

  /// The entries of a dictionary in stored order: ascending by the keys' UTF-8 bytes, each key once. The last value
  /// counts for a repeated key.
  public static func ascending(_ fields: [EmbeddedField]) -> [EmbeddedField] {
    let sorted = fields.enumerated().sorted {
      let (left, right) = ($0.element.name.utf8, $1.element.name.utf8)
      if left.lexicographicallyPrecedes(right) { return true }
      return $0.offset < $1.offset && !right.lexicographicallyPrecedes(left)
    }
    var unique: [EmbeddedField] = []
    unique.reserveCapacity(fields.count)
    for (_, field) in sorted {
      if let last = unique.last, last.name.utf8.elementsEqual(field.name.utf8) {
        unique[unique.count - 1] = field
      } else {
        unique.append(field)
      }
    }
    return unique
  }

  private static func isAscending(_ elements: [Value]) -> Bool {
    for index in elements.indices.dropFirst() where !precedes(elements[index - 1], elements[index]) { return false }
    return true
  }

  /// Whether one element of a set comes before another of the same type.
  private static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): !a && b
    case (.int(let a), .int(let b)): a < b
    case (.float(let a), .float(let b)): a < b || !a.isNaN && b.isNaN
    case (.double(let a), .double(let b)): a < b || !a.isNaN && b.isNaN
    case (.decimal(let a), .decimal(let b)): DecimalValue.compare(a, b).map { $0 < 0 } ?? (!a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.date(let a), .date(let b)): a.seconds < b.seconds || !a.seconds.isNaN && b.seconds.isNaN
    case (.uuid(let a), .uuid(let b)): a < b
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.object(let a), .object(let b)): a.entity == b.entity ? a.number < b.number : a.entity < b.entity
    case (.list(let a), .list(let b)): a.lexicographicallyPrecedes(b, by: precedes)
    case (.embedded(let a), .embedded(let b)):
      a.lexicographicallyPrecedes(b) { $0.name == $1.name ? precedes($0.value, $1.value) : $0.name < $1.name }
    default: left.rank < right.rank
    }
  }

  /// Orders values of different types, in case there are any.
  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .float: 3
    case .double: 4
    case .string: 5
    case .date: 6
    case .uuid: 7
    case .data: 8
    case .list: 9
    case .embedded: 10
    case .object: 11
    case .decimal: 12
    }
  }

  private var withoutNegativeZero: Value {
    switch self {
    case .float(let number) where number == 0: .float(0)
    case .double(let number) where number == 0: .double(0)
    case .date(let instant) where instant.seconds == 0: .date(Instant(seconds: 0))
    default: self
    }
  }
}
