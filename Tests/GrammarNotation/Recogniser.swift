/// Where a recogniser gets what it reads from: the tokens of a lexer, or characters.
package protocol TerminalSource {
  /// The terminals that can be read at a place, each with where it ends. `ahead` is none of its business.
  mutating func matches(at position: Int) -> [(terminal: Int, end: Int)]
  /// Whether nothing more is to be read.
  mutating func isEnd(_ position: Int) -> Bool
}

/// Earley's recogniser: any context-free grammar, ambiguous or not, with rules that may read nothing. It knows neither
/// the language nor its tokens.
package struct Recogniser<Source: TerminalSource> {
  private struct Item {
    var state: Int32
    var origin: Int32
  }

  /// How an item came to be: from which item, over which complete one. For the account of examples.
  private struct Link {
    var set: Int32
    var item: Int32
    var childSet: Int32
    var child: Int32
  }

  private final class ItemSet {
    var items: [Item] = []
    var links: [[Link]] = []
    var places: [UInt64: Int32] = [:]
    /// By nonterminal, the items that wait for it.
    var waiting: [Int32: [Int32]] = [:]
    /// Nonterminals that were complete here without reading anything, by their items.
    var empty: [Int32: Int32] = [:]
    var matches: [(terminal: Int, end: Int)] = []
    var firsts: [UInt64] = []
  }

  private let grammar: FlatGrammar
  private var source: Source
  private let keepsLinks: Bool
  private var sets: [Int: ItemSet] = [:]
  private var order: [Int] = []
  /// Where the dotted productions start in the row of all states.
  private let firstState: [Int32]
  private let productionOfState: [Int32]

  private init(_ grammar: FlatGrammar, _ tables: RecogniserTables, _ source: Source, keepsLinks: Bool) {
    self.grammar = grammar
    self.source = source
    self.keepsLinks = keepsLinks
    firstState = tables.firstState
    productionOfState = tables.productionOfState
  }

  /// Whether the source is a sentence of the grammar.
  package static func accepts(_ grammar: FlatGrammar, _ tables: RecogniserTables, _ source: Source) -> Bool {
    var recogniser = Recogniser(grammar, tables, source, keepsLinks: false)
    return recogniser.run() != nil
  }

  /// What of the grammar the source is an example of, by number; nil when it is no sentence of it.
  package static func examples(_ grammar: FlatGrammar, _ tables: RecogniserTables, _ source: Source) -> Set<Int>? {
    var recogniser = Recogniser(grammar, tables, source, keepsLinks: true)
    guard let end = recogniser.run() else { return nil }
    return recogniser.examples(end)
  }

  // MARK: Reading

  private mutating func run() -> Int? {
    prepare(0)
    for production in grammar.alternatives[Int(grammar.start)] where fits(production, 0) {
      add(Item(state: firstState[Int(production)], origin: 0), to: 0, nil)
    }
    var next = 0
    while next < order.count {
      let position = order[next]
      process(position)
      next += 1
      if source.isEnd(position), finished(position) != nil { return position }
    }
    return nil
  }

  /// The item that says that the whole has been read.
  private func finished(_ position: Int) -> Int32? {
    guard let set = sets[position] else { return nil }
    for (number, item) in set.items.enumerated() where item.origin == 0 {
      let production = grammar.productions[Int(productionOfState[Int(item.state)])]
      if production.head == grammar.start, dot(item.state) == production.symbols.count { return Int32(number) }
    }
    return nil
  }

  private func dot(_ state: Int32) -> Int { Int(state - firstState[Int(productionOfState[Int(state)])]) }

  private mutating func prepare(_ position: Int) {
    guard sets[position] == nil else { return }
    let set = ItemSet()
    set.matches = source.matches(at: position)
    set.firsts = Array(repeating: 0, count: grammar.firsts.width)
    for match in set.matches { set.firsts[match.terminal / 64] |= 1 << UInt64(match.terminal % 64) }
    sets[position] = set
    order.insert(position, at: order.firstIndex { $0 > position } ?? order.count)
  }

  private func fits(_ production: Int32, _ position: Int) -> Bool {
    if grammar.firsts.canBeEmpty[Int(production)] { return true }
    guard let firsts = sets[position]?.firsts else { return false }
    let start = Int(production) * grammar.firsts.width
    for word in 0..<grammar.firsts.width where grammar.firsts.bits[start + word] & firsts[word] != 0 { return true }
    return false
  }

  private mutating func add(_ item: Item, to position: Int, _ link: Link?) {
    let key = UInt64(UInt32(item.state)) << 32 | UInt64(UInt32(item.origin))
    if let place = sets[position]?.places[key] {
      if keepsLinks, let link { sets[position]?.links[Int(place)].append(link) }
      return
    }
    sets[position]?.places[key] = Int32(sets[position]?.items.count ?? 0)
    sets[position]?.items.append(item)
    if keepsLinks { sets[position]?.links.append(link.map { [$0] } ?? []) }
  }

  private mutating func process(_ position: Int) {
    var number = 0
    while let item = sets[position]?.items[safe: number] {
      let production = grammar.productions[Int(productionOfState[Int(item.state)])]
      let dot = dot(item.state)
      if dot == production.symbols.count {
        complete(item, production.head, Int32(number), position)
      } else if production.symbols[dot] >= 0 {
        scan(item, Int(production.symbols[dot]), Int32(number), position)
      } else {
        predict(item, -1 - production.symbols[dot], Int32(number), position)
      }
      number += 1
    }
  }

  private mutating func predict(_ item: Item, _ nonterminal: Int32, _ number: Int32, _ position: Int) {
    let isFirst = sets[position]?.waiting[nonterminal] == nil
    sets[position]?.waiting[nonterminal, default: []].append(number)
    if isFirst {
      for production in grammar.alternatives[Int(nonterminal)] where fits(production, position) {
        add(Item(state: firstState[Int(production)], origin: Int32(position)), to: position, nil)
      }
    }
    if let child = sets[position]?.empty[nonterminal] {
      let link = Link(set: Int32(position), item: number, childSet: Int32(position), child: child)
      add(Item(state: item.state + 1, origin: item.origin), to: position, link)
    }
  }

  private mutating func scan(_ item: Item, _ terminal: Int, _ number: Int32, _ position: Int) {
    let next = Item(state: item.state + 1, origin: item.origin)
    let link = Link(set: Int32(position), item: number, childSet: -1, child: -1)
    if case .ahead(let rows, let isNegated) = grammar.terminals[terminal] {
      if rows.contains(where: { isAhead($0[...], position) }) != isNegated { add(next, to: position, link) }
      return
    }
    for match in sets[position]?.matches ?? [] where match.terminal == terminal {
      prepare(match.end)
      add(next, to: match.end, link)
    }
  }

  private mutating func isAhead(_ row: ArraySlice<Int>, _ position: Int) -> Bool {
    guard let first = row.first else { return true }
    if case .ahead(let rows, let isNegated) = grammar.terminals[first] {
      return rows.contains(where: { isAhead($0[...], position) }) != isNegated && isAhead(row.dropFirst(), position)
    }
    for match in source.matches(at: position) where match.terminal == first {
      if isAhead(row.dropFirst(), match.end) { return true }
    }
    return false
  }

  private mutating func complete(_ item: Item, _ head: Int32, _ number: Int32, _ position: Int) {
    let origin = Int(item.origin)
    if origin == position { sets[position]?.empty[head] = number }
    for waiting in sets[origin]?.waiting[head] ?? [] {
      guard let before = sets[origin]?.items[Int(waiting)] else { continue }
      let link = Link(set: item.origin, item: waiting, childSet: Int32(position), child: number)
      add(Item(state: before.state + 1, origin: before.origin), to: position, link)
    }
  }

  // MARK: Examples

  private func examples(_ end: Int) -> Set<Int> {
    guard let last = finished(end) else { return [] }
    var found: Set<Int> = []
    var seen: Set<UInt64> = []
    var open: [(set: Int32, item: Int32)] = [(Int32(end), last)]
    while let (set, number) = open.popLast() {
      guard seen.insert(UInt64(UInt32(set)) << 32 | UInt64(UInt32(number))).inserted, let items = sets[Int(set)] else {
        continue
      }
      let production = grammar.productions[Int(productionOfState[Int(items.items[Int(number)].state)])]
      if production.example >= 0 { found.insert(Int(production.example)) }
      for link in items.links[Int(number)] {
        open.append((link.set, link.item))
        if link.child >= 0 { open.append((link.childSet, link.child)) }
      }
    }
    return found
  }
}

/// What all recognisers of one grammar share.
package struct RecogniserTables: Sendable {
  fileprivate var firstState: [Int32] = []
  fileprivate var productionOfState: [Int32] = []

  /// The tables of a grammar.
  package init(_ grammar: FlatGrammar) {
    for (number, production) in grammar.productions.enumerated() {
      firstState.append(Int32(productionOfState.count))
      productionOfState += Array(repeating: Int32(number), count: production.symbols.count + 1)
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { index < count ? self[index] : nil }
}
