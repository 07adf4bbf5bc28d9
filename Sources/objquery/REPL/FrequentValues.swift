import ObjectStoreCore

/// The most frequent values of a property, found within the time that a person waits for a key: of all objects where
/// that is fast enough, else of a sample from all parts of the store.
struct FrequentValues {
  private let store: Store
  private let time: Duration
  /// The number of objects of which all values are counted, if there is time.
  private let most: Int

  /// How many are offered.
  static let shown = 30
  /// The parts of the sample, and the objects in each.
  static let parts = 16
  static let partSize = 256

  init(_ store: Store, time: Duration = .milliseconds(150), most: Int = 2_000_000) {
    self.store = store
    self.time = time
    self.most = most
  }

  /// The most frequent texts that begin with `beginning` in any letter case, the most frequent first; empty for a property
  /// without texts.
  func values(of path: String, in entity: String, beginning: String) -> [String] {
    let cancellation = Cancellation(after: time)
    guard let objects = try? store.objects(entity).cancellable(by: cancellation) else { return [] }
    let all = try? objects.count
    if let all, all <= most, let counted = try? counted(path, entity, beginning, cancellation) { return counted }
    return sampled(path, entity, beginning, count: all ?? 0)
  }

  /// Counts the values of all objects.
  private func counted(
    _ path: String, _ entity: String, _ beginning: String, _ cancellation: Cancellation
  ) throws -> [String] {
    let condition = beginning.isEmpty ? "\(path) != nil" : "\(path) BEGINSWITH[c] $beginning"
    let text =
      "\(entity) WHERE \(condition) GROUP BY \(path) SELECT \(path), @count SORT BY @count DESC LIMIT \(Self.shown)"
    let arguments = beginning.isEmpty ? Arguments() : Arguments(named: ["beginning": .string(beginning)])
    guard case .rows(let rows) = try store.run(text, arguments: arguments) else { return [] }
    return try rows.cancellable(by: cancellation).rows().compactMap { row in
      if case .string(let text)? = row.first { text } else { nil }
    }
  }

  /// Counts the values of some objects, from equally distant places.
  private func sampled(_ path: String, _ entity: String, _ beginning: String, count: Int) -> [String] {
    var counts: [String: Int] = [:]
    let start = beginning.lowercased()
    let end = ContinuousClock.now + time
    for part in 0..<Self.parts where ContinuousClock.now < end {
      let place = count / Self.parts * part
      try? store.objects(entity).offset(place).limit(Self.partSize).cancellable(by: Cancellation(after: time))
        .forEachRow([path]) { row in
          guard case .string(let text)? = row.first, text.lowercased().hasPrefix(start) else { return }
          counts[text, default: 0] += 1
        }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.shown).map(\.key)
  }
}
