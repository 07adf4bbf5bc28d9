internal import Storage
internal import Values

extension SortKeys {
  /// The keys of separately computed values; nil if these have several types, or a type without words and bytes.
  init?(_ values: [Value], ascending: Bool, _ cancellation: CancellationCheck) throws {
    guard let kind = try Self.kind(of: values, cancellation) else { return nil }
    var words: [UInt64] = []
    words.reserveCapacity(values.count)
    var nulls: [Int] = []
    var nans: [Int] = []
    let texts = StringInterner()
    for (place, value) in values.enumerated() {
      try cancellation.step()
      let (rank, word) = kind.hasBytes ? Self.entry(value, texts) : SortableKey.entry(value)
      words.append(word)
      if rank == SortableKey.Rank.null { nulls.append(place) }
      if rank == SortableKey.Rank.nan { nans.append(place) }
    }
    if kind.hasBytes { try texts.replaceNumbersByRanks(in: &words, cancellation) }
    try self.init(words, nulls: nulls, nans: nans, ascending: ascending, cancellation)
  }

  /// Values of one kind have the order of their words, or of their bytes.
  private enum Kind {
    case none, bool, integer, real, date, text, decimal, uuid, data

    var hasBytes: Bool {
      switch self {
      case .none, .bool, .integer, .real, .date: false
      case .text, .decimal, .uuid, .data: true
      }
    }
  }

  /// The common kind of all values that are not nil; nil if there is none.
  private static func kind(of values: [Value], _ cancellation: CancellationCheck) throws -> Kind? {
    var kind = Kind.none
    for value in values {
      try cancellation.step()
      let own: Kind
      switch value {
      case .null: continue
      case .bool: own = .bool
      case .int: own = .integer
      case .float, .double: own = .real
      case .date: own = .date
      case .string: own = .text
      case .decimal: own = .decimal
      case .uuid: own = .uuid
      case .data: own = .data
      case .list, .embedded, .object: return nil
      }
      if kind != own, kind != .none { return nil }
      kind = own
    }
    return kind
  }

  private static func entry(_ value: Value, _ texts: StringInterner) -> (UInt8, UInt64) {
    guard let number = KeyBytes.with(value, texts.number) else { return (SortableKey.Rank.null, 0) }
    return (SortableKey.Rank.number, UInt64(number))
  }
}

/// Columns of values, one for each key of SORT.
extension [[Value]] {
  /// The positions of the rows in sorted order; ties keep their order.
  func order(_ ascending: [Bool], _ cancellation: CancellationCheck) throws -> [Int] {
    guard let count = first?.count else { return [] }
    let keys = try zip(self, ascending).map { values, ascending in
      try SortKeys(values, ascending: ascending, cancellation)
    }
    let known = keys.compactMap(\.self)
    if known.count == keys.count { return try SortKeys.order(known.count, cancellation) { known[$0] }.map { Int($0) } }
    return try (0..<count).sorted(cancellation) { left, right in
      for (values, ascending) in zip(self, ascending) {
        let order = SortOrder.compare(values[left], values[right])
        if order != 0 { return (order < 0) == ascending }
      }
      return left < right
    }
  }
}
