/// A grammar as plain productions over numbered symbols, as a recogniser needs it: brackets have become rules of their
/// own, repetitions left recursion.
package struct FlatGrammar: Sendable {
  /// What is read in one step.
  package enum Terminal: Hashable, Sendable {
    /// A text as it stands.
    case text(String)
    /// A token by the name of its rule.
    case token(String)
    /// Characters described in words.
    case words(String)
    /// Nothing is read; what comes next is one of these, each a row of terminals, or none of them.
    case ahead([[Int]], isNegated: Bool)
  }

  /// A symbol of a production: a terminal by its number, or a nonterminal as -1 - its number.
  typealias Symbol = Int32

  struct Production {
    var head: Int32
    var symbols: [Symbol]
    /// What of the grammar this production is an example of, for the account of what has one; nil for the rest.
    var example: Int32
  }

  private(set) var productions: [Production] = []
  /// By nonterminal, the numbers of its productions.
  private(set) var alternatives: [[Int32]] = []
  /// The terminals by their numbers.
  package private(set) var terminals: [Terminal] = []
  /// What in the grammar ought to have an example: each alternative, each bracket with and without its content.
  package private(set) var examples: [String] = []
  private var numbers: [Terminal: Int] = [:]
  private var nonterminals: [String: Int32] = [:]
  private let grammar: Grammar
  private let readsTokens: Bool
  private var pending: [Rule] = []
  let start: Int32

  /// The rules that `start` needs.
  ///
  /// - Parameter readsTokens: whether rules in capitals are read in one step, as by a lexer. Otherwise all is characters.
  package init(_ grammar: Grammar, start: String, readsTokens: Bool) {
    self.grammar = grammar
    self.readsTokens = readsTokens
    self.start = 0
    _ = nonterminal(start)
    while let rule = pending.popLast() {
      guard let head = nonterminals[rule.name] else { continue }
      add(rule.pattern, to: head, "\(rule.file):\(rule.line): \(rule.name) = ")
    }
    firsts = FirstSets(self)
  }

  private(set) var firsts = FirstSets()

  // MARK: Flattening

  private mutating func nonterminal(_ name: String) -> Int32 {
    if let number = nonterminals[name] { return number }
    let number = newNonterminal()
    nonterminals[name] = number
    if let rule = grammar[name] { pending.append(rule) }
    return number
  }

  private mutating func newNonterminal() -> Int32 {
    alternatives.append([])
    return Int32(alternatives.count - 1)
  }

  private mutating func add(_ symbols: [Symbol], to head: Int32, example: String?) {
    alternatives[Int(head)].append(Int32(productions.count))
    var number: Int32 = -1
    if let example {
      number = Int32(examples.count)
      examples.append(example)
    }
    productions.append(Production(head: head, symbols: symbols, example: number))
  }

  private mutating func add(_ pattern: Pattern, to head: Int32, _ place: String) {
    guard case .choice(let parts) = pattern else {
      return add(symbols(pattern, place), to: head, example: place + pattern.description)
    }
    for part in parts { add(symbols(part, place), to: head, example: place + "… | " + part.description) }
  }

  private mutating func symbols(_ pattern: Pattern, _ place: String) -> [Symbol] {
    switch pattern {
    case .sequence(let parts): return parts.flatMap { symbols($0, place) }
    case .choice:
      let group = newNonterminal()
      add(pattern, to: group, place + "… ")
      return [-1 - group]
    case .optional(let part):
      let group = newNonterminal()
      add([], to: group, example: "\(place)… without [ \(part) ]")
      add(part, to: group, place + "… in [ ] ")
      return [-1 - group]
    case .repetition(let part):
      let group = newNonterminal()
      add([], to: group, example: "\(place)… without { \(part) }")
      let element = symbols(part, place)
      add([-1 - group] + element, to: group, example: "\(place)… { \(part) }")
      return [-1 - group]
    case .rule(let name):
      if readsTokens, Rule.isToken(name) { return [Symbol(terminal(.token(name)))] }
      return [-1 - nonterminal(name)]
    case .text(let text): return [Symbol(terminal(.text(text)))]
    case .words(let words): return [Symbol(terminal(.words(words)))]
    case .ahead(let part, let isNegated): return [Symbol(terminal(.ahead(rows(part), isNegated: isNegated)))]
    }
  }

  private mutating func terminal(_ terminal: Terminal) -> Int {
    if let number = numbers[terminal] { return number }
    numbers[terminal] = terminals.count
    terminals.append(terminal)
    return terminals.count - 1
  }

  /// The rows of terminals that a pattern without recursion allows.
  private mutating func rows(_ pattern: Pattern) -> [[Int]] {
    switch pattern {
    case .choice(let parts): return parts.flatMap { rows($0) }
    case .sequence(let parts):
      return parts.reduce([[]]) { heads, part in
        let tails = rows(part)
        return heads.flatMap { head in tails.map { head + $0 } }
      }
    case .optional(let part): return [[]] + rows(part)
    case .rule(let name):
      if readsTokens, Rule.isToken(name) { return [[terminal(.token(name))]] }
      return grammar[name].map { rows($0.pattern) } ?? []
    case .text(let text): return [[terminal(.text(text))]]
    case .words(let words): return [[terminal(.words(words))]]
    case .ahead(let part, let isNegated): return [[terminal(.ahead(rows(part), isNegated: isNegated))]]
    // What comes next is a matter of a token or two.
    case .repetition: return [[]]
    }
  }
}

/// With which terminals each production can start, so that only those are tried which fit the text.
struct FirstSets {
  private(set) var width = 0
  /// `width` words a production, a bit a terminal.
  private(set) var bits: [UInt64] = []
  /// Whether a production can read nothing.
  private(set) var canBeEmpty: [Bool] = []

  init() {}

  init(_ grammar: FlatGrammar) {
    width = grammar.terminals.count / 64 + 1
    bits = Array(repeating: 0, count: width * grammar.productions.count)
    canBeEmpty = Array(repeating: false, count: grammar.productions.count)
    var ofNonterminal = Array(repeating: UInt64(0), count: width * grammar.alternatives.count)
    var emptyNonterminal = Array(repeating: false, count: grammar.alternatives.count)
    var changed = true
    while changed {
      changed = false
      for (number, production) in grammar.productions.enumerated() {
        var isEmpty = true
        for symbol in production.symbols where isEmpty {
          if symbol >= 0 {
            // Looking ahead reads nothing.
            if case .ahead = grammar.terminals[Int(symbol)] { continue }
            bits[number * width + Int(symbol) / 64] |= 1 << UInt64(symbol % 64)
            isEmpty = false
          } else {
            let nonterminal = Int(-1 - symbol)
            for word in 0..<width { bits[number * width + word] |= ofNonterminal[nonterminal * width + word] }
            isEmpty = emptyNonterminal[nonterminal]
          }
        }
        canBeEmpty[number] = isEmpty
        let head = Int(production.head)
        if isEmpty, !emptyNonterminal[head] {
          emptyNonterminal[head] = true
          changed = true
        }
        for word in 0..<width {
          let joined = ofNonterminal[head * width + word] | bits[number * width + word]
          if joined != ofNonterminal[head * width + word] {
            ofNonterminal[head * width + word] = joined
            changed = true
          }
        }
      }
    }
  }
}
