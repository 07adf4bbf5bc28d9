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
}
