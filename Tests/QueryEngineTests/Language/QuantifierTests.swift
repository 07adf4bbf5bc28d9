import Testing

@testable import QueryEngine

/// ANY, SOME, ALL, NONE, and a collection without a quantifier.
@Suite struct QuantifierTests {
  @Test(arguments: [
    Fact("ANY ratings > 2", 0, 2, 4), Fact("SOME ratings > 2", 0, 2, 4), Fact("ratings > 2", 0, 2, 4),
    Fact("ALL ratings > 2", 1, 2), Fact("NONE ratings > 2", 1, 3), Fact("NOT ANY ratings > 2", 1, 3),
    Fact("NOT ALL ratings > 2", 0, 3, 4), Fact("ANY ratings != 1", 0, 2, 3, 4), Fact("ALL ratings == 5", 1, 2),
    Fact("3 < ratings", 0, 2, 4), Fact("ANY ratings == ratings[1] + 2", 0),
    // nil has no elements.
    Fact("ANY scores > 0", 0, 3, 4), Fact("ALL scores > 0", 1, 2, 3), Fact("NONE scores > 0", 1, 2),
    // NaN is equal to nothing and in no order.
    Fact("ANY scores != 1.5", 0, 3, 4), Fact("ALL scores < inf", 1, 2, 3), Fact("ANY scores == 0", 4),
    Fact("ANY prices > 3", 0, 2), Fact("ANY prices.@keys == 'tea'", 0, 2), Fact("ALL prices.@values > 3", 1, 2, 3),
    Fact("ANY info.words == 'y'", 3), Fact("ALL info.words == 'x'", 0, 1, 2, 4),
    Fact("flags", 0, 3), Fact("ANY flags", 0, 3), Fact("ALL flags", 0, 1), Fact("NONE flags", 1, 2, 4),
    Fact("ANY flags == 0", 2, 3, 4),
    Fact("ANY days >= '2020-01-04'", 3, 4), Fact("ANY days == opened", 0, 2, 3, 4),
    Fact("ANY weights == 0.1", 0), Fact("weights == 0.3", 2),
  ])
  func ofOneSide(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test(arguments: [
    Fact("ANY labels CONTAINS 'e'", 0, 2, 3), Fact("ALL labels CONTAINS 'e'", 0, 1, 2, 3),
    Fact("ANY labels CONTAINS[c] 'CH'", 0, 2), Fact("labels BEGINSWITH 'n'", 0, 3),
    Fact("labels ENDSWITH[c] 'AP'", 0, 2),
    Fact("ANY labels LIKE '?heap'", 0, 2), Fact("ANY labels LIKE 'a\\*b'", 4), Fact("ALL labels MATCHES 'n.w'", 1, 3),
    Fact("ANY labels ==[c] 'cheap'", 0, 2), Fact("ANY labels CONTAINS ''", 0, 2, 3, 4),
    Fact("ANY ratings BETWEEN {2, 4}", 0, 3), Fact("ALL ratings BETWEEN {1, 4}", 1, 3),
    Fact("ANY ratings BETWEEN {size, size + 2}", 0, 4), Fact("ANY ratings BETWEEN {4, 2}"),
    Fact("ANY scores BETWEEN {nil, 3}"), Fact("ANY ratings IN {3, 2}", 0, 3), Fact("ALL ratings IN {1, 2, 5}", 1, 2, 3),
    Fact("NONE ratings IN {1}", 1, 2), Fact("NONE labels IN[c] {'CHEAP', 'new'}", 1, 4),
  ])
  func withEveryOperator(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test(arguments: [
    Fact("size IN ANY {1, 3}", 0, 4), Fact("size IN NONE {1, 3}", 1, 2, 3), Fact("size IN ALL {3, 3.0}", 0),
    Fact("size == ANY {1, 3}", 0, 4), Fact("size > ALL {1, 2}", 0, 1), Fact("size > ANY {1, 2}", 0, 1),
    Fact("size < NONE {1, 2}", 0, 1), Fact("size != ALL {1, 3}", 1, 2, 3), Fact("weight == ANY {0.1, 0.3}", 0, 3),
    Fact("opened >= ANY {'2020-01-04', '2020-01-05'}", 3, 4), Fact("ANY {1, 5} == size", 1, 4),
    Fact("ALL {0, 2} < size", 0, 1), Fact("name CONTAINS ANY {'d', 'B'}", 0, 1, 4),
    // A quantifier on one side; the other is ANY.
    Fact("ANY ratings == scores", 3), Fact("ALL scores IN ratings", 1, 2, 3), Fact("ALL ratings == scores", 1, 3),
    Fact("ALL ratings > ALL scores", 1, 2), Fact("ANY ratings == ANY {3, 2}", 0, 3),
    Fact("ALL ratings < ANY {6, 1}", 0, 1, 2, 3),
    Fact("ANY ratings == {3, 2}", 0, 3), Fact("size IN ANY ratings", 0, 4), Fact("size IN ALL ratings", 1),
    Fact("size IN NONE ratings", 1, 2, 3),
  ])
  func ofEitherSide(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test func singleValuesHaveNone() {
    for text in ["ANY size > 1", "ALL ratings.@count > 1", "NONE name == 'x'", "size IN ANY name", "size > ALL weight"]
    {
      #expect(Shops.message(text).contains("error[quantifier-on-single-value]"), "\(text)")
    }
  }

  @Test func typesAreCheckedOfElements() {
    for text in [
      "ANY ratings == 'x'", "labels > 5", "ANY ratings CONTAINS '5'", "ANY days > 5", "ratings ==[c] 5",
      "ANY ratings IN {1, 'b'}", "ANY labels BETWEEN {1, 2}", "size == ANY {1, 'b'}", "labels CONTAINS 5",
      "5 IN labels", "ratings + 1 > 2", "-ratings > 2", "ratings", "labels", "ANY prices == 'tea'",
    ] {
      #expect(Shops.message(text).contains("error[type-mismatch]"), "\(text): \(Shops.message(text))")
    }
  }
}
