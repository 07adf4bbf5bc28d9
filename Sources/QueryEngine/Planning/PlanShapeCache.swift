internal import Synchronization

/// A filter without its constants. Similar filters at the same position of queries with the same shape have about the
/// same selectivity.
struct FilterLikeness: Hashable {
  private enum Question {
    case interval, oneOf, text
  }

  private let column: Int
  private let question: Question

  /// The minimum cost per object of a filter that is worth caching even if clusters are sampled for other filters
  /// anyway.
  static let worthRemembering = 1.7

  /// nil for filters that are not cached: cheap ones, and any but sargable predicates.
  init?(_ conjunct: Conjunct, costingAtLeast least: Double) {
    guard conjunct.cost >= least, case .test(let test) = conjunct.predicate else { return nil }
    column = test.column
    switch test.question {
    case .isNil: return nil
    case .interval: question = .interval
    case .oneOf: question = .oneOf
    case .text: question = .text
    }
  }
}

/// The selectivities that the filters of a query had with other arguments. They save evaluating expensive filters,
/// those on strings, on the same few clusters for each new argument.
///
/// Only the order of the filters depends on the cache. Index ranges are counted for the actual arguments, and the cache
/// is not used if an index may have the requested order, or if a scan with a limit may end early. EXPLAIN always
/// estimates with the actual arguments.
///
/// Queries of the same shape share the cache, on any thread.
package final class PlanShapeCache: Sendable {
  private struct Seen {
    let likeness: FilterLikeness
    var held = 0
    var objects = 0
    var samples = 0
    /// The number of queries that used the entry since the filter was last sampled.
    var told = 0
  }

  private let places = Mutex<[Int: Seen]>([:])

  package init() {}

  /// With this many samples the arguments differ enough to be representative.
  private static let enoughSamples = 4
  /// After this many queries a filter is sampled again: objects and arguments may have changed.
  private static let mostTold = 32

  /// The cached selectivity of the filter at a position; nil if the filter must be sampled again.
  func selectivity(of likeness: FilterLikeness, at place: Int) -> Double? {
    places.withLock { places in
      guard var seen = places[place], seen.likeness == likeness, seen.samples >= Self.enoughSamples,
        seen.told < Self.mostTold
      else { return nil }
      seen.told += 1
      places[place] = seen
      return (Double(seen.held) + 0.25) / (Double(seen.objects) + 0.5)
    }
  }

  /// Caches the number of sampled objects that passed a filter.
  func keep(held: Int, of objects: Int, _ likeness: FilterLikeness, at place: Int) {
    places.withLock { places in
      var seen = places[place] ?? Seen(likeness: likeness)
      if seen.likeness != likeness { seen = Seen(likeness: likeness) }
      // Older samples gradually lose weight.
      if seen.samples >= 2 * Self.enoughSamples {
        seen.held /= 2
        seen.objects /= 2
        seen.samples /= 2
      }
      seen.held += held
      seen.objects += objects
      seen.samples += 1
      seen.told = 0
      places[place] = seen
    }
  }
}
