import Testing
import Values

/// Texts are the same value when their bytes are, whatever Swift's strings say.
struct ValueEqualityTests {
  @Test func canonicallyEquivalentTextsAreTwoValues() {
    let (composed, decomposed, angstrom) = ("Å", "A\u{30A}", "\u{212B}")
    #expect(composed == decomposed)
    #expect(Value.string(composed) != .string(decomposed))
    #expect(Value.string(composed) != .string(angstrom))
    #expect(Set([composed, decomposed, angstrom, composed].map(Value.string)).count == 3)
    #expect(Value.list([.string(composed)]) != .list([.string(decomposed)]))
  }

  @Test func kindsAreKeptApart() {
    #expect(Value.int(1) != .double(1))
    #expect(Value.float(1) != .double(1))
    #expect(Value.null == .null)
    #expect(Value.string("") != .data([]))
  }

  @Test func equalOnesHashAlike() {
    let values: [Value] = [
      .null, .bool(true), .int(1), .float(1), .double(1), .string("1"), .string(""), .date(Instant(seconds: 1)),
      .uuid(UUIDBytes(high: 0, low: 1)), .data([1]), .list([.int(1)]),
      .embedded([EmbeddedField(name: "a", value: .int(1))]),
    ]
    for (place, value) in values.enumerated() {
      for (other, second) in values.enumerated() { #expect((value == second) == (place == other)) }
    }
    #expect(Set(values + values).count == values.count)
    #expect(Value.double(.nan) != .double(.nan))
  }
}
