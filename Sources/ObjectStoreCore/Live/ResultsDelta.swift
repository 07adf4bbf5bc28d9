/// An object of results that changed its place.
public struct ResultMove: Hashable, Sendable {
  /// The position before the change.
  public var from: Int
  /// The position after the change.
  public var to: Int

  /// Creates a move from one position to another.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// The difference between results. Positions of deletions and starts of moves refer to the old results, all others to
/// the new ones.
struct ResultsDelta: Hashable, Sendable {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []
  var moves: [ResultMove] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty }

  init() {}

  /// What leads from one order to another. Of those that stay, as many as possible do not move.
  init<Part: Hashable>(from old: [Part], to new: [Part]) {
    if old == new { return }
    // What is the same at the start and at the end stays.
    let few = min(old.count, new.count)
    let start = (0..<few).first { old[$0] != new[$0] } ?? few
    let end = (0..<few - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? few - start
    let (formerly, now) = (start..<old.count - end, start..<new.count - end)
    var places: [Part: Int] = [:]
    places.reserveCapacity(formerly.count)
    // Of one that is there several times the first counts; the others go and come.
    for position in formerly where places[old[position]] == nil { places[old[position]] = position }
    var stays: Set<Int> = []
    var kept: [ResultMove] = []
    for position in now {
      if let before = places.removeValue(forKey: new[position]) {
        stays.insert(before)
        kept.append(ResultMove(from: before, to: position))
      } else {
        insertions.append(position)
      }
    }
    deletions = formerly.filter { !stays.contains($0) }
    let still = Self.longestAscent(kept.map(\.from))
    moves = kept.indices.filter { !still[$0] }.map { kept[$0] }
  }

  /// Marks a longest ascending subsequence of distinct numbers.
  private static func longestAscent(_ numbers: [Int]) -> [Bool] {
    // The last position of the best subsequence of each length, and the predecessor of each position.
    var ends: [Int] = []
    var before = Array(repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var isPart = Array(repeating: false, count: numbers.count)
    var place = ends.last ?? -1
    while place >= 0 {
      isPart[place] = true
      place = before[place]
    }
    return isPart
  }
}
