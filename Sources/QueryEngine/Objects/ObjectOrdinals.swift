internal import Storage
internal import Values

/// The ordinals of an entity's objects in sets and tables: their IDs, or denser numbers if most IDs are unused. IDs are
/// not reused, so those of an old store may start high and have large gaps.
///
/// Links are converted to ordinals when they are unpacked; the following loops use only ordinals, so their cost does
/// not depend on the gaps.
final class ObjectOrdinals: Sendable {
  /// A run of consecutive clusters.
  private struct Stretch {
    let first: UInt64
    let end: UInt64
    /// The ordinal of the first cluster.
    let place: UInt64
  }

  /// Whether ordinals equal object IDs.
  let isPlain: Bool
  /// The number of clusters that may have objects.
  let clusterCount: Int
  /// The runs of clusters, ascending; empty if ordinals equal object IDs.
  private let stretches: [Stretch]
  /// The entity's name, for error messages.
  private let name: String

  /// The ordinal of an object that does not exist: above all others, and its successor does not wrap around to the
  /// first.
  static let nowhere = UInt64(Int64.max)
  /// No objects.
  static let none = ObjectOrdinals(clusterCount: 0, name: "")

  /// The maximum span of cluster numbers relative to the number of clusters: a factor and an addend. Beyond it ordinals
  /// are made dense.
  private static let mostSpan: (times: Int, more: Int) = (4, 4096)

  private init(clusterCount: Int, name: String) {
    isPlain = true
    self.clusterCount = clusterCount
    stretches = []
    self.name = name
  }

  /// The ordinals of an entity's objects in a snapshot.
  init(_ entity: StoredEntity, in snapshot: Snapshot, _ cancellation: CancellationCheck) throws {
    name = entity.name
    // The ID of the next object is at least 1.
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

  /// The first ordinal that is not valid.
  var limit: UInt64 { UInt64(clusterCount) << 8 }

  // MARK: IDs to ordinals

  /// The ordinal of an object; `nowhere` if there is no object with that ID.
  @inline(__always)
  func place(_ object: UInt64) -> UInt64 {
    if isPlain { return object < limit ? object : Self.nowhere }
    guard let cluster = clusterIfThere(object >> 8) else { return Self.nowhere }
    return cluster << 8 | object & 255
  }

  /// The ordinal of a cluster; nil if the entity has no such cluster.
  func clusterIfThere(_ number: UInt64) -> UInt64? {
    if isPlain { return number < UInt64(clusterCount) ? number : nil }
    guard let stretch = stretches.withUnsafeBufferPointer({ Self.stretch(of: number, $0) }) else { return nil }
    return stretch.place + (number - stretch.first)
  }

  /// The ordinal of a cluster that was read; throws if the file is damaged.
  func cluster(_ number: UInt64) throws -> UInt64 {
    guard let place = clusterIfThere(number) else { throw Self.damage(name, number) }
    return place
  }

  /// Converts object IDs to ordinals in place.
  @inline(__always)
  func place(_ numbers: UnsafeMutablePointer<UInt64>, _ count: Int) {
    if !isPlain { move(numbers, count) }
  }

  @inline(never)
  private func move(_ numbers: UnsafeMutablePointer<UInt64>, _ count: Int) {
    stretches.withUnsafeBufferPointer { stretches in
      // Targets of neighbouring links are usually in the same run.
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

  /// The run that contains a cluster.
  @inline(__always)
  private static func stretch(of cluster: UInt64, _ stretches: UnsafeBufferPointer<Stretch>) -> Stretch? {
    // Finds the first run that ends after the cluster.
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low &+ high) / 2
      if stretches[middle].end <= cluster { low = middle &+ 1 } else { high = middle }
    }
    return low < stretches.count && stretches[low].first <= cluster ? stretches[low] : nil
  }

  // MARK: Ordinals to IDs

  /// The number of the cluster with an ordinal below `clusterCount`.
  func number(ofCluster place: UInt64) -> UInt64 {
    if isPlain { return place }
    // Finds the last run that begins at or before the ordinal.
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
