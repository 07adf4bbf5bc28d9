internal import CPlatform
internal import PredicateLanguage
internal import Storage
internal import Values

/// Vectors compared slot by slot, as `Comparison` compares single values.
extension Vector {
  /// The slots of some for which a comparison with another vector holds.
  ///
  /// - Parameter types: The types of both sides, for values that are compared one by one.
  func compared(
    _ comparator: Comparator, with right: Vector, folding: TextFolding, types: (ExpressionType, ExpressionType),
    in slots: Mask
  ) -> Mask {
    let bothNil = nulls & right.nulls & slots
    let neitherNil = slots.andNot(nulls | right.nulls)
    switch comparator {
    case .equal: return ordered(.equal, right, folding, types, neitherNil) | bothNil
    case .notEqual: return slots.andNot(ordered(.equal, right, folding, types, neitherNil) | bothNil)
    case .lessOrEqual, .greaterOrEqual: return ordered(comparator, right, folding, types, neitherNil) | bothNil
    case .less, .greater, .contains, .beginsWith, .endsWith, .like, .matches, .between, .isIn, .geoWithin, .text:
      return ordered(comparator, right, folding, types, neitherNil)
    }
  }

  /// The slots of some, nil on neither side, for which a comparison holds.
  private func ordered(
    _ comparator: Comparator, _ right: Vector, _ folding: TextFolding, _ types: (ExpressionType, ExpressionType),
    _ slots: Mask
  ) -> Mask {
    if slots.isEmpty { return .none }
    switch (form, right.form) {
    case (.integers, .integers) where comparator.isRelation:
      return Self.each(comparator, integers, right.integers) & slots
    case (.doubles, .doubles) where comparator.isRelation:
      return Self.each(comparator, doubles, right.doubles) & slots
    case (.integers, .doubles) where comparator.isRelation:
      return Self.slots(slots) { comparator.holds(ValueOrder.compare(integers[$0], right.doubles[$0])) }
    case (.doubles, .integers) where comparator.isRelation:
      return Self.slots(slots) { comparator.holds(ValueOrder.compare(right.integers[$0], doubles[$0]).map { -$0 }) }
    case (.flags, .flags) where comparator.isRelation:
      return comparator.holds(flags, right.flags) & slots
    case (.strings, .strings):
      if folding.isNone, let found = comparedStrings(comparator, strings, right.strings, slots) { return found }
    default: break
    }
    return Self.slots(slots) {
      Comparison.holds(
        comparator, value(at: $0, of: types.0), right.value(at: $0, of: types.1), folding: folding)
    }
  }

  /// Comparisons of bytes; nil for operators with patterns.
  private func comparedStrings(
    _ comparator: Comparator, _ left: StringVector, _ right: StringVector, _ slots: Mask
  ) -> Mask? {
    switch comparator {
    case .equal: Self.slots(slots) { Bytes.areEqual(left[$0], right[$0]) }
    case .less: Self.slots(slots) { Bytes.compare(left[$0], right[$0]) < 0 }
    case .lessOrEqual: Self.slots(slots) { Bytes.compare(left[$0], right[$0]) <= 0 }
    case .greater: Self.slots(slots) { Bytes.compare(left[$0], right[$0]) > 0 }
    case .greaterOrEqual: Self.slots(slots) { Bytes.compare(left[$0], right[$0]) >= 0 }
    case .contains: Self.slots(slots) { Bytes.find(right[$0], in: left[$0]) != nil }
    case .beginsWith: Self.slots(slots) { Bytes.hasPrefix(left[$0], right[$0]) }
    case .endsWith: Self.slots(slots) { Bytes.hasSuffix(left[$0], right[$0]) }
    case .notEqual, .like, .matches, .between, .isIn, .geoWithin, .text: nil
    }
  }

  @inline(__always)
  private static func slots(_ slots: Mask, _ holds: (Int) -> Bool) -> Mask {
    var found = Mask.none
    slots.forEach { slot in if holds(slot) { found[slot] = true } }
    return found
  }

  @inline(__always)
  private static func each<T: Comparable>(
    _ comparator: Comparator, _ left: UnsafeMutablePointer<T>, _ right: UnsafeMutablePointer<T>
  ) -> Mask {
    switch comparator {
    case .equal: bits { left[$0] == right[$0] }
    case .less: bits { left[$0] < right[$0] }
    case .lessOrEqual: bits { left[$0] <= right[$0] }
    case .greater: bits { left[$0] > right[$0] }
    case .greaterOrEqual: bits { left[$0] >= right[$0] }
    case .notEqual, .contains, .beginsWith, .endsWith, .like, .matches, .between, .isIn, .geoWithin, .text: .none
    }
  }

  @inline(__always)
  private static func bits(_ holds: (Int) -> Bool) -> Mask {
    @inline(__always) func word(_ first: Int) -> UInt64 {
      var word: UInt64 = 0
      for bit in 0..<64 { word |= (holds(first &+ bit) ? 1 : 0) &<< UInt64(bit) }
      return word
    }
    return Mask(word(0), word(64), word(128), word(192))
  }
}

extension Comparator {
  /// Whether it compares by order, and is not `!=`.
  fileprivate var isRelation: Bool {
    switch self {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .notEqual, .contains, .beginsWith, .endsWith, .like, .matches, .between, .isIn, .geoWithin, .text: false
    }
  }

  /// Whether two values in an order are in the relation; values without an order are in none.
  fileprivate func holds(_ order: Int?) -> Bool {
    guard let order else { return false }
    return switch self {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .notEqual, .contains, .beginsWith, .endsWith, .like, .matches, .between, .isIn, .geoWithin, .text: false
    }
  }

  /// The slots in which two Bools are in the relation; false comes before true.
  fileprivate func holds(_ left: Mask, _ right: Mask) -> Mask {
    switch self {
    case .equal: ~(left ^ right)
    case .less: right.andNot(left)
    case .lessOrEqual: ~left | right
    case .greater: left.andNot(right)
    case .greaterOrEqual: left | ~right
    case .notEqual, .contains, .beginsWith, .endsWith, .like, .matches, .between, .isIn, .geoWithin, .text: .none
    }
  }
}
