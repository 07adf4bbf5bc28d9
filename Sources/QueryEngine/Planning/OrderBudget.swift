/// When a walk in the order of an index, with conditions over it, is given up for the other way to the same objects.
///
/// How far it goes until enough objects passed depends on where in the order these lie, and that nobody knows before. Two
/// numbers tell whether to go on, both as parts of the work that the other way should take:
///
/// - what is *lost* if the walk is given up now: all it did, but the conditions it asked where the other way has use for
///   their answers;
/// - what the walk would take *in all*, by how many passed of those walked so far, and, as long as few did, by what was
///   expected before.
///
/// While little is lost, only a walk is given up that would take many times as much as the other way; the more is lost,
/// the less it takes to be given up; and once a fifth of the other way's work is lost, a walk goes on only if it would
/// take less than the other way in all. So giving up costs a fifth at most, unless the end seemed to be near and was not.
struct OrderBudget {
  /// What may be lost before a walk must seem shorter than the other way, as a part of that way's work.
  static let share = 0.2
  /// Less is not worth giving anything up for.
  static let least = 2 * CostModel.indexSeek
  /// How many objects that passed an expectation stands for, beside those that did.
  private static let trust = 2.0

  private let other: Double
  /// What going to the next object of the order takes, with its share of going from range to range.
  private let entry: Double
  private let wanted: Double
  private let objectCount: Double
  private let clusterCount: Double
  private let expected: MatchDistribution
  /// What finding a cluster takes, and what asking its objects does.
  private let fetching = CostModel.clusterByNumber
  private let asking: Double
  /// What of both is lost.
  private let lostPerCluster: Double

  private var walked = 0.0
  private var ranges = 0.0
  private var passed = 0.0
  private var clusters = 0.0
  private var nextLook: Double

  /// - Parameters:
  ///   - other: What the other way should take.
  ///   - objectCount: How many objects can be walked.
  ///   - rangeCount: In how many ranges of the index these are.
  ///   - asking: What asking the objects of a cluster takes.
  ///   - keepsAnswers: Whether the other way has use for them.
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

  /// Notes that a range of the index was gone to.
  mutating func noteRange() { ranges += 1 }

  /// Notes that an object was reached, and tells whether the walk is to be given up.
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

  /// What is left to do, by what was seen and what was expected.
  private var remaining: Double {
    let seen = max(0, walked - expected.offset)
    let gap = (seen + Self.trust * expected.gap) / (min(passed, seen) + Self.trust)
    let left = max(0, expected.offset - walked) + gap * max(0, wanted - passed)
    let entries = min(left, max(0, objectCount - walked))
    // The first object is in a cluster of its own wherever the next ones are.
    let fresh = min(max(0, clusterCount - clusters), entries * max(0, clusters - 1) / max(walked, 1))
    return entries * entry + fresh * (fetching + asking)
  }
}
