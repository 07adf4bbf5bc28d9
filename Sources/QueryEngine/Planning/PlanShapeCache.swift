internal import Synchronization

/// What a condition is but for its constants: those that are alike, at one place of queries of one shape, leave about as
/// many objects.
struct FilterLikeness: Hashable {
  private enum Question {
    case interval, oneOf, text
  }

  private let column: Int
  private let question: Question

  /// Nanoseconds for one object from which on it pays to remember what a condition leaves, though clusters are looked at
  /// for the sake of others.
  static let worthRemembering = 1.7

  /// nil for conditions that are not remembered: those that cost less, and all that are more than a test of a column.
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

/// What part of the objects the conditions of a query left when it was asked with other arguments, which is about what
/// they will leave with these: so that conditions that take long, those on texts, are not asked about the same few
/// clusters each time. Only their order goes by it: what an index finds is counted for the arguments at hand, and where an
/// index may have the order that is asked for, or a scan with a limit may end before an index, nothing is remembered. Who is told what ways there are is told of these
/// arguments alone.
///
/// It is shared by the queries of one shape, from any thread.
package final class PlanShapeCache: Sendable {
  private struct Seen {
    let likeness: FilterLikeness
    var held = 0
    var objects = 0
    var samples = 0
    /// How often it was told since it was asked last.
    var told = 0
  }

  private let places = Mutex<[Int: Seen]>([:])

  package init() {}

  /// As many samples are of different enough arguments to be gone by.
  private static let enoughSamples = 4
  /// After as many queries it is asked again: objects may have come, and arguments may be others.
  private static let mostTold = 32

  /// What part of the objects the condition at a place left before; nil where that is to be found out again.
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

  /// Keeps that a condition held for some of the objects that it was asked about.
  func keep(held: Int, of objects: Int, _ likeness: FilterLikeness, at place: Int) {
    places.withLock { places in
      var seen = places[place] ?? Seen(likeness: likeness)
      if seen.likeness != likeness { seen = Seen(likeness: likeness) }
      // What was seen long ago counts for less and less.
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
