internal import Storage
internal import Values

/// The positions of the matches of a few clusters in an order. They show whether the filters correlate with the order.
struct OrderSample {
  /// The number of sampled objects that belong to the order.
  private(set) var count = 0
  /// The number of these objects that pass the filters.
  private(set) var passing = 0
  /// The positions of the first match, the second and so on, counted from 1.
  private(set) var places: [Int] = []

  /// The maximum number of matches whose positions are determined.
  private static let most = 32
  /// With fewer matches their positions are not representative.
  private static let fewest = 3
  /// Number of leading matches used to estimate their spacing.
  private static let first = 12

  /// The position of an object. Ties are in insertion order, in either direction of the key.
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

  /// With this many matches, their number is as reliable as the selectivity of each filter alone.
  private static let fewCounted = 8

  /// Samples the clusters.
  ///
  /// - Parameters:
  ///   - population: The filters that all objects of the order satisfy.
  ///   - filters: The filters that matches must pass.
  init(
    of key: BoundSortKey, population: [any Filter], filters: [any Filter], clusters: [UInt64],
    _ compiler: FilterCompiler, _ snapshot: Snapshot, _ context: ExecutionContext
  ) throws {
    var all: [Place] = []
    all.reserveCapacity(clusters.count * Mask.slotCount)
    var best: [Place] = []
    let expression = try VectorExpression(key.expression, compiler)
    let (member, filter) = (AllFilter(population), AllFilter(filters))
    for number in clusters {
      guard let cluster = try snapshot.cluster(number, of: compiler.entity) else { continue }
      try context.cancellation.check()
      let members = try member.mask(cluster, cluster.present, context)
      let passing = try filter.mask(cluster, members, context)
      try context.withVector { vector in
        try expression.evaluate(into: vector, cluster, context)
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

  /// Inserts a position into the first ones, which are sorted.
  @inline(__always)
  private static func keep(_ place: Place, _ best: inout [Place]) {
    if best.count == most, let last = best.last, last < place { return }
    var index = best.count
    while index > 0, place < best[index - 1] { index -= 1 }
    best.insert(place, at: index)
    if best.count > most { best.removeLast() }
  }

  /// The positions of some objects, counted from 1.
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

  /// Estimates the distribution of the matches. `estimate` is their number by the selectivities of single filters.
  func expectation(wanted: Double, passing estimate: Double, of objects: Double) -> MatchDistribution {
    let anywhere = MatchDistribution.anywhere(estimate, of: objects)
    guard passing >= Self.fewest, count > 0, let first = places.first else { return anywhere }
    let scale = objects / Double(count)
    // A few sampled objects are less reliable than the many that each selectivity was estimated from.
    let trust = Double(passing) / Double(passing + Self.fewCounted)
    let total = trust * Double(passing) * scale + (1 - trust) * estimate
    let share = wanted / total * Double(passing)
    let front = min(Self.first, places.count)
    let gap = Double(places[front - 1] - first) / Double(front - 1)
    // By chance the first match would be this late only once in a hundred times.
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
