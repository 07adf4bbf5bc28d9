/// The operators that compare two values.
public enum Comparator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case isIn = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case geoWithin = "geoWithin"
  case text = "TEXT"

  /// The operands that an operator compares. Code that treats the operators of a family alike switches over this
  /// instead of over all operators.
  package enum Family: Hashable, Sendable {
    case relation(Relation)
    case string(StringOperator)
    /// BETWEEN.
    case range
    /// IN.
    case membership
    /// geoWithin.
    case place
    /// TEXT.
    case fullText
  }

  /// `==` to `>=`: values of any one type.
  package enum Relation: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// The operators on strings. Except for MATCHES they also apply to Data.
  package enum StringOperator: Hashable, Sendable {
    case contains, beginsWith, endsWith, like, matches
  }

  /// The operator's family, with the operator within the family.
  package var family: Family {
    switch self {
    case .equal: .relation(.equal)
    case .notEqual: .relation(.notEqual)
    case .less: .relation(.less)
    case .lessOrEqual: .relation(.lessOrEqual)
    case .greater: .relation(.greater)
    case .greaterOrEqual: .relation(.greaterOrEqual)
    case .contains: .string(.contains)
    case .beginsWith: .string(.beginsWith)
    case .endsWith: .string(.endsWith)
    case .like: .string(.like)
    case .matches: .string(.matches)
    case .between: .range
    case .isIn: .membership
    case .geoWithin: .place
    case .text: .fullText
    }
  }

  /// The operators on strings, in the order in which they are offered.
  public static let stringOperators = allCases.filter { if case .string = $0.family { true } else { false } }
}

extension Comparator {
  /// What other languages call an operator. The parser suggests the operator to those who write one of these names.
  struct ForeignNames {
    /// Names between the operands, in lowercase: one word or two. Options in brackets are needed to mean the same.
    var between: [String] = []
    /// Names of methods that are called on the left operand, in lowercase.
    var methods: [String] = []
  }

  private var foreignNames: ForeignNames {
    switch self {
    case .equal: ForeignNames(between: ["eq", "equals", "equal to", "isnull"], methods: ["equals"])
    case .notEqual: ForeignNames(between: ["ne", "notnull"])
    case .less: ForeignNames(between: ["lt", "less than"])
    case .lessOrEqual: ForeignNames(between: ["le"])
    case .greater: ForeignNames(between: ["gt", "greater than", "more than"])
    case .greaterOrEqual: ForeignNames(between: ["ge"])
    case .between: ForeignNames()
    case .isIn: ForeignNames(between: ["contained in"], methods: ["in"])
    case .contains:
      ForeignNames(between: ["has", "includes"], methods: ["contains", "includes", "localizedstandardcontains[cd]"])
    case .beginsWith:
      ForeignNames(
        between: ["startswith", "hasprefix", "begins with", "begin with", "starts with", "start with"],
        methods: ["hasprefix", "startswith", "starts"])
    case .endsWith: ForeignNames(between: ["hassuffix", "ends with", "end with"], methods: ["hassuffix", "endswith"])
    case .like: ForeignNames(between: ["ilike[c]", "glob"])
    case .matches: ForeignNames(between: ["match"], methods: ["matches"])
    case .geoWithin: ForeignNames(between: ["within"])
    case .text: ForeignNames()
    }
  }

  /// The operators by foreign names, each with the way to write it here: `LIKE[c]` for `ilike`.
  static func written(for names: KeyPath<ForeignNames, [String]>) -> [String: (comparator: Comparator, written: String)]
  {
    var found: [String: (comparator: Comparator, written: String)] = [:]
    for comparator in allCases {
      for name in comparator.foreignNames[keyPath: names] {
        let word = name.prefix { $0 != "[" }
        found[String(word)] = (comparator, comparator.rawValue + name.dropFirst(word.count))
      }
    }
    return found
  }
}
