import PredicateLanguage
import Schema
import Values

/// Makes a failing case smaller while it still fails.
enum Shrinking {
  /// The smallest case found; `fails` says whether a candidate still does. Bounded in tries and in time.
  static func shrink(
    _ store: RandomStore, _ query: RandomQuery, tries: Int = 400, time: Duration = .seconds(20),
    _ fails: (RandomStore, RandomQuery) -> Bool
  ) -> (RandomStore, RandomQuery) {
    var store = store
    var query = query
    let end = ContinuousClock.now + time
    var triesLeft = tries
    var left: Int { ContinuousClock.now < end ? triesLeft : 0 }
    var progress = true
    while progress, left > 0 {
      progress = false
      for filter in smaller(query.filter) where left > 0 {
        triesLeft -= 1
        let candidate = RandomQuery(filter: filter, arguments: query.arguments, definitions: query.definitions)
        if fails(store, candidate) {
          query = candidate
          progress = true
          break
        }
      }
      for candidate in smaller(store) where left > 0 {
        triesLeft -= 1
        if fails(candidate, query) {
          store = candidate
          progress = true
          break
        }
      }
    }
    return (store, query)
  }

  static func smaller(_ filter: FilterSyntax) -> [FilterSyntax] {
    var candidates: [FilterSyntax] = []
    for place in filter.tails.indices {
      var candidate = filter
      candidate.tails.remove(at: place)
      if candidate.predicate != nil || !candidate.tails.isEmpty { candidates.append(candidate) }
      guard case .filter(let predicate) = filter.tails[place] else { continue }
      for inner in smaller(predicate) {
        candidate = filter
        candidate.tails[place] = .filter(inner)
        candidates.append(candidate)
      }
    }
    guard let predicate = filter.predicate else { return candidates }
    if !filter.tails.isEmpty { candidates.append(FilterSyntax(predicate: nil, tails: filter.tails)) }
    return candidates + smaller(predicate).map { FilterSyntax(predicate: $0, tails: filter.tails) }
  }

  static func smaller(_ predicate: PredicateSyntax) -> [PredicateSyntax] {
    switch predicate.kind {
    case .and(let parts): return smaller(parts) { .and($0) }
    case .or(let parts): return smaller(parts) { .or($0) }
    case .not(let inner): return [inner] + smaller(inner).map { PredicateSyntax(.not($0)) }
    case .comparison(let comparison): return smaller(comparison)
    case .truth(let expression): return smaller(expression).map { PredicateSyntax(.truth($0)) }
    default: return []
    }
  }

  private static func smaller(
    _ parts: [PredicateSyntax], _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind
  ) -> [PredicateSyntax] {
    var candidates = parts
    if parts.count > 2 {
      for place in parts.indices {
        var rest = parts
        rest.remove(at: place)
        candidates.append(PredicateSyntax(kind(rest)))
      }
    }
    for (place, part) in parts.enumerated() {
      for inner in smaller(part) {
        var changed = parts
        changed[place] = inner
        // Flat chains stay flat: a part of the chain's own kind is no candidate.
        switch (inner.kind, kind([])) {
        case (.and, .and), (.or, .or): continue
        default: candidates.append(PredicateSyntax(kind(changed)))
        }
      }
    }
    return candidates
  }

  /// The store without an index, without a transaction, without a half, a quarter … of the first one's objects.
  private static func smaller(_ store: RandomStore) -> [RandomStore] {
    var candidates: [RandomStore] = []
    for place in store.transactions.indices.dropFirst() {
      var candidate = store
      candidate.transactions.remove(at: place)
      candidates.append(candidate)
    }
    let count = store.insertions
    var size = (count + 1) / 2
    while size > 0 {
      for start in stride(from: 0, to: count, by: size) {
        candidates.append(store.without(start..<min(start + size, count)))
      }
      if size == 1 || candidates.count > 64 { break }
      size = (size + 1) / 2
    }
    // A property less; one that the query needs makes it an error, which is another failure.
    if count <= 4 {
      for place in store.columns.indices where !store.columns[place].path.contains(".") {
        candidates += store.without(column: place)
      }
    }
    for place in store.entity.indexes.indices {
      var candidate = store
      candidate.schema.entities[0].indexes.remove(at: place)
      candidates.append(candidate)
    }
    return candidates
  }
}

extension RandomStore {
  /// How many objects are ever inserted.
  fileprivate var insertions: Int {
    transactions.joined().count { if case .insert = $0 { true } else { false } }
  }

  /// As if a property of the entity had never been; nothing where it is a struct or in an index.
  fileprivate func without(column: Int) -> [RandomStore] {
    let path = columns[column].path
    guard columns[column].kind != .presence, !columns[column].kind.isOfList,
      !entity.indexes.contains(where: { $0.paths.contains(path) }),
      columns.count > 1
    else { return [] }
    var store = self
    store.schema.entities[0].properties.removeAll { $0.name == path }
    store.transactions = transactions.map { changes in
      changes.map { change in
        switch change {
        case .insert(var row):
          row.remove(at: column)
          return .insert(row)
        case .update(let object, let changes):
          return .update(
            object,
            changes.filter { $0.column != column }.map { ($0.column > column ? $0.column - 1 : $0.column, $0.value) })
        case .delete: return change
        }
      }
    }
    return [store]
  }

  /// As if some of the objects, by order of insertion, had never been.
  fileprivate func without(_ gone: Range<Int>) -> RandomStore {
    func renumbered(_ object: Int) -> Int? {
      gone.contains(object) ? nil : object < gone.lowerBound ? object : object - gone.count
    }
    var next = 0
    var store = self
    store.transactions = transactions.map { changes in
      changes.compactMap { change in
        switch change {
        case .insert:
          next += 1
          return gone.contains(next - 1) ? nil : change
        case .update(let object, let changes): return renumbered(object).map { .update($0, changes) }
        case .delete(let object): return renumbered(object).map { .delete($0) }
        }
      }
    }
    return store
  }
}
