internal import CKernels
internal import PredicateLanguage
internal import Storage
internal import Values

/// Compares vectors slot by slot, with the semantics of `Comparison`.
extension Vector {
  /// Those of some slots that satisfy a comparison with another vector.
  ///
  /// - Parameter types: The types of both sides, for values that are compared one by one.
  func compared(
    _ comparator: Comparator, with right: Vector, folding: TextFolding, types: (ExpressionType, ExpressionType),
    in slots: Mask
  ) -> Mask {
    let bothNil = nulls & right.nulls & slots
    let neitherNil = slots.andNot(nulls | right.nulls)
    if comparator == .notEqual {
      return slots.andNot(ordered(.equal, right, folding, types, neitherNil) | bothNil)
    }
    let found = ordered(comparator, right, folding, types, neitherNil)
    return comparator.holdsForTwoNils ? found | bothNil : found
  }

  /// Those of some slots, nil on neither side, that satisfy a comparison.
  private func ordered(
    _ comparator: Comparator, _ right: Vector, _ folding: TextFolding, _ types: (ExpressionType, ExpressionType),
    _ slots: Mask
  ) -> Mask {
    if slots.isEmpty { return .none }
    if case .strings = form, case .strings = right.form, folding.isNone, let relation = StringRelation(comparator) {
      return Self.slots(slots, relation, strings, right.strings)
    }
    if case .relation(let relation) = comparator.family {
      switch (form, right.form) {
      case (.integers, .integers): return Self.each(relation, integers, right.integers) & slots
      case (.doubles, .doubles): return Self.each(relation, doubles, right.doubles) & slots
      case (.integers, .doubles):
        return Self.slots(slots) { relation.holds(ValueOrder.compare(integers[$0], right.doubles[$0])) }
      case (.doubles, .integers):
        return Self.slots(slots) { relation.holds(ValueOrder.compare(right.integers[$0], doubles[$0]).map { -$0 }) }
      case (.flags, .flags): return relation.mask(flags, right.flags) & slots
      case (.decimals, .decimals), (.decimals, .integers), (.integers, .decimals):
        if align(with: right, slots) { return Self.each(relation, integers, right.integers) & slots }
      default: break
      }
    }
    return Self.slots(slots) {
      Comparison.holds(
        comparator, value(at: $0, of: types.0), right.value(at: $0, of: types.1), folding: folding)
    }
  }

  /// Those of some slots whose strings in two vectors satisfy a relation.
  private static func slots(
    _ slots: Mask, _ relation: StringRelation, _ left: StringVector, _ right: StringVector
  ) -> Mask {
    if let found = CodedPairs(left, right)?.slots(slots, relation) { return found }
    // Equality, the most frequent relation, has its own loop, without a switch for each slot.
    if relation == .equals { return self.slots(slots) { Bytes.areEqual(left[$0], right[$0]) } }
    return self.slots(slots) { relation.holds(left[$0], right[$0]) }
  }

  @inline(__always)
  private static func slots(_ slots: Mask, _ holds: (Int) -> Bool) -> Mask {
    var found = Mask.none
    slots.forEach { slot in if holds(slot) { found[slot] = true } }
    return found
  }

  @inline(__always)
  private static func each<T: Comparable>(
    _ relation: Comparator.Relation, _ left: UnsafeMutablePointer<T>, _ right: UnsafeMutablePointer<T>
  ) -> Mask {
    switch relation {
    case .equal: bits { left[$0] == right[$0] }
    case .notEqual: bits { left[$0] != right[$0] }
    case .less: bits { left[$0] < right[$0] }
    case .lessOrEqual: bits { left[$0] <= right[$0] }
    case .greater: bits { left[$0] > right[$0] }
    case .greaterOrEqual: bits { left[$0] >= right[$0] }
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

extension Comparator.Relation {
  /// Whether two values with an order satisfy the relation. Values without an order are unequal and satisfy no other
  /// relation.
  fileprivate func holds(_ order: Int?) -> Bool {
    guard let order else { return self == .notEqual }
    return switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// The slots in which two Bools satisfy the relation; false comes before true.
  fileprivate func mask(_ left: Mask, _ right: Mask) -> Mask {
    switch self {
    case .equal: ~(left ^ right)
    case .notEqual: left ^ right
    case .less: right.andNot(left)
    case .lessOrEqual: ~left | right
    case .greater: left.andNot(right)
    case .greaterOrEqual: left | ~right
    }
  }
}
