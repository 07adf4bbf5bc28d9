import Testing

@testable import Storage

/// Long values without a tree are found in steps that grow with their number, not with its square.
@Suite struct StrayValuesTests {
  private static let count = 500
  private let memory: UnsafeMutableRawBufferPointer

  /// So many values of 64 bytes, all different.
  private var values: [UnsafeRawBufferPointer] {
    (0..<Self.count).map { UnsafeRawBufferPointer(rebasing: memory[64 * $0..<64 * $0 + 64]) }
  }

  private func withValues(_ body: ([UnsafeRawBufferPointer]) throws -> Void) rethrows {
    defer { memory.deallocate() }
    try body(values)
  }

  init() {
    memory = .allocate(byteCount: 64 * Self.count, alignment: 8)
    for place in memory.indices { memory[place] = UInt8(truncatingIfNeeded: place &* place >> 6 ^ place >> 3) }
    for number in 0..<Self.count {
      memory.storeBytes(of: UInt64(number), toByteOffset: 64 * number, as: UInt64.self)
    }
  }

  private func key(_ number: Int, column: UInt32 = 1) -> OutOfLineKey {
    OutOfLineKey(cluster: UInt64(number >> 8), column: column, slot: number & 255)
  }

  @Test func aValueUnderItsKeyIsHashedOnce() {
    withValues { values in
      let strays = StrayValues()
      for (number, value) in values.enumerated() { strays.add(value, under: key(number)) }
      for (number, value) in values.enumerated() {
        #expect(strays.value(key(number), length: 64, hash: Checksum.of(value))?.baseAddress == value.baseAddress)
      }
      #expect(strays.hashCount == Self.count)
    }
  }

  @Test func valuesUnderOtherKeysAreHashedOnce() {
    withValues { values in
      let strays = StrayValues()
      for (number, value) in values.enumerated() { strays.add(value, under: key(number)) }
      for (number, value) in values.enumerated() {
        let found = strays.value(key(number, column: 2), length: 64, hash: Checksum.of(value))
        #expect(found?.baseAddress == value.baseAddress)
        #expect(strays.value(key(number, column: 3), length: 64, hash: 1) == nil)
        #expect(strays.value(key(number, column: 3), length: 63, hash: Checksum.of(value)) == nil)
      }
      #expect(strays.hashCount == Self.count)
    }
  }

  @Test func valuesAloneAreHashedOnceForEachLength() {
    withValues { values in
      let strays = StrayValues()
      for value in values { strays.add(value) }
      for (number, value) in values.enumerated() {
        let length = 60 + number % 4
        let bytes = UnsafeRawBufferPointer(rebasing: value.prefix(length))
        let found = strays.value(key(number), length: length, hash: Checksum.of(bytes))
        #expect(found?.baseAddress == value.baseAddress && found?.count == length)
        #expect(strays.value(key(number), length: length, hash: 1) == nil)
      }
      #expect(strays.value(key(0), length: 65, hash: 1) == nil)
      #expect(strays.hashCount == 4 * Self.count)
    }
  }
}
