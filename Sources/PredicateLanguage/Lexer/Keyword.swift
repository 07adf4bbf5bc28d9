/// The words with a meaning in the language, by their canonical spelling. Each can still be the name of a property.
enum Keyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"

  case between = "BETWEEN"
  case isIn = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case geoWithin = "geoWithin"
  case text = "TEXT"

  case isTrue = "TRUE"
  case yes = "YES"
  case isFalse = "FALSE"
  case no = "NO"
  case `nil` = "nil"
  case null = "NULL"
  case inf = "inf"
  case infinity = "infinity"
  case nan = "nan"
  case this = "SELF"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"

  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"

  case filter = "FILTER"
  case sort = "SORT"
  case distinct = "DISTINCT"
  case limit = "LIMIT"
  case offset = "OFFSET"
  case ascending = "ASC"
  case ascendingInFull = "ASCENDING"
  case descending = "DESC"
  case descendingInFull = "DESCENDING"

  case count = "COUNT"
  case explain = "EXPLAIN"
  case analyze = "ANALYZE"
  case delete = "DELETE"
  case update = "UPDATE"
  case set = "SET"
  case insert = "INSERT"
  case begin = "BEGIN"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
  case define = "LET"
  case `where` = "WHERE"
  case group = "GROUP"
  case sections = "SECTIONS"
  case by = "BY"
  case having = "HAVING"
  case select = "SELECT"
  case `as` = "AS"

  /// Whether the word is not read as a property's name at the start of a value, so that such a name must be escaped.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .any, .some, .all, .none, .isTrue, .yes, .isFalse, .no, .nil, .null, .inf, .infinity, .nan,
      .this, .truePredicate, .falsePredicate:
      true
    default: comparator != nil
    }
  }

  /// Whether the word is a constant value.
  var isValue: Bool {
    switch self {
    case .isTrue, .yes, .isFalse, .no, .nil, .null, .inf, .infinity, .nan, .this: true
    default: false
    }
  }

  /// Whether the word starts a clause or tail after a predicate.
  var startsClause: Bool {
    switch self {
    case .filter, .sort, .distinct, .limit, .offset, .where, .group, .sections, .having, .select: true
    default: false
    }
  }

  /// Whether the word is a direction of sorting.
  var isDirection: Bool {
    switch self {
    case .ascending, .ascendingInFull, .descending, .descendingInFull: true
    default: false
    }
  }

  /// Whether the word starts a statement.
  var startsStatement: Bool {
    switch self {
    case .count, .explain, .delete, .update, .insert, .begin, .commit, .rollback, .define: true
    default: false
    }
  }

  /// The comparison operator that the word is, or nil.
  var comparator: Comparator? {
    switch self {
    case .between: .between
    case .isIn: .isIn
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    case .matches: .matches
    case .geoWithin: .geoWithin
    case .text: .text
    default: nil
    }
  }

  /// The keyword spelt by `text` in any letter case.
  init?(spelling text: String) {
    var text = text
    let found = text.withUTF8 { utf8 in
      utf8.baseAddress.flatMap { KeywordTable.shared.keyword($0, utf8.count) }
    }
    guard let found else { return nil }
    self = found
  }
}

/// Finds a keyword by its letters, in any case, without making a string: the word's lowercased bytes, packed into two
/// integers, are looked up by hash in a fixed table.
struct KeywordTable: @unchecked Sendable {
  // Filled once and never written again, so sharing the pointer is safe; it lives as long as the process.
  private let slots: UnsafeMutablePointer<Slot>

  private struct Slot {
    var low: UInt64
    var high: UInt64
    var keyword: Keyword?
  }

  private static let mask = 255
  private static let longest = 16

  /// The table of all keywords.
  static let shared = KeywordTable()

  private init() {
    slots = .allocate(capacity: Self.mask + 1)
    slots.initialize(repeating: Slot(low: 0, high: 0, keyword: nil), count: Self.mask + 1)
    for keyword in Keyword.allCases {
      var spelling = keyword.rawValue
      spelling.withUTF8 { utf8 in
        guard let base = utf8.baseAddress else { return }
        let (low, high) = Self.pack(base, utf8.count)
        var place = Self.hash(low, high)
        while slots[place].keyword != nil { place = (place + 1) & Self.mask }
        slots[place] = Slot(low: low, high: high, keyword: keyword)
      }
    }
  }

  /// The keyword that the `count` bytes at `bytes` spell.
  @inline(__always)
  func keyword(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Keyword? {
    guard count >= 2, count <= Self.longest else { return nil }
    let (low, high) = Self.pack(bytes, count)
    var place = Self.hash(low, high)
    while let keyword = slots[place].keyword {
      if slots[place].low == low, slots[place].high == high { return keyword }
      place = (place + 1) & Self.mask
    }
    return nil
  }

  /// Setting bit 5 lowercases ASCII letters. Its effect on other bytes cannot cause collisions: words contain only
  /// letters, digits, `_` (which becomes 0x7F) and bytes above 0x7F.
  @inline(__always)
  private static func pack(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in 0..<min(count, 8) { low = low << 8 | UInt64(bytes[index] | 0x20) }
    var index = 8
    while index < count {
      high = high << 8 | UInt64(bytes[index] | 0x20)
      index += 1
    }
    return (low, high)
  }

  @inline(__always)
  private static func hash(_ low: UInt64, _ high: UInt64) -> Int {
    Int(truncatingIfNeeded: ((low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}
