/// The rules of a grammar in the order they were written, from one file or several.
package struct Grammar: Sendable {
  /// All rules.
  package private(set) var rules: [Rule] = []
  private var byName: [String: Int] = [:]

  /// A grammar of the given rules.
  package init(_ rules: [Rule] = []) {
    for rule in rules {
      byName[rule.name] = byName[rule.name] ?? self.rules.count
      self.rules.append(rule)
    }
  }

  /// The rule of that name; the first one, should there be several.
  package subscript(name: String) -> Rule? { byName[name].map { rules[$0] } }

  /// The rules of both.
  package static func + (left: Grammar, right: Grammar) -> Grammar { Grammar(left.rules + right.rules) }
}

/// `name = pattern ;`
package struct Rule: Sendable {
  /// Its name. Capitals mean a token.
  package var name: String
  /// What it stands for.
  package var pattern: Pattern
  /// The remark before it, if there is one.
  package var remark: String?
  /// The file it is in, without its path.
  package var file: String
  /// The line it starts on, from 1.
  package var line: Int

  /// Whether it is a token, of which white space is no part.
  package var isToken: Bool { Rule.isToken(name) }

  /// Whether a name is one of a token.
  package static func isToken(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 97 } }
}

/// What a rule stands for.
package indirect enum Pattern: Hashable, Sendable {
  /// `a | b`
  case choice([Pattern])
  /// `a b`
  case sequence([Pattern])
  /// `[ a ]`
  case optional(Pattern)
  /// `{ a }`
  case repetition(Pattern)
  /// A rule by its name.
  case rule(String)
  /// `"a"`
  case text(String)
  /// `? in words ?`
  case words(String)
  /// `& a`, and negated `! a`: what comes next, of which nothing is read.
  case ahead(Pattern, isNegated: Bool)

  /// The patterns it is made of.
  package var parts: [Pattern] {
    switch self {
    case .choice(let parts), .sequence(let parts): parts
    case .optional(let part), .repetition(let part), .ahead(let part, _): [part]
    case .rule, .text, .words: []
    }
  }

  /// It and all it is made of.
  package var all: [Pattern] { [self] + parts.flatMap(\.all) }
}

extension Pattern: CustomStringConvertible {
  /// As it is written in the notation.
  package var description: String {
    switch self {
    case .choice(let parts): parts.map(\.description).joined(separator: " | ")
    case .sequence(let parts):
      parts.map { part in if case .choice = part { "( \(part) )" } else { part.description } }.joined(separator: " ")
    case .optional(let part): "[ \(part) ]"
    case .repetition(let part): "{ \(part) }"
    case .rule(let name): name
    case .text(let text): text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    case .words(let words): "? \(words) ?"
    case .ahead(let part, let isNegated):
      switch part {
      case .choice, .sequence: "\(isNegated ? "!" : "&") ( \(part) )"
      default: "\(isNegated ? "!" : "&") \(part)"
      }
    }
  }
}
