internal import Storage
internal import Synchronization

/// Collects what queries ask of indexes while they are planned: for the query's own objects, for the parts of each OR,
/// and for the linked objects that a predicate finds first.
package final class IndexQuestions: Sendable {
  private let asked = Mutex<[IndexQuestion]>([])

  package init() {}

  /// The questions so far, each once, in the order in which they were asked.
  package var all: [IndexQuestion] { asked.withLock { $0 } }

  /// Notes what a predicate and the stages after it ask.
  ///
  /// - Parameters:
  ///   - groups: The columns of a query that only counts their combinations of values.
  ///   - reduction: The aggregates of a query that asks for nothing else.
  func note(
    _ predicates: [BoundPredicate], _ tails: [BoundStage], groups: [Int]?, _ reduction: AggregateOnlyQuery?,
    of entity: StoredEntity
  ) {
    var question = IndexQuestion(predicates, of: entity)
    question.add(tails, of: entity)
    if let groups, tails.isEmpty { question.add(keys: groups, of: entity) }
    if let reduction { question.add(extremes: reduction.columns, of: entity) }
    var found = [question]
    for case .or(let parts) in predicates {
      for part in parts {
        let inner = if case .and(let inner) = part { inner } else { [part] }
        found.append(IndexQuestion(inner, of: entity))
      }
    }
    asked.withLock { asked in
      for question in found where !question.isEmpty && !asked.contains(question) { asked.append(question) }
    }
  }
}
