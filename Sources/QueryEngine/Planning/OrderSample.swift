internal import Storage
internal import Values

/// Where in an order those objects of a few clusters stand for which conditions hold: what goes with the order or against
/// it is seen there.
struct OrderSample {
  /// How many objects were looked at that are in the order.
  private(set) var count = 0
  /// For how many of them the conditions hold.
  private(set) var passing = 0
  /// How many objects come before the first of these, the second and so on, themselves included.
  private(set) var places: [Int] = []

  /// As many are looked for in their places at most.
  private static let most = 32
  /// With fewer that pass nobody knows where they are.
  private static let fewest = 3
  /// Number of leading matches used to estimate their spacing.
  private static let first = 12

  /// Where an object stands. Ties are in insertion order, whichever way the keys go.
  private struct Place {
    let rank: UInt8
    let word: UInt64
    let object: UInt64

    @inline(__always)
    static func < (left: Place, right: Place) -> Bool {
      if left.rank != right.rank { return left.rank < right.rank }
      if left.word != right.word { return left.word < right.word }
      return left.object < right.object
    }
  }

  /// As many that pass tell as much of how many do as each condition alone.
  private static let fewCounted = 8

  /// Looks at the sampled clusters.
  ///
  /// - Parameters:
  ///   - population: What holds for all objects of the order.
  ///   - conditions: What is asked of them.
  init(
    of key: BoundSortKey, population: [Filter], conditions: [Filter], clusters: [UInt64],
    _ entity: StoredEntity, _ snapshot: Snapshot, _ scratch: ExecutionContext
  ) throws {
    var all: [Place] = []
    all.reserveCapacity(clusters.count * Mask.slotCount)
    var best: [Place] = []
    let expression = try VectorExpression(key.expression, FilterCompiler(entity: entity))
    let (member, condition) = (AllFilter(population), AllFilter(conditions))
    for number in clusters {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      try scratch.patience.check()
      let members = try member.mask(cluster, cluster.present, scratch)
      let passing = try condition.mask(cluster, members, scratch)
      try scratch.withVector { vector in
        try expression.evaluate(into: vector, cluster, scratch)
        SortableKey.forEach(vector, members) { slot, rank, word in
          let place = Place(
            rank: key.ascending ? rank : ~rank, word: key.ascending ? word : ~word,
            object: number << 8 | UInt64(truncatingIfNeeded: slot))
          all.append(place)
          if passing[slot] { Self.keep(place, &best) }
        }
      }
      self.passing += passing.count
    }
    count = all.count
    places = Self.places(of: best, among: all)
  }

  /// Keeps the first ones, in order.
  @inline(__always)
  private static func keep(_ place: Place, _ best: inout [Place]) {
    if best.count == most, let last = best.last, last < place { return }
    var index = best.count
    while index > 0, place < best[index - 1] { index -= 1 }
    best.insert(place, at: index)
    if best.count > most { best.removeLast() }
  }

  /// How many objects come before each of some, and it.
  private static func places(of best: [Place], among all: [Place]) -> [Int] {
    guard let last = best.last else { return [] }
    var places = [Int](repeating: 0, count: best.count)
    for place in all where !(last < place) {
      var (low, high) = (0, best.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if best[middle] < place { low = middle + 1 } else { high = middle }
      }
      places[low] += 1
    }
    for index in places.indices.dropFirst() { places[index] += places[index - 1] }
    return places
  }

  /// Where the objects lie that pass, so many of all by what is known of the conditions one by one.
  func expectation(wanted: Double, passing estimate: Double, of objects: Double) -> MatchDistribution {
    let anywhere = MatchDistribution.anywhere(estimate, of: objects)
    guard passing >= Self.fewest, count > 0, let first = places.first else { return anywhere }
    let scale = objects / Double(count)
    // What few objects show together counts for less than what many showed of each condition.
    let trust = Double(passing) / Double(passing + Self.fewCounted)
    let total = trust * Double(passing) * scale + (1 - trust) * estimate
    let share = wanted / total * Double(passing)
    let front = min(Self.first, places.count)
    let gap = Double(places[front - 1] - first) / Double(front - 1)
    // They begin later than chance would have it, but once in a hundred times.
    let offset = Double(first) > 5 * max(gap, 1) ? Double(first) - gap : 0
    let end: Double
    if wanted >= total {
      end = Double(count)
    } else if share <= Double(front) {
      end = offset + share * (offset > 0 ? gap : Double(places[front - 1]) / Double(front))
    } else if share <= Double(places.count) {
      let place = min(Int(share), places.count - 1)
      let (low, high) = (Double(places[place - 1]), Double(places[place]))
      end = low + (high - low) * (share - Double(place))
    } else {
      let last = Double(places[places.count - 1])
      let rest = max(1, Double(passing - places.count))
      end = min(Double(count), last + (Double(count) - last) * (share - Double(places.count)) / rest)
    }
    return MatchDistribution(offset: offset * scale, gap: max(1, (end - offset) * scale / max(wanted, 1)))
  }
}
