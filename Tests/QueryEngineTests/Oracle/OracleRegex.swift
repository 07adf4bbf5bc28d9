/// Regular expressions of a small kind (letters, `.`, `[ab]`, `( )`, `|`, `*`, `+`, `?`), matched by following every
/// possibility at once.
indirect enum OracleRegex {
  case empty
  case scalar(Unicode.Scalar)
  case any
  case oneOf([Unicode.Scalar])
  case sequence(OracleRegex, OracleRegex)
  case either(OracleRegex, OracleRegex)
  case repeated(OracleRegex, atLeastOnce: Bool)
  case optional(OracleRegex)

  /// Reads a pattern; nil when it is not of this kind.
  init?(_ pattern: String) {
    var scalars = Array(pattern.unicodeScalars)[...]
    guard let read = Self.alternatives(&scalars), scalars.isEmpty else { return nil }
    self = read
  }

  /// Whether the whole text matches.
  func matches(_ text: String, ignoringCase: Bool) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return ends(scalars, from: [0], ignoringCase).contains(scalars.count)
  }

  // MARK: Reading

  private static func alternatives(_ scalars: inout ArraySlice<Unicode.Scalar>) -> OracleRegex? {
    guard var result = sequence(&scalars) else { return nil }
    while scalars.first == "|" {
      scalars.removeFirst()
      guard let other = sequence(&scalars) else { return nil }
      result = .either(result, other)
    }
    return result
  }

  private static func sequence(_ scalars: inout ArraySlice<Unicode.Scalar>) -> OracleRegex? {
    var result = OracleRegex.empty
    while let next = scalars.first, next != "|", next != ")" {
      guard var part = single(&scalars) else { return nil }
      while let sign = scalars.first, sign == "*" || sign == "+" || sign == "?" {
        scalars.removeFirst()
        part = sign == "?" ? .optional(part) : .repeated(part, atLeastOnce: sign == "+")
      }
      result = .sequence(result, part)
    }
    return result
  }

  private static func single(_ scalars: inout ArraySlice<Unicode.Scalar>) -> OracleRegex? {
    switch scalars.popFirst() {
    case ".": return .any
    case "(":
      guard let inner = alternatives(&scalars), scalars.popFirst() == ")" else { return nil }
      return inner
    case "[":
      var choices: [Unicode.Scalar] = []
      while let next = scalars.popFirst(), next != "]" { choices.append(next) }
      return .oneOf(choices)
    case let scalar? where scalar.properties.isAlphabetic || scalar == " ": return .scalar(scalar)
    default: return nil
    }
  }

  // MARK: Matching

  /// Every place where a match that begins at one of `starts` can end.
  private func ends(_ text: [Unicode.Scalar], from starts: Set<Int>, _ ignoringCase: Bool) -> Set<Int> {
    func one(_ test: (Unicode.Scalar) -> Bool) -> Set<Int> {
      var found: Set<Int> = []
      for start in starts where start < text.count && test(text[start]) { found.insert(start + 1) }
      return found
    }
    func same(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
      left == right || (ignoringCase && Self.folded(left) == Self.folded(right))
    }
    switch self {
    case .empty: return starts
    case .scalar(let wanted): return one { same($0, wanted) }
    case .any: return one { $0 != "\n" }
    case .oneOf(let choices): return one { scalar in choices.contains { same($0, scalar) } }
    case .either(let a, let b):
      return a.ends(text, from: starts, ignoringCase).union(b.ends(text, from: starts, ignoringCase))
    case .optional(let inner): return inner.ends(text, from: starts, ignoringCase).union(starts)
    case .sequence(let a, let b):
      return b.ends(text, from: a.ends(text, from: starts, ignoringCase), ignoringCase)
    case .repeated(let inner, let atLeastOnce):
      var found: Set<Int> = []
      var fresh = starts
      while !fresh.isEmpty {
        fresh = inner.ends(text, from: fresh, ignoringCase).subtracting(found)
        found.formUnion(fresh)
      }
      return atLeastOnce ? found : found.union(starts)
    }
  }

  /// Simple case folding, where one scalar becomes one.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    guard upper.count == 1, let first = upper.first, scalar != "\u{131}" else { return String(scalar) }
    let lower = first.properties.lowercaseMapping
    return lower.unicodeScalars.count == 1 ? lower : String(scalar)
  }
}
