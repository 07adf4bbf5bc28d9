/// The words and signs of the language that decide what a text means, in small letters.
public enum MeaningWords {
  /// How objects are ordered.
  public static let directions = ["asc", "ascending", "desc", "descending"]
  /// What makes one value of many.
  public static let aggregates = [
    "@count", "@size", "@sum", "@avg", "@average", "@min", "@max", "@median", "@mode", "@percentile",
    "@stddev", "@distinctunionofobjects", "@keys", "@allkeys",
    "@values", "@allvalues", "@type", "@links",
  ]
  /// What compares, by words.
  public static let comparators = [
    "between", "in", "contains", "beginswith", "endswith", "like", "matches", "geowithin", "text",
  ]
  /// What compares, by signs.
  public static let signs = ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]
  /// What joins conditions.
  public static let junctions = ["and", "&&", "or", "||"]
  /// What stands before a condition.
  public static let prefixes = ["not", "!", "any", "some", "all", "none"]
  /// What computes.
  public static let functions = [
    "abs", "ceiling", "floor", "round", "trunc", "sqrt", "exp", "ln", "log", "onescomplement", "uppercase", "lowercase",
    "length", "concat", "coalesce", "trim", "substring", "replace", "bucket", "minute", "second", "weekday", "year",
    "month", "day", "hour", "firstletter", "raise:topower:", "modulus:by:",
    "bitwiseand:with:",
    "bitwiseor:with:", "bitwisexor:with:", "leftshift:by:", "rightshift:by:", "distance", "sum", "count", "min", "max",
    "average", "median", "mode", "stddev", "now", "cast", "subquery", "ternary", "date", "uuid", "binary", "object",
    "geocircle", "geobox", "geopolygon",
  ]

  /// Words that one may be mistaken for another of.
  struct Kind {
    let words: Set<String>
    /// What they are called, here and in other languages.
    let spellings: [String]

    init(_ words: [String]) {
      self.words = Set(words)
      spellings = words + equivalents.filter { $0.value.count == 1 && words.contains($0.value[0]) }.map(\.key)
    }
  }

  /// What says the opposite.
  static let negations: Set = [
    "not", "!", "!=", "<>", "≠", "=!", "!==", "ne", "notnull", "isnotnull", "nor", "nand", "xor",
  ]

  private static let kinds = [
    directions, aggregates, comparators, signs, junctions, prefixes, functions,
  ].map(Kind.init)

  /// The kind that a word or sign is of; nil for one without a meaning of its own, such as a name.
  static func kind(of piece: String) -> Kind? { kinds.first { $0.words.contains(piece) } }

  /// Whether two spellings say the same, in this language or in another.
  static func isSame(_ written: String, as meant: String) -> Bool {
    written == meant || canonical[written] == (canonical[meant] ?? meant)
      || equivalents[written]?.contains(meant) == true
  }

  /// Other spellings that the language has itself.
  private static let canonical: [String: String] = [
    "asc": "asc", "ascending": "asc", "desc": "desc", "descending": "desc", "@count": "@count", "@size": "@count",
    "@avg": "@avg", "@average": "@avg", "@keys": "@keys", "@allkeys": "@keys", "@values": "@values",
    "@allvalues": "@values", "==": "==", "=": "==", "!=": "!=", "<>": "!=", "<=": "<=", "=<": "<=", ">=": ">=",
    "=>": ">=", "and": "and", "&&": "and", "or": "or", "||": "or", "not": "not", "!": "not", "any": "any",
    "some": "any",
  ]

  /// What other languages write, with what means just that here.
  private static let equivalents: [String: [String]] = [
    // Comparisons.
    "is": ["==", "!="], "isnull": ["=="], "isnil": ["=="], "notnull": ["!="], "isnotnull": ["!="], "===": ["=="],
    "!==": ["!="], ":=": ["=="], "=!": ["!="], "≤": ["<="], "≥": [">="], "≠": ["!="], "eq": ["=="], "equals": ["=="],
    "equal": ["=="], "ne": ["!="], "lt": ["<"], "le": ["<="], "gt": [">"], "ge": [">="], "greater": [">"],
    "more": [">"], "less": ["<"], "begins": ["beginswith"], "begin": ["beginswith"], "starts": ["beginswith"],
    "start": ["beginswith"], "startswith": ["beginswith"], "hasprefix": ["beginswith"], "ends": ["endswith"],
    "end": ["endswith"], "hassuffix": ["endswith"], "ilike": ["like"], "glob": ["like"], "within": ["geowithin"],
    "has": ["contains"], "includes": ["contains"],
    // A list equals no single value: IN is what is left to mean, and BETWEEN for a range.
    "==": ["in"], "=": ["in"], "...": ["between"], "..": ["between"], "..<": [">=", "and", "<"],
    // Conditions. A `&` between whole comparisons joins them; NONE of a single value is its NOT.
    "&": ["and"], "|": ["or"], "xor": ["and", "or", "not"], "nand": ["and", "not"], "nor": ["or", "not"],
    "none": ["not"],
    // Aggregates and functions.
    "@cnt": ["@count"], "@length": ["@count"], "@len": ["@count"], "@number": ["@count"], "size": ["@count"],
    "count": ["@count"], "@total": ["@sum"], "@mean": ["@avg"], "@minimum": ["@min"], "@smallest": ["@min"],
    "@maximum": ["@max"], "@largest": ["@max"], "@unique": ["@distinctunionofobjects"],
    "@distinct": ["@distinctunionofobjects"], "avg": ["average"], "mean": ["average"], "cnt": ["count"],
    "number": ["count"],
    "total": ["sum"], "minimum": ["min"], "smallest": ["min"], "maximum": ["max"], "largest": ["max"],
    "deviation": ["stddev"], "upper": ["uppercase"],
    "ucase": ["uppercase"], "touppercase": ["uppercase"], "uppercased": ["uppercase"], "lower": ["lowercase"],
    "lcase": ["lowercase"], "tolowercase": ["lowercase"], "lowercased": ["lowercase"], "len": ["length"],
    "strlen": ["length"], "char_length": ["length"], "ceil": ["ceiling"], "pow": ["raise:topower:"],
    "power": ["raise:topower:"], "mod": ["modulus:by:"], "truncate": ["trunc"], "if": ["ternary"], "iif": ["ternary"],
    "log10": ["log"], "ifnull": ["coalesce"], "nvl": ["coalesce"], "dayofweek": ["weekday"], "dayofmonth": ["day"],
    "getdate": ["now"], "current_timestamp": ["now"], "stdev": ["stddev"], "dist": ["distance"],
    "magnitude": ["abs"], "rounded": ["round"],
  ]
}
