/// One line of the comparison with the two languages this one is the union of.
struct ComparisonRow: Sendable {
  /// What is compared.
  var feature: String
  /// A condition that shows it.
  var example: String
  /// Which of the sample's objects it finds, or the code of the error it gives.
  var answer: String
  /// What `NSPredicate` does.
  var apple: String
  /// What Realm's query language does.
  var realm: String
  /// What is different here, and why; empty where all agree.
  var difference: String

  /// Whether the language's page on purposeful differences lists it.
  var isOnPurpose = false
}

extension ComparisonRow {
  /// The objects that every example is asked of, as JSON lines.
  static let sample = """
    {"id": "a", "name": "Éclair", "i": 5, "x": 1.5, "flag": true, "ratings": [3, 5, 4], "time": "2018-02-07T01:02:03Z"}
    {"id": "b", "name": "привет", "i": 0, "x": null, "flag": false, "ratings": [], "time": "2019-01-01T00:00:00Z"}
    {"id": "c", "name": null, "i": 9223372036854775807, "x": -0.5, "flag": true, "ratings": [1, 2], "time": "2020-01-01T00:00:00Z"}
    {"id": "d", "name": "STRASSE 7", "i": 6, "x": 2.5, "flag": false, "ratings": [5], "time": "2021-01-01T00:00:00Z"}
    {"id": "e", "name": "two\\tparts", "i": -3, "x": 5.5, "flag": true, "ratings": [2, 9], "time": "2022-01-01T00:00:00Z"}

    """

  static let schema = """
    @Model struct Item {
      @Attribute(.unique) var id: String
      var name: String?
      var i: Int
      var x: Double?
      var flag: Bool
      var ratings: [Int]
      var time: Date
    }

    """

  static let all: [ComparisonRow] = comparing + texts + numbers + dates + collections + shapeOfTheText

  private static let comparing: [ComparisonRow] = [
    ComparisonRow(
      feature: "comparison, any spelling", example: "i = 5 OR i == 6", answer: "a d", apple: "the same",
      realm: "the same",
      difference: ""),
    ComparisonRow(
      feature: "AND before OR", example: "i == 5 OR i == 6 AND flag == TRUE", answer: "a", apple: "the same",
      realm: "the same", difference: ""),
    ComparisonRow(
      feature: "nil equals nil", example: "name == nil", answer: "c", apple: "the same", realm: "the same",
      difference: ""),
    ComparisonRow(
      feature: "`nil < 'x'` for texts", example: "name < 'x'", answer: "d e", apple: "false", realm: "true",
      difference: "a comparison with nil is false", isOnPurpose: true),
    ComparisonRow(
      feature: "a number against a text", example: "i == '5'", answer: "error[type-mismatch]", apple: "false, silently",
      realm: "reads the text as a number", difference: "an error with its fix: types never match by accident",
      isOnPurpose: true),
    ComparisonRow(
      feature: "IN a list", example: "i IN {5, 6}", answer: "a d", apple: "the same", realm: "the same", difference: ""),
    ComparisonRow(
      feature: "BETWEEN with a fraction, of an Int", example: "i BETWEEN {0, 5.5}", answer: "a b", apple: "0…5",
      realm: "garbage", difference: "numbers compare exactly, whatever their types", isOnPurpose: true),
  ]

  private static let texts: [ComparisonRow] = [
    ComparisonRow(
      feature: "`CONTAINS ''`", example: "name CONTAINS ''", answer: "a b d e", apple: "never matches",
      realm: "matches what is not nil", difference: "as Swift: every text contains the empty one", isOnPurpose: true),
    ComparisonRow(
      feature: "LIKE", example: "name LIKE 'STR*?'", answer: "d", apple: "the same", realm: "the same", difference: ""),
    ComparisonRow(
      feature: "`[c]` outside Latin-1", example: "name ==[c] 'ПРИВЕТ' OR name BEGINSWITH[c] 'straße'", answer: "b d",
      apple: "folds", realm: "does not fold", difference: "full Unicode case folding", isOnPurpose: true),
    ComparisonRow(
      feature: "`[d]`", example: "name ==[d] 'Eclair'", answer: "a", apple: "yes", realm: "no",
      difference: "by canonical decomposition, the same everywhere", isOnPurpose: true),
    ComparisonRow(
      feature: "MATCHES", example: "name MATCHES '[A-Z]+ \\d'", answer: "d", apple: "mostly",
      realm: "no",
      difference: "in linear time; a pattern that needs back-references is an error", isOnPurpose: true),
    ComparisonRow(
      feature: "escapes in texts", example: "name == 'two\\tparts'", answer: "e", apple: "mostly", realm: "no",
      difference: "an unknown escape is an error with a fix", isOnPurpose: true),
  ]

  private static let numbers: [ComparisonRow] = [
    ComparisonRow(
      feature: "Int / Double", example: "i / 2.0 == 2.5", answer: "a", apple: "Double", realm: "integer division",
      difference: "any Double makes it Double", isOnPurpose: true),
    ComparisonRow(
      feature: "overflow of Int", example: "i + 1 == nil", answer: "c", apple: "wraps or raises", realm: "wraps",
      difference: "nil: never a wrong number, never a crash", isOnPurpose: true),
  ]

  private static let dates: [ComparisonRow] = [
    ComparisonRow(
      feature: "a date of RQL", example: "time == 2018-02-07@01:02:03", answer: "a", apple: "has its own form",
      realm: "the same", difference: ""),
    ComparisonRow(
      feature: "a date as Apple prints it", example: "time == CAST(539658123.000000, \"NSDate\")", answer: "a",
      apple: "the same", realm: "has its own form", difference: ""),
  ]

  private static let collections: [ComparisonRow] = [
    ComparisonRow(
      feature: "ANY", example: "ANY ratings > 4", answer: "a d e", apple: "the same", realm: "the same", difference: ""),
    ComparisonRow(
      feature: "NONE", example: "NONE ratings > 4", answer: "b c", apple: "the same", realm: "the same", difference: ""),
    ComparisonRow(
      feature: "ALL", example: "ALL ratings >= 3", answer: "a b d", apple: "mostly", realm: "no",
      difference: "true of an empty collection", isOnPurpose: true),
    ComparisonRow(
      feature: "how many elements", example: "ratings.@count > 2", answer: "a", apple: "the same", realm: "the same",
      difference: ""),
    ComparisonRow(
      feature: "correlated SUBQUERY", example: "SUBQUERY(ratings, $r, $r < i AND $r > 2).@count > 1", answer: "a",
      apple: "mostly", realm: "no", difference: "a path without the variable is the outer object", isOnPurpose: true),
    ComparisonRow(
      feature: "an aggregate of SUBQUERY", example: "SUBQUERY(ratings, $r, $r > 3).@avg == 4.5", answer: "a",
      apple: "mostly", realm: "no", difference: "every aggregate, not only `@count`", isOnPurpose: true),
  ]

  private static let shapeOfTheText: [ComparisonRow] = [
    ComparisonRow(
      feature: "SORT and LIMIT after a predicate", example: "flag SORT(i DESC) LIMIT(2)", answer: "c a",
      apple: "on the fetch request, not in the text", realm: "the same", difference: ""),
    ComparisonRow(
      feature: "OFFSET after a predicate", example: "flag SORT(i DESC) OFFSET(1) LIMIT(2)", answer: "a e",
      apple: "on the fetch request, not in the text", realm: "no",
      difference: "an adjacent LIMIT takes what OFFSET leaves",
      isOnPurpose: true),
    ComparisonRow(
      feature: "a filter after a tail", example: "TRUEPREDICATE SORT(i DESC) LIMIT(3) FILTER(flag)", answer: "c a",
      apple: "no", realm: "no", difference: "tails are applied left to right; a filter is one of them",
      isOnPurpose: true),
    ComparisonRow(
      feature: "a mistake", example: "i IS NULL", answer: "error[is-null]",
      apple: "no place, or the end of the process",
      realm: "the same", difference: "an error with its place and a fix that can be applied"),
  ]
}
