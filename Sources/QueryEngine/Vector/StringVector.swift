internal import PredicateLanguage
internal import Storage
internal import Values

/// The strings of a cluster's slots as bytes, in the layout that is cheapest to produce. Valid as long as the snapshot
/// and the vector that they belong to.
struct StringVector {
  enum Layout {
    /// Every slot that is not nil has this string.
    case same(UnsafeRawBufferPointer)
    /// Each of the first `count` slots has the entry of its code.
    case coded(UnsafePointer<UInt8>, count: Int, TextBlock)
    /// One string for each slot.
    case block(TextBlock)
  }

  var layout = Layout.same(UnsafeRawBufferPointer(start: nil, count: 0))
  /// The dictionary in the cluster that the entries were computed from. A result for a stored dictionary is valid for
  /// every cluster with the same one.
  var storedDictionary: TextBlock?

  /// Whether the strings, or entries, lie in the cluster itself, not in a buffer of the vector.
  var isStored = false

  /// The string of a slot that is not nil.
  @inline(__always)
  subscript(slot: Int) -> UnsafeRawBufferPointer {
    switch layout {
    case .same(let text): return text
    case .coded(let codes, _, let entries): return entries[Int(codes[slot])]
    case .block(let block):
      guard slot < block.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
      return block[slot]
    }
  }

  /// Whether no string has a byte above 0x7F, as far as that is known without a scan.
  var isASCII: Bool {
    switch layout {
    case .same(let text): text.allSatisfy { $0 < 0x80 }
    case .coded(_, _, let entries): entries.isASCII
    case .block(let block): block.isASCII
    }
  }
}

extension Vector {
  /// Fills the vector with the strings of a block, one for each slot.
  func fill(_ block: TextBlock) {
    form = .strings
    nulls = .none
    strings = StringVector(layout: .block(block), isStored: true)
  }

  /// Reads a column of strings.
  ///
  /// - Parameter wanted: The requested slots. Overflow strings are read for these slots only.
  func loadStrings(_ view: ColumnView, wanted: Mask) throws {
    form = .strings
    nulls = view.nulls
    let distant = view.outOfLine & wanted
    if !distant.isEmpty {
      let block = try buffer.fill(view.slotCount, wanted.andNot(view.nulls), isASCII: false) {
        buffer.append(try view.text(at: $0))
      }
      strings = StringVector(layout: .block(block))
      return
    }
    switch view.values {
    case .dictionary(let codes, let entries):
      strings = StringVector(
        layout: .coded(codes, count: view.slotCount, entries), storedDictionary: entries, isStored: true)
    case .text(let block): strings = StringVector(layout: .block(block), isStored: true)
    case .same:
      guard let slot = Mask(firstCount: view.slotCount).andNot(view.nulls).first else { return fill(.null) }
      strings = StringVector(layout: .same(try view.text(at: slot)))
    case .bits, .numbers, .uuid, .collection:
      throw StoreError.corrupted(location: "a column of strings that holds something else")
    }
  }

  /// Applies a transform to the strings of some slots.
  func apply(_ transform: StringTransform, wanted: Mask) throws {
    guard form == .strings else { return }
    let slots = wanted.andNot(nulls)
    switch strings.layout {
    case .same(let text):
      strings.layout = .same(spare.single { spare.append(text, transform) })
    case .coded(let codes, let codeCount, let entries):
      if slots.count < entries.count {
        let (strings, count) = (strings, (slots.last ?? 0) + 1)
        let block = try spare.fill(count, slots, isASCII: entries.isASCII && transform.keepsASCII) {
          spare.append(strings[$0], transform)
        }
        self.strings = StringVector(layout: .block(block))
      } else {
        let all = Mask(firstCount: min(entries.count, Mask.slotCount))
        strings.layout = .coded(
          codes, count: codeCount, try spare.transformed(entries, transform, all, isStored: strings.isStored))
      }
    case .block(let block):
      // Filling a buffer pays off only for many slots.
      if block.isASCII, slots.count < Self.fewStrings {
        let count = (slots.last ?? 0) + 1
        strings.layout = .block(
          try spare.fill(count, slots, isASCII: transform.keepsASCII) { spare.append(block[$0], transform) })
      } else {
        strings.layout = .block(try spare.transformed(block, transform, slots, isStored: strings.isStored))
      }
    }
    strings.isStored = false
    swap(&buffer, &spare)
  }

  private static var fewStrings: Int { 16 }

  /// Copies the strings of another vector in some slots, and keeps its own in the other requested slots.
  func takeStrings(of other: Vector, in slots: Mask, wanted: Mask) throws {
    let (own, others) = (strings, other.strings)
    let ownSlots = wanted.andNot(slots).andNot(nulls)
    let otherSlots = (slots & wanted).andNot(other.nulls)
    let all = ownSlots | otherSlots
    let block = try spare.fill((all.last ?? 0) + 1, all, isASCII: own.isASCII && others.isASCII) {
      spare.append(otherSlots[$0] ? others[$0] : own[$0])
    }
    strings = StringVector(layout: .block(block))
    swap(&buffer, &spare)
  }

  /// Appends to each string the string of the same slot of another vector; nil makes nil.
  ///
  /// - Parameter isConstant: Whether the other vector has one string in every cluster. The entries of a dictionary stay
  ///   entries then.
  func append(_ other: Vector, isConstant: Bool, wanted: Mask) throws {
    nulls |= other.nulls
    let slots = wanted.andNot(nulls)
    // A vector that is nil everywhere may have any form.
    guard form == .strings, other.form == .strings, !slots.isEmpty else {
      nulls = .all
      strings = StringVector()
      form = .strings
      return
    }
    let (own, others) = (strings, other.strings)
    let isASCII = own.isASCII && others.isASCII
    if case .coded(let codes, let codeCount, let entries) = own.layout, case .same(let text) = others.layout,
      isConstant, entries.count <= min(slots.count, Mask.slotCount)
    {
      let block = try spare.fill(entries.count, Mask(firstCount: entries.count), isASCII: isASCII) {
        spare.append(entries[$0])
        spare.append(text)
      }
      strings.layout = .coded(codes, count: codeCount, block)
      strings.isStored = false
    } else {
      let block = try spare.fill((slots.last ?? 0) + 1, slots, isASCII: isASCII) {
        spare.append(own[$0])
        spare.append(others[$0])
      }
      strings = StringVector(layout: .block(block))
    }
    swap(&buffer, &spare)
  }

  /// Replaces strings by their numbers of Unicode scalars.
  func takeLengths(wanted: Mask) {
    let slots = wanted.andNot(nulls)
    let (strings, numbers) = (strings, integers)
    // A vector of nils may have any form.
    let isNil = form != .strings
    isInteger = true
    if isNil || slots.isEmpty { return }
    switch strings.layout {
    case .same(let text): numbers.update(repeating: Self.scalarCount(text), count: Mask.slotCount)
    case .coded(let codes, _, let entries):
      if slots.count < entries.count {
        return slots.forEach { numbers[$0] = Self.scalarCount(entries[Int(codes[$0])]) }
      }
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(1, entries.count)) { lengths in
        for entry in 0..<entries.count { lengths[entry] = Self.scalarCount(entries[entry]) }
        slots.forEach { numbers[$0] = lengths[Int(codes[$0])] }
      }
    case .block(let block):
      if block.isASCII {
        // Each string is followed by a separator byte.
        for slot in 0..<min(block.count, Mask.slotCount) {
          numbers[slot] = Int64(block.offsets[slot + 1] &- block.offsets[slot]) - 1
        }
      } else {
        slots.forEach { numbers[$0] = Self.scalarCount(strings[$0]) }
      }
    }
  }

  /// Counts the bytes that begin a scalar.
  private static func scalarCount(_ text: UnsafeRawBufferPointer) -> Int64 {
    var count = 0
    for byte in text { count &+= Int8(bitPattern: byte) > -65 ? 1 : 0 }
    return Int64(count)
  }
}
