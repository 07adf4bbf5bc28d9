import CKernels
import Schema
import Storage
import Testing
import Values

/// Decimals kept as whole numbers are read bit for bit as they were written.
@Suite struct NumberBlockTests {
  /// Writes a column of such values and expects to read them.
  private func roundTrip(_ type: ScalarType, _ values: [Value], _ what: String) throws {
    let entity = ClusterFixture.entity([type])
    let rows = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.offset, [$0.element]) })
    let memory = ClusterMemory(try ClusterFixture.builder(rows, of: entity).encode(transaction: 1))
    let view = try memory.view(entity)
    let column = try view.column(0)
    for (slot, value) in values.enumerated() {
      let found = try column.value(at: slot)
      #expect(found.isSame(as: value), "\(what): slot \(slot) is \(found), not \(value)")
    }
    if case .numbers(let numbers) = column.values, numbers.areDecimals, numbers.kind != .decimals {
      let copy = UnsafeMutablePointer<Double>.allocate(capacity: 256)
      defer { copy.deallocate() }
      numbers.copy(column.slotCount, to: copy)
      for slot in 0..<column.slotCount { #expect(copy[slot].bitPattern == numbers[slot].bitPattern, "\(what)") }
      var offsets: UInt64 = 0
      let slots = view.present.andNot(column.nulls)
      slots.forEach { offsets += numbers.entry($0) }
      #expect(numbers.sumOfOffsets(slots, slotCount: column.slotCount) == offsets, "\(what)")
    }
    // Read for change and written again they are the same bytes.
    let again = try ClusterBuilder(decoding: view).encode(transaction: 1)
    #expect(again.bytes == Array(memory.bytes), "\(what)")
  }

  @Test(arguments: 0..<60) func randomDecimals(_ run: Int) throws {
    let seed = UInt64(run) + 31_415
    var random = SeededGenerator(seed: seed)
    for type in [ScalarType.double, .date, .float] {
      let exponent = Int.random(in: 0...8, using: &random)
      let span = Int64(1) << Int64.random(in: 1...(type == .float ? 24 : 52), using: &random)
      let start = Bool.random(using: &random) ? -span / 2 : Int64.random(in: 0...1 << 40, using: &random)
      let divisor = (0..<exponent).reduce(1.0) { product, _ in product * 10 }
      let spoiled = Int.random(in: 0..<4, using: &random) == 0
      let count = Int.random(in: 1...256, using: &random)
      let values = (0..<count).map { _ -> Value in
        if Int.random(in: 0..<20, using: &random) == 0 { return .null }
        var number = Double(start + Int64.random(in: 0..<span, using: &random)) / divisor
        if spoiled, Int.random(in: 0..<100, using: &random) == 0 {
          number =
            [number.nextUp, -0.0, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]
            .randomElement(using: &random) ?? 0
        }
        switch type {
        case .float: return .float(Float(number))
        case .date: return .date(Instant(seconds: number))
        default: return .double(number)
        }
      }
      try roundTrip(type, values, "\(type), seed \(seed)")
    }
  }

  /// What needs more digits than the first values do is noticed wherever it stands.
  @Test func oneValueWithMoreDigits() throws {
    for slot in [0, 1, 7, 8, 100, 255] {
      for odd in [0.25, 0.123, 1e-7, 1.0 / 3, 123_456_789.123456] {
        let values = (0..<256).map { Value.double($0 == slot ? odd : Double($0) / 10) }
        try roundTrip(.double, values, "\(odd) in slot \(slot)")
      }
    }
  }

  @Test func atTheLimits() throws {
    for number in [0x1p50, 0x1p51 - 1, 0x1p51, 0x1p52, 0x1p53, -0x1p51 + 1, -0x1p51] {
      try roundTrip(.double, [.double(number), .double(number.nextDown), .double(number - 5), .null], "\(number)")
      try roundTrip(.double, [.double(number / 1000), .double((number - 5) / 1000)], "\(number) / 1000")
    }
    for number: Float in [0x1p23, 0x1p24 - 1, 0x1p24, 0x1p25] {
      try roundTrip(.float, [.float(number), .float(number - 3)], "\(number)")
    }
  }

  @Test(arguments: 0..<8) func sumsAndBoundsOfOffsets(_ run: Int) {
    var random = SeededGenerator(seed: UInt64(run) + 5)
    let words = (0..<4).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
    for count in [0, 1, 7, 8, 15, 16, 17, 100, 255, 256] {
      func sum(_ values: [UInt64]) -> UInt64 {
        (0..<count).reduce(0) { words[$1 >> 6] >> UInt64($1 & 63) & 1 == 1 ? $0 + values[$1] : $0 }
      }
      let wide = (0..<256).map { _ in run == 0 ? 0xFF_FFFF_FFFF : UInt64.random(in: 0..<(1 << 40), using: &random) }
      let bytes = wide.map { UInt8(truncatingIfNeeded: $0) }
      let halves = wide.map { UInt16(truncatingIfNeeded: $0) }
      let four = wide.map { UInt32(truncatingIfNeeded: $0) }
      #expect(os_sum_u8(bytes, count, words) == sum(bytes.map(UInt64.init)))
      #expect(os_sum_u16(halves, count, words) == sum(halves.map(UInt64.init)))
      #expect(os_sum_u32(four, count, words) == sum(four.map(UInt64.init)))
      let high = wide.map { UInt32(truncatingIfNeeded: $0 >> 8) }
      let low = wide.map { UInt8(truncatingIfNeeded: $0) }
      let most: UInt64 = 1 << 40 - 1
      let bounds = [0, 1, wide[0], wide[0] &- 1, wide[0] + 1, wide[9], wide[9] ^ 0xFF, most].map { min($0, most) }
      for lower in bounds {
        for upper in bounds {
          var found: [UInt64] = [.max, .max, .max, .max]
          os_between_u40(high, low, count, lower, upper, &found)
          for slot in 0..<256 {
            let holds = slot < count && wide[slot] >= lower && wide[slot] <= upper
            #expect((found[slot >> 6] >> UInt64(slot & 63) & 1 == 1) == holds, "\(slot) in \(lower)...\(upper)")
          }
        }
      }
    }
  }
}
