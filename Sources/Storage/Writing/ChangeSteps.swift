/// The step of a write at which each object was last changed: 256 entries for each cluster with a change.
///
/// Changes mostly come in the order of the objects, so the position of the last cluster is remembered: noting a change
/// then costs a comparison and a store.
struct ChangeSteps {
  /// The start of each cluster's entries in `steps`.
  private var positions: [UInt64: Int] = [:]
  private var steps: [UInt32] = []
  private var lastCluster = UInt64.max
  private var lastPosition = 0

  /// Notes that a step changed an object.
  mutating func note(_ object: UInt64, at step: Int) {
    let cluster = object >> 8
    if cluster != lastCluster {
      lastPosition = position(of: cluster)
      lastCluster = cluster
    }
    steps[lastPosition + Int(object & 255)] = UInt32(clamping: step)
  }

  /// The step that changed an object last; 0 when none did.
  func lastStep(of object: UInt64) -> UInt32 {
    guard let position = positions[object >> 8] else { return 0 }
    return steps[position + Int(object & 255)]
  }

  private mutating func position(of cluster: UInt64) -> Int {
    if let known = positions[cluster] { return known }
    let position = steps.count
    positions[cluster] = position
    steps.append(contentsOf: repeatElement(0, count: 256))
    return position
  }
}
