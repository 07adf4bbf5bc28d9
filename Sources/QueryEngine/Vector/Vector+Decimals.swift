internal import PredicateLanguage
internal import Storage
internal import Values

/// Decimals as integers over a power of ten, the same for all slots of a cluster. An expression's vectors have this form
/// in the clusters where its Decimals fit, and boxed values in the others.
extension Vector {
  /// Reads a column of Decimals. Those that are stored as bytes are read for the requested slots only.
  func loadDecimals(_ view: ColumnView, wanted: Mask) throws {
    switch view.values {
    case .numbers, .same: try load(view)
    case .dictionary, .text:
      nulls = view.nulls
      try fillValues(wanted.andNot(view.nulls)) { try view.value(at: $0) }
    case .bits, .uuid, .collection:
      throw StoreError.corrupted(location: "a column of Decimals that holds something else")
    }
  }

  /// Fills every slot with one Decimal.
  func fill(_ number: DecimalValue) {
    let places = max(0, -number.exponent)
    if !number.isNaN, NumberBlock.exactExponents.contains(places), let whole = number.integer(places: places) {
      form = .decimals
      self.places = places
      integers.update(repeating: whole, count: Mask.slotCount)
    } else {
      form = .values
      values = [Value](repeating: .decimal(number), count: Mask.slotCount)
    }
  }

  /// Changes the sign of Decimals.
  func negateDecimals(wanted: Mask) {
    let slots = wanted.andNot(nulls)
    if form == .decimals, fits(slots, { number, _ in number == .min }) {
      for slot in 0..<Mask.slotCount { integers[slot] = 0 &- integers[slot] }
    } else {
      fillValues(slots) { Arithmetic.negate(value(at: $0, of: .decimal)) }
    }
  }

  /// Applies an operator to Decimals, or to Decimals and integers.
  func applyDecimals(_ operation: BinaryOperator, _ right: Vector, wanted: Mask) {
    nulls |= right.nulls
    let slots = wanted.andNot(nulls)
    if isWhole, right.isWhole, applyWholes(operation, right, slots) { return }
    fillValues(slots) {
      Arithmetic.apply(operation, value(at: $0, of: .decimal), right.value(at: $0, of: .decimal))
    }
  }

  /// Whether the values are integers, or such over a power of ten.
  private var isWhole: Bool { form == .integers || form == .decimals }

  /// Fills some slots with boxed values, of which nil makes nil.
  private func fillValues(_ slots: Mask, _ value: (Int) throws -> Value) rethrows {
    if values.count < Mask.slotCount { values = [Value](repeating: .null, count: Mask.slotCount) }
    try slots.forEach { slot in
      let value = try value(slot)
      values[slot] = value
      if value.isNull { nulls[slot] = true }
    }
    form = .values
  }

  /// Applies an operator to integers. Returns false, with the same values as before, if a result has too many digits for
  /// one, or none.
  private func applyWholes(_ operation: BinaryOperator, _ right: Vector, _ slots: Mask) -> Bool {
    let other = right.integers
    switch operation {
    case .add:
      guard align(with: right, slots), fits(slots, { $0.addingReportingOverflow(other[$1]).overflow }) else {
        return false
      }
      for slot in 0..<Mask.slotCount { integers[slot] &+= other[slot] }
    case .subtract:
      guard align(with: right, slots), fits(slots, { $0.subtractingReportingOverflow(other[$1]).overflow })
      else { return false }
      for slot in 0..<Mask.slotCount { integers[slot] &-= other[slot] }
    case .multiply:
      let most = ownPlaces + right.ownPlaces
      guard NumberBlock.exactExponents.contains(most),
        fits(slots, { $0.multipliedReportingOverflow(by: other[$1]).overflow })
      else { return false }
      for slot in 0..<Mask.slotCount { integers[slot] &*= other[slot] }
      places = most
      form = .decimals
    case .divide, .power, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: return false
    }
    return true
  }

  /// The number of decimal places; 0 of integers.
  private var ownPlaces: Int { form == .decimals ? places : 0 }

  /// Gives two vectors of integers, or of such over powers of ten, the same number of places, without changing their
  /// values. Returns false if those of some slots do not fit then.
  func align(with right: Vector, _ slots: Mask) -> Bool {
    guard isWhole, right.isWhole else { return false }
    let most = max(ownPlaces, right.ownPlaces)
    return take(places: most, slots) && right.take(places: most, slots)
  }

  private func take(places most: Int, _ slots: Mask) -> Bool {
    if most > ownPlaces {
      let factor = DecimalValue.wholePowerOfTen(most - ownPlaces)
      guard fits(slots, { number, _ in number.multipliedReportingOverflow(by: factor).overflow }) else { return false }
      for slot in 0..<Mask.slotCount { integers[slot] &*= factor }
    }
    places = most
    form = .decimals
    return true
  }

  /// Whether an operation overflows in none of some slots. The others, which are undefined, are looked at only if one
  /// does.
  @inline(__always)
  private func fits(_ slots: Mask, _ overflows: (Int64, Int) -> Bool) -> Bool {
    var isLost = false
    for slot in 0..<Mask.slotCount { isLost = overflows(integers[slot], slot) || isLost }
    if !isLost { return true }
    var fits = true
    slots.forEach { fits = fits && !overflows(integers[$0], $0) }
    return fits
  }
}
