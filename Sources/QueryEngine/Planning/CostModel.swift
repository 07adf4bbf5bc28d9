internal import Storage
internal import Values

/// What work costs, in nanoseconds on one core of a small machine. Only ratios matter.
///
/// Those of clusters and indexes were held against 300,000 earthquakes in a warm file, the least of nine measurements:
/// 60 ns for the next cluster, 260 for one by number with a column of it, 650 for a look-up with the making of its key
/// (350 where many are made in order), 33 to 47 for the next key, 0.5 for an entry in a run of its key and 35 with putting
/// it in its place by sorting. All but the last are less than said here by about the same factor, as are the kernels.
enum CostModel {
  /// Stepping to the next cluster and checking its directory.
  static let cluster = 150.0
  /// Finding a cluster by number.
  static let clusterByNumber = 450.0
  /// Looking up a place in an index.
  static let indexSeek = 1_500.0
  /// Reading one object number of an index and putting it in its place.
  static let indexEntry = 25.0
  /// Jumping to the next key of an index, with what is done with the key.
  static let indexKey = 100.0
  /// Counting one object in a range of an index, a page at a time.
  static let countedObject = 5.0
  /// A step of counting what a range of an index holds: a sixteenth of a page.
  static let countingStep = 5.0
  /// Looking up what group one object is of.
  static let groupedRow = 5.0
  /// How many objects are asked for each one that an index led to: kernels look at more of a cluster than that one.
  static let askedPerObject = 4.0
  /// Comparing two objects while sorting, times the logarithm of their number.
  static let sortStep = 25.0
  /// Asking one object about those it links to, one by one.
  static let linkedRow = 1_500.0
  /// What each linked object adds to that.
  static let linkedObject = 300.0
  /// Noting down the links of one object, to be followed later.
  static let linkTable = 40.0
  /// Reading a text of one object and finding its place among all.
  static let rankedValue = 400.0
  /// Adding a number of one object to a sum.
  static let summed = 0.4
  /// Folding a text and looking it up among others.
  static let foldedAndLookedUp = 60.0
  /// Objects in a cluster.
  static let slots = 256.0

  /// Asking one object.
  static func perObject(_ predicate: BoundPredicate) -> Double {
    switch predicate {
    case .constant: 0
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + perObject($1) }
    case .not(let inner): perObject(inner)
    case .remembered(let remembered): perObject(remembered.predicate)
    case .test(let test): perObject(test.question)
    case .comparison(let comparison) where comparison.shape != nil: 8
    case .comparison(let comparison) where OwnCondition(comparison) != nil: 0.5
    case .quantified where predicate.goesThroughLinks: linkedRow
    case .comparison where predicate.goesThroughLinks && !predicate.isVectorized: linkedRow
    case .quantified, .lists: 600
    case .comparison(let comparison):
      comparison.operands.allSatisfy(\.isVectorizable) ? 2 : 250
    }
  }

  /// Asking one object, with its share of what finding a set of linked objects costs.
  static func perObject(_ predicate: BoundPredicate, _ condition: Condition, objects: Double) -> Double {
    if case .or = predicate, condition is TextCondition { return foldedAndLookedUp }
    guard let linked = condition as? LinkedCondition else { return perObject(predicate) }
    return min(linked.perObject, 4 + linked.setup / max(objects, 1))
  }

  private static func perObject(_ question: ColumnTest.Question) -> Double {
    switch question {
    case .isNil: 0.2
    case .interval(let interval):
      switch interval.lower.value ?? interval.upper.value {
      case .string(_)?, .data(_)?: 6
      case .uuid(_)?: 25
      default: 0.5
      }
    case .oneOf(let values):
      switch values.first {
      case .string(_)?, .data(_)?, .uuid(_)?: 40
      default: 5
      }
    case .text(let test):
      switch test.question {
      case .matches: 250
      case .contains: test.folding.ignoresDiacritics ? 12 : test.folding.ignoresCase ? 8 : 6
      default: test.folding.isNone ? 8 : 35
      }
    }
  }

  /// How many clusters hold `objects` scattered over `clusters`.
  static func clustersTouched(_ objects: Double, of clusters: Double) -> Double {
    guard clusters >= 1, objects > 0 else { return 0 }
    // 1 − (1 − 1/c)ⁿ is nearly 1 − e^(−n/c); a rational form is near enough.
    let load = objects / clusters
    return min(objects, clusters * load / (1 + load))
  }

  /// Asking conjuncts in order about `objects` that lie in `clusters`.
  static func filter(_ conjuncts: [Conjunct], objects: Double) -> Double {
    var left = objects
    var cost = 0.0
    for conjunct in conjuncts {
      cost += left * conjunct.cost
      left *= conjunct.selectivity
    }
    return cost
  }
}

extension BoundPredicate {
  /// Whether it is a comparison that is made for whole clusters.
  fileprivate var isVectorized: Bool {
    if case .comparison(let comparison) = self { comparison.operands.allSatisfy(\.isVectorizable) } else { false }
  }
}
