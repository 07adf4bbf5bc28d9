/// Makes up sentences of a grammar, of bounded depth, from a seed.
package struct SentenceMaker {
  private let grammar: Grammar
  private let classes: [String: CharacterClass]
  /// How deep a rule must at least go.
  private var depths: [String: Int] = [:]
  private var length = 0
  /// The random numbers it draws from.
  package var random: SeededNumbers

  /// A maker of sentences of `grammar`.
  package init(_ grammar: Grammar, _ classes: [String: CharacterClass], seed: UInt64) {
    self.grammar = grammar
    self.classes = classes
    random = SeededNumbers(seed: seed)
    var changed = true
    while changed {
      changed = false
      for rule in grammar.rules {
        guard let depth = depth(rule.pattern), depths[rule.name].map({ depth + 1 < $0 }) ?? true else { continue }
        depths[rule.name] = depth + 1
        changed = true
      }
    }
  }

  /// How deep a pattern must at least go; nil while that is unknown.
  private func depth(_ pattern: Pattern) -> Int? {
    switch pattern {
    case .choice(let parts): return parts.compactMap { depth($0) }.min()
    case .sequence(let parts):
      let depths = parts.map { depth($0) }
      return depths.contains(nil) ? nil : depths.compactMap(\.self).max()
    case .rule(let name): return depths[name]
    case .optional, .repetition, .text, .words, .ahead: return 0
    }
  }

  /// A sentence: its tokens. Once there are `length` of them, it is brought to an end by the shortest way.
  package mutating func sentence(_ rule: String, depth: Int, length: Int = 30) -> [String] {
    var tokens: [String] = []
    self.length = length
    make(.rule(rule), depth, &tokens)
    return tokens
  }

  private mutating func make(_ pattern: Pattern, _ depth: Int, _ tokens: inout [String]) {
    let depth = tokens.count < length ? depth : 0
    switch pattern {
    case .choice(let parts):
      let allowed = parts.filter { part in self.depth(part).map { $0 <= depth } ?? false }
      if let part = allowed.isEmpty ? shallowest(parts) : random.pick(allowed) { make(part, depth, &tokens) }
    case .sequence(let parts):
      for part in parts { make(part, depth, &tokens) }
    case .optional(let part):
      if let needed = self.depth(part), needed < depth, random.below(4) == 0 { make(part, depth, &tokens) }
    case .repetition(let part):
      guard let needed = self.depth(part), needed < depth else { return }
      while random.below(5) == 0 { make(part, depth, &tokens) }
    case .rule(let name):
      guard let rule = grammar[name] else { return }
      if rule.isToken {
        // The pieces of a token stand side by side.
        var pieces: [String] = []
        make(rule.pattern, depth - 1, &pieces)
        tokens.append(pieces.joined())
      } else {
        make(rule.pattern, depth - 1, &tokens)
      }
    case .text(let text): tokens.append(text)
    case .words(let words): tokens.append(random.pick(classes[words]?.samples ?? [""]) ?? "")
    case .ahead: break
    }
  }

  private func shallowest(_ parts: [Pattern]) -> Pattern? {
    parts.min { (depth($0) ?? .max) < (depth($1) ?? .max) }
  }
}

/// Random numbers that a seed brings back (SplitMix64).
package struct SeededNumbers: Sendable {
  private var state: UInt64

  /// The numbers of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `limit` - 1.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  /// One of several; nil when there is none.
  package mutating func pick<T>(_ values: [T]) -> T? { values.isEmpty ? nil : values[below(values.count)] }
}
