import Testing

@testable import QueryEngine

/// SUBQUERY over collections of single values.
@Suite struct SubqueryTests {
  @Test(arguments: [
    Fact("SUBQUERY(ratings, $r, $r > 2).@count > 0", 0, 2, 4), Fact("SUBQUERY(ratings, $r, $r > 2).@count == 2", 0),
    Fact("SUBQUERY(ratings, $r, $r > 2).@size == 2", 0), Fact("SUBQUERY(ratings, $r, $r < 4).@max == 3", 0),
    Fact("SUBQUERY(ratings, $r, $r < 4).@avg == 2", 0), Fact("SUBQUERY(ratings, $r, $r < 4).@sum + size == 7", 0),
    Fact("SUBQUERY(scores, $s, $s > 0).@count == 0", 1, 2),
    Fact("SUBQUERY(scores, $s, TRUEPREDICATE).@min == nil", 1, 2),
    // The outer object is what a path without a variable means.
    Fact("SUBQUERY(ratings, $r, $r > size).@count > 0", 0, 2, 3, 4),
    Fact("SUBQUERY(labels, $l, $l CONTAINS[c] 'CH').@count == 1", 0, 2),
    Fact("SUBQUERY(ratings, $r, $r IN scores).@count == 2", 3), Fact("SUBQUERY(tags, $t, ANY labels == $t).@count > 0"),
    // In each other, with a variable of the same name inside.
    Fact("SUBQUERY(ratings, $r, SUBQUERY(ratings, $q, $q > $r).@count == 1).@count > 0", 0, 3, 4),
    Fact("SUBQUERY(ratings, $r, SUBQUERY(scores, $r, $r == 1).@count == 1 AND $r == 2).@count == 1", 3),
    Fact("SUBQUERY(ratings, $r, ANY SUBQUERY(ratings, $q, $q != $r) == 3).@count == 2", 0),
    Fact("SUBQUERY(flags, $f, $f).@count == 1", 0, 3), Fact("SUBQUERY(flags, $f, NOT $f).@count == 2", 4),
    Fact("SUBQUERY(prices, $p, $p > 3).@count == 1", 0, 2),
    Fact("SUBQUERY(prices.@keys, $k, $k BEGINSWITH 't').@count == 1", 0, 2),
    Fact("ANY SUBQUERY(ratings, $r, $r > 1) < 4", 0, 3),
    Fact("SUBQUERY(ratings, $r, $r BETWEEN {2, 4}).@count == 1", 0, 3),
    Fact("SUBQUERY(info.words, $w, $w > 'x').@count == 2", 3),
    Fact("SUBQUERY(ratings, $r, TERNARY($r > 2, size, 0) == 3).@count == 2", 0),
    Fact("SUBQUERY(labels, $l, $l == 'new').@distinctUnionOfObjects.@count == 1", 0, 3),
  ])
  func finds(_ fact: Fact) throws {
    #expect(try Shops.matching(fact.text) == fact.rows)
  }

  @Test func mistakesAreNamed() {
    #expect(Shops.message("SUBQUERY(size, $s, $s > 1).@count > 0").contains("takes a collection"))
    #expect(Shops.message("SUBQUERY(ratings, $r, $r == 'x').@count > 0").contains("error[type-mismatch]"))
    #expect(Shops.message("SUBQUERY(ratings, $r, $r.@count > 0).@count > 0").contains("a single value"))
    #expect(Shops.message("SUBQUERY(ratings, $r, $r > 1) > 0") == "ok")
    #expect(Shops.message("SUBQUERY(ratings, $r, $r > 1).x > 0").contains("error[unknown-property]"))
    #expect(Shops.message("SUBQUERY(ratings, $r, missing > 1).@count > 0").contains("error[unknown-property]"))
  }
}
