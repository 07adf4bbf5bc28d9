/// Decides when a walk in the order of an index, with filters over it, is abandoned for the other plan.
///
/// How far a walk goes until enough objects have passed depends on the positions of the matches, which are not known
/// beforehand. Two numbers decide, both relative to the cost of the other plan:
///
/// - what is *lost* if the walk ends now: all its work, except filter results that the other plan can reuse;
/// - what the walk would cost *in all*, judging by the matches so far and, while these are few, by the estimate.
///
/// While little is lost, the walk ends only if it would cost many times as much as the other plan. The more is lost,
/// the smaller that factor. Once a fifth of the other plan's cost is lost, the walk continues only if its total cost
/// would be lower. So abandoning costs a fifth at most, unless the end seemed near and was not.
struct OrderBudget {
  /// The maximum loss before a walk must seem cheaper than the other plan, as a fraction of that plan's cost.
  static let share = 0.2
  /// A smaller loss is never a reason to abandon.
  static let least = 2 * CostModel.indexSeek
  /// The number of matches that the estimate is worth, compared with matches found.
  private static let trust = 2.0

  private let other: Double
  /// The cost of stepping to the next object in the order, including its share of stepping between ranges.
  private let entry: Double
  private let wanted: Double
  private let objectCount: Double
  private let clusterCount: Double
  private let expected: MatchDistribution
  /// The cost of finding a cluster, and of filtering its objects.
  private let fetching = CostModel.clusterByNumber
  private let asking: Double
  /// The part of both costs that is lost when the walk is abandoned.
  private let lostPerCluster: Double

  private var walked = 0.0
  private var ranges = 0.0
  private var passed = 0.0
  private var clusters = 0.0
  private var nextLook: Double

  /// - Parameters:
  ///   - other: The cost of the other plan.
  ///   - objectCount: The number of objects that can be walked.
  ///   - rangeCount: The number of index ranges that hold them.
  ///   - asking: The cost of filtering the objects of a cluster.
  ///   - keepsAnswers: Whether the other plan can reuse the filter results.
  init(
    other: Double, wanted: Int, of objectCount: Double, inRanges rangeCount: Int = 1, in clusterCount: Double,
    expected: MatchDistribution,
    asking: Double, keepsAnswers: Bool
  ) {
    self.other = other
    entry = CostModel.orderedEntry + Double(rangeCount - 1) / max(1, objectCount) * CostModel.indexSeek
    self.wanted = Double(wanted)
    self.objectCount = objectCount
    self.clusterCount = clusterCount
    self.expected = expected
    self.asking = asking
    lostPerCluster = fetching + (keepsAnswers ? 0 : asking)
    nextLook = other * Self.share / 16
  }

  /// Counts a step to another range of the index.
  mutating func noteRange() { ranges += 1 }

  /// Counts an object. Returns whether to abandon the walk.
  @inline(__always)
  mutating func isSpent(passes: Bool, isFirstOfCluster: Bool) -> Bool {
    walked += 1
    if passes { passed += 1 }
    if isFirstOfCluster { clusters += 1 }
    return lost < nextLook ? false : look()
  }

  private var walk: Double { walked * CostModel.orderedEntry + max(0, ranges - 1) * CostModel.indexSeek }

  private var lost: Double { walk + clusters * lostPerCluster }

  private var spent: Double { walk + clusters * (fetching + asking) }

  private mutating func look() -> Bool {
    let lost = lost
    nextLook = lost + other * Self.share / 16
    return spent + remaining > other * max(1, Self.share * other / lost)
  }

  /// Estimates the remaining cost from the matches found and from the initial estimate.
  private var remaining: Double {
    let seen = max(0, walked - expected.offset)
    let gap = (seen + Self.trust * expected.gap) / (min(passed, seen) + Self.trust)
    let left = max(0, expected.offset - walked) + gap * max(0, wanted - passed)
    let entries = min(left, max(0, objectCount - walked))
    // The first object always starts a new cluster, so it is not counted as scatter.
    let fresh = min(max(0, clusterCount - clusters), entries * max(0, clusters - 1) / max(walked, 1))
    return entries * entry + fresh * (fetching + asking)
  }
}
