internal import QueryEngine
internal import Storage

/// Finds the indexes worth having for some statements, on samples of a store, which it leaves as it is.
///
/// It takes the index that gains most, then the one that gains most beside it, until none gains enough; last it removes
/// those that the others have made superfluous.
package struct IndexAdvisor {
  let store: Store
  /// The most objects of one entity in a sample.
  package var sampleSize = 30_000
  /// The most objects in a sample.
  private var largestSample: Int { 4 * sampleSize }
  package var cancellation: Cancellation?

  /// An index must gain this much in all statements together, in nanoseconds,
  package var leastGain = 50_000.0
  /// and this fraction of what the statements that it serves cost.
  private static let leastPart = 0.1
  /// Of indexes whose gains differ by less than this fraction, the one with fewer columns is taken.
  private static let likeness = 0.02
  /// The most indexes of one entity that are built on the samples.
  private static let mostCandidates = 64

  package init(_ store: Store) { self.store = store }

  /// The advice for some statements.
  ///
  /// - Throws: `StoreError` when the store cannot be read, `cancelled` among them; `QueryCancelled`.
  package func advice(for statements: [AdvisedStatement]) throws -> IndexAdvice {
    var advice = IndexAdvice()
    try store.file.read { snapshot in
      let planned = try planned(statements, in: snapshot, &advice)
      advice.unused = try unused(by: planned, in: snapshot)
      let candidates = try candidates(for: planned, in: snapshot, &advice)
      let choice = try chosen(of: candidates, for: planned, in: snapshot, &advice)
      advice.statements = zip(planned, choice.costs).map {
        IndexAdvice.Statement(source: $0.statement.source, count: $0.statement.count, before: $0.cost, after: $1)
      }
      advice.advised = choice.advised
    }
    return advice
  }

  private func check() throws {
    if cancellation?.isCancelled == true { throw QueryCancelled() }
  }

  // MARK: Statements

  /// The plans of the statements. Those that cannot be planned, or whose plans tell nothing, are left out.
  private func planned(
    _ statements: [AdvisedStatement], in snapshot: Snapshot, _ advice: inout IndexAdvice
  ) throws -> [PlannedStatement] {
    let scope = SnapshotScope(snapshot, store: store)
    defer { scope.end() }
    var planned: [PlannedStatement] = []
    for statement in statements {
      try check()
      do {
        guard let found = try PlannedStatement(statement, in: .snapshot(scope), cancellation) else { continue }
        if found.objects > 0 {
          planned.append(found)
        } else {
          let reason = "\(found.entity) has no objects, so there is nothing to judge an index by"
          advice.leftOut.append(IndexAdvice.LeftOut(source: statement.source, reason: reason))
        }
      } catch let error as QueryError {
        let reason = error.diagnostics.first?.message ?? "it cannot be planned"
        advice.leftOut.append(IndexAdvice.LeftOut(source: statement.source, reason: reason))
      }
    }
    return planned
  }

  /// The declared indexes that no plan uses.
  private func unused(by planned: [PlannedStatement], in snapshot: Snapshot) throws -> [IndexAdvice.Unused] {
    if planned.isEmpty { return [] }
    let used = planned.reduce(into: Set<StoredIndex>()) { $0.formUnion($1.indexes) }
    return try store.file.statistics().indexes.filter { !$0.index.isUnique && !used.contains($0.index) }.map {
      IndexAdvice.Unused($0.index.index, of: $0.entity.entity, bytes: $0.knownBytes)
    }
  }

  // MARK: Candidates

  /// The indexes that may help, without those that the store has.
  private func candidates(
    for planned: [PlannedStatement], in snapshot: Snapshot, _ advice: inout IndexAdvice
  ) throws -> [IndexCandidate] {
    var found: [IndexCandidate] = []
    var known: Set<IndexCandidate> = []
    // Expensive statements first, in case that there are too many.
    let questions = planned.sorted { $0.total > $1.total }.flatMap(\.questions)
    for question in questions {
      let existing = snapshot.schema.entity(named: question.entity)?.indexes.map(\.index) ?? []
      for index in question.candidates {
        let candidate = IndexCandidate(entity: question.entity, index: index)
        let isThere = existing.contains { $0.paths == index.paths && ($0.kind == index.kind || $0.kind == .unique) }
        if !isThere, known.insert(candidate).inserted { found.append(candidate) }
      }
    }
    var counts: [String: Int] = [:]
    let kept = found.filter { candidate in
      counts[candidate.entity, default: 0] += 1
      return counts[candidate.entity, default: 0] <= Self.mostCandidates
    }
    advice.untried = found.count - kept.count
    return kept
  }

  // MARK: Choice

  private struct Choice {
    var advised: [IndexAdvice.Advised] = []
    /// What each statement costs with them.
    var costs: [Double]
  }

  private func chosen(
    of candidates: [IndexCandidate], for planned: [PlannedStatement], in snapshot: Snapshot,
    _ advice: inout IndexAdvice
  ) throws -> Choice {
    let total = planned.reduce(0) { $0 + $1.total }
    // Not even an index that makes all of them cost nothing would be worth having.
    guard !candidates.isEmpty, total >= leastGain else { return Choice(costs: planned.map(\.cost)) }
    let samples = try samples(for: planned, candidates, in: snapshot, &advice)
    let costs = SampledCosts(planned, samples: samples, cancellation: cancellation)
    var chosen: [IndexCandidate] = []
    while let next = try best(of: candidates, beside: chosen, planned, costs) { chosen.append(next) }
    // An index may be superfluous beside those that were chosen after it.
    for index in chosen where chosen.count > 1 {
      let others = chosen.filter { $0 != index }
      if try gain(of: index, beside: others, planned, costs) == nil { chosen = others }
    }
    let all = Set(chosen)
    var choice = Choice(costs: try planned.indices.map { try costs.cost(of: $0, with: all) })
    let sizes = try SampledSizes(samples)
    choice.advised = try chosen.map { index in
      let serves = try planned.indices.filter {
        try costs.cost(of: $0, with: all.subtracting([index])) > 1.1 * choice.costs[$0]
      }
      let entity = snapshot.schema.entity(named: index.entity)
      return IndexAdvice.Advised(
        entity: index.entity, index: index.index, serves: serves,
        before: serves.reduce(0) { $0 + planned[$1].total },
        after: serves.reduce(0) { $0 + Double(planned[$1].statement.count) * choice.costs[$1] },
        bytes: sizes.bytes(of: index, objects: try entity.map { try snapshot.objectCount($0) } ?? 0),
        entries: sizes.entries(of: index),
        share: sizes.share(of: index, beside: entity?.indexes.map(\.index) ?? []))
    }
    return choice
  }

  /// The index that gains most beside others; nil if none gains enough.
  private func best(
    of candidates: [IndexCandidate], beside chosen: [IndexCandidate], _ planned: [PlannedStatement],
    _ costs: SampledCosts
  ) throws -> IndexCandidate? {
    var best: (index: IndexCandidate, gain: Double)?
    // Those with fewer columns come first.
    for candidate in candidates.sorted(by: { $0.index.paths.count < $1.index.paths.count })
    where !chosen.contains(candidate) {
      try check()
      guard let gain = try gain(of: candidate, beside: chosen, planned, costs) else { continue }
      if gain > (best?.gain ?? 0) * (1 + Self.likeness) { best = (candidate, gain) }
    }
    return best?.index
  }

  /// What an index gains beside others in all statements together; nil if that is not enough.
  private func gain(
    of candidate: IndexCandidate, beside chosen: [IndexCandidate], _ planned: [PlannedStatement], _ costs: SampledCosts
  ) throws -> Double? {
    let without = Set(chosen)
    let with = without.union([candidate])
    var gain = 0.0
    var served = 0.0
    for place in planned.indices where planned[place].mayUse(candidate) {
      let before = try costs.cost(of: place, with: without)
      let saved = before - (try costs.cost(of: place, with: with))
      let count = Double(planned[place].statement.count)
      gain += count * saved
      if saved > 0 { served += count * before }
    }
    return gain >= leastGain && gain >= Self.leastPart * served ? gain : nil
  }

  // MARK: Samples

  /// A sample with all candidates, and where it has only a part of the objects its halves.
  private func samples(
    for planned: [PlannedStatement], _ candidates: [IndexCandidate], in snapshot: Snapshot,
    _ advice: inout IndexAdvice
  ) throws -> [StoreSample] {
    let roots = Set(planned.map(\.entity))
    let names = snapshot.schema.linked(with: roots)
    let entities = snapshot.schema.entities.filter { names.contains($0.name) }
    let most = min(sampleSize, max(1, largestSample / max(1, entities.count)))
    let sampled = try SampledObjects(of: entities, most: most, in: snapshot, check)
    for name in sampled.partial.sorted() where roots.contains(name) {
      let count = try snapshot.schema.entity(named: name).map { try snapshot.objectCount($0) } ?? 0
      advice.sampled.append(IndexAdvice.Sampled(entity: name, objects: most, all: count))
    }
    return try ([sampled] + sampled.halves).map { sampled in
      var linked = sampled
      try linked.addTargets(of: roots, most: largestSample, in: snapshot, check)
      return try StoreSample(linked, of: snapshot, with: candidates, cancellation, check)
    }
  }
}

extension PlannedStatement {
  /// What it costs as often as it runs.
  fileprivate var total: Double { Double(statement.count) * cost }
}

extension StoredSchema {
  /// Some entities, with all that link to each other.
  fileprivate func linked(with names: Set<String>) -> Set<String> {
    var found = names
    while true {
      let next = entities.reduce(into: found) { found, entity in
        let targets = Set(entity.columns.compactMap(\.target))
        if found.contains(entity.name) { found.formUnion(targets) }
        if !found.isDisjoint(with: targets) { found.insert(entity.name) }
      }
      if next == found { return found }
      found = next
    }
  }
}
