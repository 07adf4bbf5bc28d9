import PredicateLanguage
import Storage
import Testing
import Values

@testable import QueryEngine

/// A vector of another form than the query expects is an error, not a vector of nils.
@Suite struct VectorFormTests {
  @Test func operatorsOfBitsTakeIntegersOnly() throws {
    for operation in [BinaryOperator.bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight] {
      let (left, right) = (Vector(), Vector())
      left.fill(.int(6))
      right.fill(.int(1))
      try left.apply(operation, right)
      #expect(left.value(at: 3, of: .int) != .null)
      left.fill(.double(6))
      #expect(throws: StoreError.self) { try left.apply(operation, right) }
      left.fill(.double(6))
      right.fill(.null)
      try left.apply(operation, right)
      #expect(left.nulls == .all)
    }
  }

  @Test func onlyNumbersOfTheFormArePut() throws {
    let vector = Vector()
    for (isInteger, fitting, others) in [
      (true, Value.int(7), [Value.double(7), .string("7"), .bool(true)]),
      (false, .double(7), [.int(7), .float(7), .date(Instant(seconds: 7))]),
    ] {
      vector.isInteger = isInteger
      vector.nulls = .none
      try vector.put(fitting, at: 1)
      try vector.put(.null, at: 2)
      #expect(vector.value(at: 1, of: isInteger ? .int : .double) == fitting && vector.nulls == Mask(slot: 2))
      for other in others { #expect(throws: StoreError.self) { try vector.put(other, at: 3) } }
    }
  }

  @Test func sumsAndAveragesOfIntegersBeyond64Bits() {
    let most = Int128(Int64.max)
    #expect(WholeSum(most, of: 2).total == .max && WholeSum(most + 1, of: 2).total == nil)
    #expect(WholeSum(most * 3, of: 3).average == Double(Int64.max))
    #expect(WholeSum(-most * 4, of: 8).average == -Double(Int64.max) / 2)
    #expect(WholeSum(7, of: 2).average == 3.5 && WholeSum(0, of: 0).average == nil)
  }
}
