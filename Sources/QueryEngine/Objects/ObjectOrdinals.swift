internal import Storage
internal import Values

/// Where the objects of one entity stand in sets and tables over it: at their numbers, or closer together where most of
/// the numbers are gone. Numbers are not used again, so that those of an old store may begin high and lie far apart.
///
/// What links lead to becomes places when it is unpacked; the loops after that see places only, and cost the same.
final class ObjectOrdinals: Sendable {
  /// Clusters that follow each other.
  private struct Stretch {
    let first: UInt64
    let end: UInt64
    /// Where the first of them stands among all.
    let place: UInt64
  }

  /// Whether each object stands at its number.
  let isPlain: Bool
  /// How many clusters may have objects.
  let clusterCount: Int
  /// Ascending; none where each object stands at its number.
  private let stretches: [Stretch]
  /// For messages.
  private let name: String

  /// The place of what does not exist: beyond all, and not followed by the first when places are counted up.
  static let nowhere = UInt64(Int64.max)
  /// No objects.
  static let none = ObjectOrdinals(clusterCount: 0, name: "")

  /// How many times as many clusters as there are the numbers may span, and how many more, before objects are moved
  /// together.
  private static let mostSpan: (times: Int, more: Int) = (4, 4096)

  private init(clusterCount: Int, name: String) {
    isPlain = true
    self.clusterCount = clusterCount
    stretches = []
    self.name = name
  }

  /// The places of an entity's objects in a snapshot.
  init(_ entity: StoredEntity, in snapshot: Snapshot, _ cancellation: CancellationCheck) throws {
    name = entity.name
    // The number of the next object is at least 1.
    let span = Int(clamping: ((try snapshot.objectLimit(entity) &- 1) >> 8) + 1)
    let (most, overflows) = try snapshot.clusterCount(entity).multipliedReportingOverflow(by: Self.mostSpan.times)
    if overflows || span <= Self.mostSpan.more || span - Self.mostSpan.more <= most {
      isPlain = true
      clusterCount = span
      stretches = []
      return
    }
    var stretches: [Stretch] = []
    var count: UInt64 = 0
    try snapshot.forEachCluster(entity) { cluster in
      try cancellation.check()
      let number = cluster.number
      if let last = stretches.last, last.end >= number {
        if last.end > number { throw Self.damage(entity.name, number) }
        stretches[stretches.count - 1] = Stretch(first: last.first, end: number + 1, place: last.place)
      } else {
        if number >= UInt64(span) { throw Self.damage(entity.name, number) }
        stretches.append(Stretch(first: number, end: number + 1, place: count))
      }
      count += 1
      return true
    }
    isPlain = false
    clusterCount = Int(count)
    self.stretches = stretches
  }

  /// Places from here on are nobody's.
  var limit: UInt64 { UInt64(clusterCount) << 8 }

  // MARK: From numbers to places

  /// The place of an object; `nowhere` where there is none of that number.
  @inline(__always)
  func place(_ object: UInt64) -> UInt64 {
    if isPlain { return object < limit ? object : Self.nowhere }
    guard let cluster = clusterIfThere(object >> 8) else { return Self.nowhere }
    return cluster << 8 | object & 255
  }

  /// The place of a cluster among all; nil where it is none of the entity's.
  func clusterIfThere(_ number: UInt64) -> UInt64? {
    if isPlain { return number < UInt64(clusterCount) ? number : nil }
    guard let stretch = stretches.withUnsafeBufferPointer({ Self.stretch(of: number, $0) }) else { return nil }
    return stretch.place + (number - stretch.first)
  }

  /// The place among all of a cluster that was read.
  func cluster(_ number: UInt64) throws -> UInt64 {
    guard let place = clusterIfThere(number) else { throw Self.damage(name, number) }
    return place
  }

  /// Makes numbers of objects their places.
  @inline(__always)
  func place(_ numbers: UnsafeMutablePointer<UInt64>, _ count: Int) {
    if !isPlain { move(numbers, count) }
  }

  @inline(never)
  private func move(_ numbers: UnsafeMutablePointer<UInt64>, _ count: Int) {
    stretches.withUnsafeBufferPointer { stretches in
      // What is linked to together mostly lies together.
      var latest = Stretch(first: 0, end: 0, place: 0)
      for index in 0..<count {
        let number = numbers[index]
        let cluster = number >> 8
        if cluster < latest.first || cluster >= latest.end {
          guard let found = Self.stretch(of: cluster, stretches) else {
            numbers[index] = Self.nowhere
            continue
          }
          latest = found
        }
        numbers[index] = (latest.place &+ (cluster &- latest.first)) &<< 8 | number & 255
      }
    }
  }

  /// The stretch that a cluster is in.
  @inline(__always)
  private static func stretch(of cluster: UInt64, _ stretches: UnsafeBufferPointer<Stretch>) -> Stretch? {
    // The first that ends after it.
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low &+ high) / 2
      if stretches[middle].end <= cluster { low = middle &+ 1 } else { high = middle }
    }
    return low < stretches.count && stretches[low].first <= cluster ? stretches[low] : nil
  }

  // MARK: And back

  /// The number of the cluster at a place, which is one of `clusterCount`.
  func number(ofCluster place: UInt64) -> UInt64 {
    if isPlain { return place }
    // The last that begins at it or before.
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].place <= place { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return place }
    return stretches[low - 1].first + (place - stretches[low - 1].place)
  }

  private static func damage(_ name: String, _ cluster: UInt64) -> StoreError {
    .corrupted(location: "\(name) cluster \(cluster): its number is none that a cluster can have here")
  }
}
