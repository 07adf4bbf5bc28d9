import Testing
import Values

/// What `print` shows of a value.
@Suite struct ValueDescriptionTests {
  @Test func valuesAreShownForPeople() throws {
    let uuid = try #require(UUIDBytes("3F2504E0-4F89-11D3-9A0C-0305E82C3301"))
    let shown: [(Value, String)] = [
      (.null, "nil"), (.bool(true), "true"), (.int(-5), "-5"), (.double(5), "5.0"), (.double(.nan), "nan"),
      (.float(0.1), "0.1"), (.string("it's \"x\""), "it's \"x\""), (.uuid(uuid), uuid.description),
      (.data([102, 111, 114, 107]), "Zm9yaw=="), (.date(Instant(seconds: 0)), "2001-01-01T00:00:00Z"),
      (.list([.string("a"), .null, .int(1)]), "[\"a\", nil, 1]"),
      (.embedded([EmbeddedField(name: "town", value: .string("Oz"))]), "(town: \"Oz\")"),
      (.object(ObjectReference(entity: "Quake", number: ObjectNumber(3))), "Quake@3"),
    ]
    for (value, text) in shown { #expect(value.description == text && "\(value)" == text) }
    #expect(Value.string("a\nb").debugDescription == "\"a\\nb\"" && "\([Value.string("a")])" == "[\"a\"]")
  }
}
