internal import LMDB
internal import Values

/// The check of a trigram index. There are dozens of positions for each object, so a hash of all positions in a cluster
/// is compared first; the positions themselves are compared only if it differs.
final class TrigramIndexCheck: IndexCheck {
  let index: StoredIndex
  /// The hash of the positions that each cluster should have.
  private var expected: [UInt64: UInt64] = [:]

  init(_ index: StoredIndex, _ database: Database, _ check: EntityCheck) { self.index = index }

  /// A trigram at a position.
  private struct Place: Hashable {
    var trigram: Trigram
    var place: TrigramPlace
  }

  /// The maximum number of differing clusters that are reported in detail.
  private static var mostClusters: Int { 8 }

  func note(_ object: ObjectNumber, _ values: [Value], _ check: inout EntityCheck) {
    var sum: UInt64 = 0
    Self.forEachPlace(of: object, values) { sum &+= Self.hash($0, $1) }
    expected[object.cluster, default: 0] &+= sum
  }

  func finish(_ check: inout EntityCheck) throws {
    let (entity, snapshot) = (check.entity, check.snapshot)
    let reader = try snapshot.trigrams(index, of: entity)
    var found: [UInt64: UInt64] = [:]
    try reader.forEachPlace {
      try check.step()
      found[$1.cluster, default: 0] &+= Self.hash($0, $1)
    }
    let different = Set(expected.keys).union(found.keys).filter {
      (expected[$0] ?? 0) != (found[$0] ?? 0) && (!check.isPartial || check.present[$0] != nil)
    }
    if different.isEmpty { return }
    let clusters = Set(different.sorted().prefix(Self.mostClusters))
    var missing: Set<Place> = []
    for number in clusters.sorted() {
      guard let view = try snapshot.cluster(number, of: entity) else { continue }
      for slot in 0..<view.slotCount where view.present[slot] {
        let values = try index.columns.map { try view.column($0).value(at: slot) }
        Self.forEachPlace(of: ObjectNumber(cluster: number, slot: slot), values) {
          missing.insert(Place(trigram: $0, place: $1))
        }
      }
    }
    var excess: Set<UInt64> = []
    try reader.forEachPlace { trigram, place in
      try check.step()
      guard clusters.contains(place.cluster) else { return }
      if missing.remove(Place(trigram: trigram, place: place)) == nil { excess.insert(place.object) }
    }
    let place = "the trigram index \(index.name) of \(entity.name)"
    for object in Set(missing.map(\.place.object)).sorted() {
      check.report("missing \(index.number)", "\(place) lacks trigrams of object \(object)", of: index)
    }
    for object in excess.sorted() {
      let number = ObjectNumber(object)
      let isThere = check.present[number.cluster]?[number.slot] ?? false
      check.report(
        "excess \(index.number)",
        "\(place) has object \(object)"
          + (isThere ? " under trigrams that its text does not have" : ", which does not exist"), of: index)
    }
  }

  private static func forEachPlace(
    of object: ObjectNumber, _ values: [Value], _ body: (Trigram, TrigramPlace) -> Void
  ) {
    for value in values {
      guard case .string(var text) = value else { continue }
      text.withUTF8 { bytes in
        let text = UnsafeRawBufferPointer(bytes)
        func note(_ trigram: Trigram, _ position: UInt8) {
          body(
            trigram,
            TrigramPlace(
              cluster: object.cluster, spot: UInt16(truncatingIfNeeded: object.slot) << 8 | UInt16(position)))
        }
        if text.count > TrigramText.shortLength {
          for (trigram, position) in TrigramText.places(in: text) { note(trigram, position) }
        } else {
          TrigramText.forEach(in: text, note)
        }
      }
    }
  }

  private static func hash(_ trigram: Trigram, _ place: TrigramPlace) -> UInt64 {
    var hash = trigram.rawValue &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(place.spot)
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return hash ^ hash >> 31
  }
}

extension TrigramPlace {
  /// The object that has the trigram.
  fileprivate var object: UInt64 { cluster << 8 | UInt64(spot >> 8) }
}
