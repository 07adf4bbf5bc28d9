import Testing

@testable import Storage

@Suite struct MostlyOneTests {
  final class Thing {}

  /// The same as a dictionary, whatever is asked and put in what order.
  @Test(arguments: 0..<20) func isADictionary(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var things = MostlyOne<Thing>()
    var wanted: [UInt32: Thing] = [:]
    for step in 0..<200 {
      let number = UInt32(random(step < 50 ? 1 + seed % 3 : 4))
      switch random(6) {
      case 0:
        let made = Thing()
        things[number] = made
        wanted[number] = made
      case 1 where random(4) == 0:
        things[number] = nil
        wanted[number] = nil
      default: #expect(things[number] === wanted[number], "step \(step), seed \(seed)")
      }
    }
  }
}
