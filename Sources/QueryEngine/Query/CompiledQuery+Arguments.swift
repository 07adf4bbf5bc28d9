package import PredicateLanguage
internal import Values

extension CompiledQuery {
  /// The query of one filter with other arguments, without looking up names and checking types again. Returns nil if
  /// the arguments are not all of the same types as before, or if the compiled query depends on more than their types.
  ///
  /// - Parameters:
  ///   - syntax: The filter with its placeholders; its tails have none.
  ///   - old: The arguments that this query was compiled with.
  ///   - new: The new arguments.
  ///   - shape: The cache that the queries made from this one share.
  package func refilled(
    _ syntax: FilterSyntax, from old: Arguments, to new: Arguments, sharing shape: PlanShapeCache? = nil
  ) -> CompiledQuery? {
    guard warnings.isEmpty, let predicate = syntax.predicate, case .filter(let bound)? = stages.first,
      let filled = self.syntax.predicate, old.positional.count == new.positional.count,
      old.named.count == new.named.count
    else { return nil }
    let filling = ArgumentFilling(old: old, new: new)
    guard let found = filling.refilled(predicate, bound, filled) else { return nil }
    return CompiledQuery(
      self, stages: [.filter(found.bound)] + stages.dropFirst(),
      format: FilterSyntax(predicate: found.filled, tails: self.syntax.tails), shape: shape)
  }
}

/// Replaces the constants of a bound predicate, guided by the syntax it was bound from.
///
/// Only comparisons of a column with a placeholder change, and only if the binder uses every value of the type
/// unchanged. Arguments that are parsed, rounded or rejected are bound anew.
private struct ArgumentFilling {
  let old: Arguments
  let new: Arguments

  typealias Filled = (bound: BoundPredicate, filled: PredicateSyntax)

  /// - Parameters:
  ///   - syntax: The predicate with its placeholders.
  ///   - bound: The predicate bound with the old arguments.
  ///   - filled: The predicate with the old arguments substituted.
  func refilled(_ syntax: PredicateSyntax, _ bound: BoundPredicate, _ filled: PredicateSyntax) -> Filled? {
    switch (syntax.kind, bound, filled.kind) {
    case (.and(let parts), .and(let boundParts), .and(let filledParts)):
      guard let found = refilled(parts, boundParts, filledParts) else { return nil }
      return (.and(found.map(\.bound)), PredicateSyntax(.and(found.map(\.filled)), range: filled.range))
    case (.or(let parts), .or(let boundParts), .or(let filledParts)):
      guard let found = refilled(parts, boundParts, filledParts) else { return nil }
      return (.or(found.map(\.bound)), PredicateSyntax(.or(found.map(\.filled)), range: filled.range))
    case (.not(let inner), .not(let boundInner), .not(let filledInner)):
      return refilled(inner, boundInner, filledInner).map {
        (.not($0.bound), PredicateSyntax(.not($0.filled), range: filled.range))
      }
    case (.comparison(let comparison), .comparison(let boundComparison), .comparison(let filledComparison)):
      // A comparison without arguments does not change.
      if comparison == filledComparison { return (bound, filled) }
      return refilled(comparison, boundComparison, filledComparison, filled)
    case (let unfilled, _, let kind): return unfilled == kind ? (bound, filled) : nil
    }
  }

  private func refilled(
    _ parts: [PredicateSyntax], _ bound: [BoundPredicate], _ filled: [PredicateSyntax]
  ) -> [Filled]? {
    guard parts.count == bound.count, parts.count == filled.count else { return nil }
    var found: [Filled] = []
    found.reserveCapacity(parts.count)
    for place in parts.indices {
      guard let part = refilled(parts[place], bound[place], filled[place]) else { return nil }
      found.append(part)
    }
    return found
  }

  private func refilled(
    _ syntax: ComparisonSyntax, _ bound: BoundComparison, _ filled: ComparisonSyntax, _ whole: PredicateSyntax
  ) -> Filled? {
    guard syntax.quantifier == nil, syntax.rightQuantifier == nil, syntax.left == filled.left,
      let (old, new) = argument(syntax.right), case .column(_, let type) = bound.left, bound.right.count == 1,
      let before = bound.right[0].constant, before.isIdentical(to: old), bound.shape == nil,
      bound.members == nil,
      Binder.takesAsItIs(old, as: type, by: syntax.comparator), Binder.takesAsItIs(new, as: type, by: syntax.comparator)
    else { return nil }
    var test: TextTest?
    if bound.test != nil {
      guard case .string(let text) = new,
        let made = try? TextTest(bound.comparator, text, folding: bound.folding)
      else { return nil }
      test = made
    }
    var changed = filled
    changed.right.kind = .literal(new)
    let predicate = PredicateSyntax(.comparison(changed), range: whole.range)
    return (
      .comparison(
        BoundComparison(
          comparator: bound.comparator, folding: bound.folding, left: bound.left, right: [.constant(new)],
          test: test, syntax: predicate)), predicate
    )
  }

  /// The old and the new value of an argument. Returns nil if the expression is not a placeholder, or if its
  /// placeholder requires a kind of number.
  private func argument(_ syntax: ExpressionSyntax) -> (old: Value, new: Value)? {
    guard case .placeholder(let placeholder) = syntax.kind else { return nil }
    switch placeholder {
    case .sequential(let place, "@"), .positional(let place):
      guard old.positional.indices.contains(place), new.positional.indices.contains(place) else { return nil }
      return (old.positional[place], new.positional[place])
    case .named(let name):
      guard let before = old.named[name], let after = new.named[name] else { return nil }
      return (before, after)
    case .sequential: return nil
    }
  }
}
