/// The functions of the language with the number of their arguments. It does not know their results.
enum FunctionTable {
  static let all: [PredicateFunction] =
    [
      "abs", "ceiling", "floor", "trunc", "sqrt", "exp", "ln", "log", "onesComplement", "uppercase",
      "lowercase",
      "trim", "length", "firstLetter", "year", "month", "day", "hour", "minute", "second", "weekday",
    ].map { PredicateFunction(name: $0, arity: 1...1) }
    + [
      "raise:toPower:", "modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
      "rightshift:by:", "bucket", "distance",
    ].map { PredicateFunction(name: $0, arity: 2...2) }
    + [
      PredicateFunction(name: "round", arity: 1...2), PredicateFunction(name: "substring", arity: 2...3),
      PredicateFunction(name: "replace", arity: 3...3), PredicateFunction(name: "concat", arity: 2...Int.max),
      PredicateFunction(name: "coalesce", arity: 2...Int.max),
    ]
    + aggregates
    + [PredicateFunction(name: "now", arity: 0...0)]

  /// The functions of many values: each is also an operator after `@`.
  static let aggregates = [
    aggregate("count", elsewhere: ["cnt", "length", "len", "number"]),
    aggregate("sum", elsewhere: ["total"]),
    aggregate("average", operator: "avg", elsewhere: ["avg", "mean"]),
    aggregate("min", elsewhere: ["minimum", "smallest"]),
    aggregate("max", elsewhere: ["maximum", "largest"]),
    aggregate("median"),
    aggregate("mode"),
    aggregate("stddev", elsewhere: ["std", "stdev", "stddev_pop", "deviation"]),
  ]

  private static func aggregate(
    _ name: String, operator written: String? = nil, elsewhere: [String] = []
  ) -> PredicateFunction {
    PredicateFunction(
      name: name, arity: 1...Int.max, collectionOperator: written ?? name, namesElsewhere: elsewhere)
  }

  /// The function that sections of an index of names are made by.
  static let initial = "firstLetter"

  /// Names that are written like functions but are literals, shapes or constructs.
  static let constructs = [
    "CAST", "SUBQUERY", "TERNARY", "date", "uuid", "binary", "decimal", "object", "geoCircle", "geoBox",
    "geoPolygon",
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })

  /// The function named `name`, in any letter case; `abs` and `abs:` are the same.
  static func function(_ name: String) -> PredicateFunction? {
    let lowered = name.lowercased()
    if let found = byName[lowered] { return found }
    guard lowered.last == ":" else { return nil }
    return byName[String(lowered.dropLast())].flatMap { $0.arity.contains(1) ? $0 : nil }
  }
}

extension ExpressionSyntax {
  /// The first letter of a string.
  package static func initial(of string: ExpressionSyntax) -> ExpressionSyntax {
    ExpressionSyntax(.call(FunctionTable.initial, [string]))
  }
}
