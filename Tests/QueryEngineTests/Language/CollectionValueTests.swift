import PredicateLanguage
import Testing
import Values

@testable import QueryEngine

/// Elements by place and key, aggregates, functions over several values, lists compared, membership.
@Suite struct CollectionValueTests {
  @Test(arguments: [
    Fact("ratings[0] == 5", 0, 2), Fact("ratings[FIRST] == 5", 0, 2), Fact("ratings[LAST] == 1", 4),
    Fact("ratings[SIZE] == 2", 3, 4), Fact("ratings[2] == 3", 0), Fact("ratings[2] == nil", 1, 2, 3, 4),
    Fact("ratings[-1] == nil", 0, 1, 2, 3, 4), Fact("ratings[ratings.@count - 1] == ratings[LAST]", 0, 1, 2, 3, 4),
    Fact("ratings[size - 1] == 3", 0), Fact("ratings[9223372036854775807] == nil", 0, 1, 2, 3, 4),
    Fact("scores[FIRST] == nil", 1, 2), Fact("scores[SIZE] == 0", 1, 2), Fact("tags[SIZE] == 2", 0, 4),
    Fact("labels[0] CONTAINS[c] 'N'", 0, 3), Fact("info.words[1] == 'z'", 3), Fact("weights[0] == 0.1", 0),
    Fact("prices['tea'] > 3", 2), Fact("prices[\"tea\"] == nil", 1, 3, 4), Fact("prices[name] == nil", 0, 1, 2, 3, 4),
    Fact("prices[TERNARY(size > 2, 'tea', 'pie')] < 3", 0, 4), Fact("prices[SIZE] == 2", 0),
    Fact("ratings[nil] == nil", 0, 1, 2, 3, 4),
  ])
  func elements(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test func keysAndPlacesMayBeArguments() throws {
    #expect(try Shops.matching("prices[%@] > 3", Arguments([.string("tea")])) == [2])
    #expect(try Shops.matching("ratings[%d] == 3", Arguments([.int(2)])) == [0])
    #expect(
      try Shops.matching("prices[$key] > $low", Arguments([], named: ["key": .string("tea"), "low": .int(3)])) == [2])
    #expect(try Shops.matching("%K[0] == 5", Arguments([.string("ratings")])) == [0, 2])
    var typed = Arguments([.string("2")])
    typed.textTakesType = true
    #expect(try Shops.matching("ratings[%@] == 3", typed) == [0])
  }

  @Test(arguments: [
    Fact("ratings.@count > 1", 0, 3, 4), Fact("ratings.@size == 0", 1), Fact("scores.@count == 0", 1, 2),
    Fact("scores.@count == 2", 0, 3), Fact("ratings.@sum == 9", 0), Fact("ratings.@sum == 0", 1),
    Fact("ratings.@sum == nil", 4), Fact("ratings.@avg == 3", 0), Fact("ratings.@avg == nil", 1),
    Fact("ratings.@min == 1", 0, 3, 4), Fact("ratings.@max == 5", 0, 2), Fact("scores.@sum == 1.5", 0),
    Fact("scores.@avg == 1.5", 0, 3), Fact("scores.@max == inf", 4), Fact("scores.@min == 0", 4),
    Fact("scores.@min == nil", 1, 2), Fact("labels.@min == 'Cheap'", 0), Fact("days.@max > opened", 0),
    Fact("prices.@sum > 6", 0, 2), Fact("prices.@values.@max == 4", 0), Fact("prices.@keys.@count == 1", 2, 4),
    Fact("labels.@distinctUnionOfObjects.@count == 1", 2, 3, 4), Fact("'new' IN labels.@distinctUnionOfObjects", 0, 3),
    Fact("ratings.@avg * 2 + 1 == 7", 0), Fact("ratings.@count + labels.@count == 5", 0),
    Fact("info.words.@count == 2", 3),
    Fact("ratings.@sum + 1 == nil", 4), Fact("TERNARY(ratings.@count > 1, 'many', 'few') == 'many'", 0, 3, 4),
  ])
  func aggregates(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test(arguments: [
    Fact("sum(ratings) == 9", 0), Fact("sum:(ratings) == 9", 0), Fact("COUNT(labels) == 2", 0, 3),
    Fact("count(1, nil, 3) == 3", 0, 1, 2, 3, 4), Fact("max(size, 2) == 2", 2, 3, 4), Fact("min({size, 2}) == 2", 0, 1),
    Fact("average(size, 5) == 4", 0), Fact("median(ratings) == 3", 0), Fact("median(ratings) == 1.5", 3),
    Fact("median({1, 2, 3, 10}) == 2.5", 0, 1, 2, 3, 4), Fact("mode(labels) == 'new'", 3),
    Fact("mode({2, 1, 2, 1}) == 1", 0, 1, 2, 3, 4),
    Fact("mode(ratings) == 1", 0, 3, 4), Fact("stddev({1, 3}) == 1", 0, 1, 2, 3, 4), Fact("stddev(ratings) == nil", 1),
    Fact("stddev:(ratings) == 0.5", 3), Fact("sum(size, weight) > 3", 0, 1),
    Fact("sum({}) == 0 AND max({}) == nil", 0, 1, 2, 3, 4),
    Fact("sum(ratings, size) == 12", 0), Fact("max(nil, size) == 5", 1), Fact("average(scores) == 1.5", 0, 3),
    Fact("max(SUBQUERY(ratings, $r, $r < 4)) == 3", 0), Fact("max({1, 2.5}) == 2.5", 0, 1, 2, 3, 4),
    Fact("sum(9223372036854775807, 1) == nil", 0, 1, 2, 3, 4),
    Fact("sum(9223372036854775807, 1, -5) > 0", 0, 1, 2, 3, 4),
  ])
  func functionsOfSeveral(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test(arguments: [
    Fact("{5, 1, 3} == ratings", 0), Fact("ratings == {5, 1, 3}", 0), Fact("ratings == {1, 3, 5}"),
    Fact("ratings == {}", 1), Fact("ratings != {5}", 0, 1, 3, 4), Fact("tags == {'a', 'b'}", 0, 4),
    Fact("tags == {'b', 'a'}"), Fact("labels ==[c] {'NEW', 'cheap'}", 0), Fact("scores == {1, 2}", 3),
    Fact("scores == ratings", 1, 3), Fact("scores != ratings", 0, 2, 4), Fact("weights == {0.3}", 2),
    Fact("prices == {4, 2.5}", 0), Fact("{size, 1} == {3, 1}", 0), Fact("days == {'2020-01-03'}", 2),
    Fact("labels == SUBQUERY(labels, $l, $l != 'Cheap')", 1, 2, 3, 4),
    Fact("scores == nil", 2), Fact("scores != nil", 0, 1, 3, 4), Fact("info.words == nil", 1, 4),
    Fact("nil == scores", 2),
    Fact("ratings < {6, 2, 4}", 0), Fact("ratings <= {1, 2}", 3),
  ])
  func lists(_ fact: Fact) throws { #expect(try Shops.matching(fact.text) == fact.rows) }

  @Test(arguments: [
    Fact("labels CONTAINS 'new'", 0, 3), Fact("labels CONTAINS 'ne'"), Fact("labels CONTAINS[c] 'CHEAP'", 0, 2),
    Fact("tags CONTAINS 'e'", 3), Fact("prices CONTAINS 9", 2), Fact("ratings CONTAINS size", 0, 4),
    Fact("'new' IN labels", 0, 3), Fact("'CHEAP' IN[c] labels", 0, 2), Fact("9.0 IN prices", 2),
    Fact("'tea' IN prices.@keys", 0, 2),
    Fact("size IN ratings", 0, 4), Fact("0.1 IN weights", 0), Fact("weight IN {0.1, 0.3}", 0, 3),
    Fact("'m' IN name", 3), Fact("'M' IN[c] name", 3), Fact("name IN {'Bo', nil}", 1, 2), Fact("size IN {}"),
    Fact("size IN {ratings[0] - 2, 1}", 0, 4), Fact("5 IN {size, ratings[0]}", 0, 1, 2),
    Fact("'2020-01-03' IN days", 2),
    Fact("{1, 2, 3} CONTAINS size", 0, 4), Fact("labels CONTAINS name"),
    Fact("ANY labels IN tags"), Fact("uppercase(name) IN {'ADA', 'BO'}", 0, 1), Fact("size * 1.0 IN {3, 5}", 0, 1),
    Fact("NOT size IN {3, 5}", 2, 3, 4), Fact("4 IN SUBQUERY(ratings, $r, $r > 2)"),
    Fact("3 IN SUBQUERY(ratings, $r, $r > 2)", 0),
  ])
  func membership(_ fact: Fact) throws {
    #expect(try Shops.matching(fact.text) == fact.rows)
  }

  @Test func mistakesAreNamed() {
    for text in [
      "size == {1, 2}", "{1, 2} == size", "ratings == 'x'", "ratings == {'x'}", "labels.@sum == 1", "labels.@avg == 1",
      "flags.@sum == 1", "tags[0] == 'a'", "prices[0] == 1", "ratings['x'] == 1", "labels.@keys == 'x'",
      "prices[FIRST] == 1",
      "ratings.@count.@max == 1", "median(labels) == 1", "max(1, 'x') == 1", "sum({1, 'x'}) == 1",
      "median(size, name) == 1",
      "size.@count == 1", "@count > 1", "ratings[0.5] == 1", "labels[0][0] == 'x'", "size IN 5", "size IN name",
    ] {
      #expect(Shops.message(text).contains("error[type-mismatch]"), "\(text): \(Shops.message(text))")
    }
    #expect(Shops.message("size == {1, 2}").contains("fix: write IN"))
    #expect(Shops.message("labels.x == 1").contains("error[unknown-property]"))
    #expect(Shops.message("prices.tea == 1").contains("prices[\"tea\"]"))
    #expect(Shops.message("sum() == 1").contains("error"))
  }

  @Test func whatIsNeverNilIsAWarning() {
    #expect(Shops.message("labels == nil").contains("ok\nwarning[never-nil]"))
    #expect(Shops.message("ANY labels == nil").contains("ok\nwarning[never-nil]"))
    #expect(Shops.message("scores == nil") == "ok")
    #expect(Shops.message("size != nil").contains("ok\nwarning[never-nil]"))
  }

  @Test func collectionsAreNoKeys() {
    for text in ["size > 0 SORT(labels ASC)", "size > 0 DISTINCT(tags)"] {
      #expect(Shops.message(text).contains("is a collection, and one value is needed here"), "\(text)")
    }
    #expect(Shops.message("size > 0 SORT(labels.@count DESC, ratings[0]) DISTINCT(ratings.@max) LIMIT(2)") == "ok")
  }
}
