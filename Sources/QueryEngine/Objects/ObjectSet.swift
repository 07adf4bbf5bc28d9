internal import Storage

/// A set of objects as masks by cluster, ascending. The results of index walks are collected in it, so that clusters
/// are read once and in order.
struct ObjectSet {
  /// Cluster numbers, ascending.
  private(set) var clusters: [UInt64] = []
  /// The objects of each cluster.
  private(set) var masks: [Mask] = []

  init() {}

  /// The set of some object IDs in any order, with repetitions.
  ///
  /// If the IDs are dense, they are put into masks of all clusters between the first and the last, in constant time
  /// each. Otherwise they are sorted.
  init(_ objects: [UInt64], _ cancellation: CancellationCheck) throws {
    var isAscending = true
    var (least, greatest) = (UInt64.max, UInt64.min)
    var before: UInt64 = 0
    for object in objects {
      if object < before { isAscending = false }
      before = object
      least = min(least, object)
      greatest = max(greatest, object)
    }
    if isAscending {
      try append(ascending: objects, cancellation)
    } else if (greatest >> 8) - (least >> 8) < UInt64(objects.count) * Self.clustersPerObject {
      try append(objects, from: least >> 8, through: greatest >> 8, cancellation)
    } else {
      var sorted = objects
      try sorted.sort(cancellation)
      try append(ascending: sorted, cancellation)
    }
  }

  /// The maximum number of clusters for each object to prefer masks over sorting.
  private static let clustersPerObject: UInt64 = 4

  private mutating func append(ascending objects: [UInt64], _ cancellation: CancellationCheck) throws {
    for object in objects {
      try cancellation.step()
      let cluster = object >> 8
      if clusters.last != cluster {
        clusters.append(cluster)
        masks.append(.none)
      }
      masks[masks.count - 1][Int(truncatingIfNeeded: object & 255)] = true
    }
  }

  private mutating func append(
    _ objects: [UInt64], from first: UInt64, through last: UInt64, _ cancellation: CancellationCheck
  ) throws {
    let count = Int(truncatingIfNeeded: last - first) + 1
    try withUnsafeTemporaryAllocation(of: Mask.self, capacity: count) { all in
      all.initialize(repeating: .none)
      for object in objects {
        try cancellation.step()
        all[Int(truncatingIfNeeded: (object >> 8) - first)][Int(truncatingIfNeeded: object & 255)] = true
      }
      for place in 0..<count { append(first + UInt64(place), all[place]) }
    }
  }

  /// Adds the objects of a cluster with a higher number than all others.
  mutating func append(_ cluster: UInt64, _ mask: Mask) {
    if mask.isEmpty { return }
    clusters.append(cluster)
    masks.append(mask)
  }

  var isEmpty: Bool { clusters.isEmpty }

  /// The number of objects.
  var count: Int { masks.reduce(0) { $0 + $1.count } }

  /// The objects, ascending.
  var objects: [UInt64] {
    var objects: [UInt64] = []
    objects.reserveCapacity(count)
    for (cluster, mask) in zip(clusters, masks) {
      mask.forEach { objects.append(cluster << 8 | UInt64($0)) }
    }
    return objects
  }

  /// The objects in both sets.
  func intersection(_ other: ObjectSet) -> ObjectSet {
    var result = ObjectSet()
    var left = 0
    var right = 0
    while left < clusters.count, right < other.clusters.count {
      let (first, second) = (clusters[left], other.clusters[right])
      if first == second { result.append(first, masks[left] & other.masks[right]) }
      if first <= second { left += 1 }
      if second <= first { right += 1 }
    }
    return result
  }
}
