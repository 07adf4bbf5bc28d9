import Foundation
import ObjectStoreCore
import Testing

@Suite struct ArgumentTests {
  @Test func scalars() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    #expect(true.queryValue == .bool(true))
    #expect(Int8(-1).queryValue == .int(-1))
    #expect(1.5.queryValue == .double(1.5))
    #expect(Float(0.5).queryValue == .double(0.5))
    #expect("x".dropFirst(0).queryValue == .string("x"))
    #expect(Date(timeIntervalSinceReferenceDate: 3).queryValue == .date(Instant(seconds: 3)))
    #expect(uuid.queryValue == .uuid(UUIDBytes(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)))
    #expect(UUID(UUIDBytes(uuid)) == uuid)
    #expect(Data([1, 2]).queryValue == .data([1, 2]))
    #expect(Int?.none.queryValue == .null)
    #expect(Arguments(["a": 1, "b": nil]).named == ["a": .int(1), "b": .null])
    #expect(Arguments(["x", 1.5, nil]).positional == [.string("x"), .double(1.5), .null])
  }

  @Test func collections() {
    #expect([1, 2].queryValue == .list([.int(1), .int(2)]))
    #expect([1, nil].queryValue == .list([.int(1), .null]))
    #expect(Set([3, 1, 2]).queryValue == .list([.int(1), .int(2), .int(3)]))
    #expect((1...2).queryValue == .range(.int(1), .int(2)))
    #expect((1..<3).queryValue == .range(.int(1), .int(2)))
    #expect((1..<1).queryValue == .range(.null, .null))
    #expect((Int.min..<Int.min).queryValue == .range(.null, .null))
    #expect((1.0..<2.0).queryValue == .range(.double(1), .double(2.0.nextDown)))
  }
}
