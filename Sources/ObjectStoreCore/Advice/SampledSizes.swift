internal import Storage

/// What indexes take in the store and in each object, from their pages in samples of it.
struct SampledSizes {
  /// The sample, then its halves.
  private let samples: [FileStatistics]

  init(_ samples: [StoreSample]) throws { self.samples = try samples.map { try $0.store.file.statistics() } }

  /// The size of an index over a number of objects.
  func bytes(of candidate: IndexCandidate, objects: Int) -> Int {
    guard let sample = samples.first else { return 0 }
    let bytes = samples.map { Double(use(of: candidate, in: $0)?.knownBytes ?? 0) }
    let growth = SampledGrowth(
      objects: Double(self.objects(of: candidate, in: sample)), amount: bytes.first ?? 0,
      halves: Array(bytes.dropFirst()))
    return Int(min(1e18, growth.amount(with: Double(objects)).rounded()))
  }

  /// The number of entries for each object.
  func entries(of candidate: IndexCandidate) -> Double {
    guard let sample = samples.first else { return 0 }
    return Double(use(of: candidate, in: sample)?.entries ?? 0) / Double(max(1, objects(of: candidate, in: sample)))
  }

  /// The size of an index as a fraction of that of the objects and their other indexes.
  ///
  /// - Parameter existing: The other indexes.
  func share(of candidate: IndexCandidate, beside existing: [Index]) -> Double {
    guard let sample = samples.first else { return 0 }
    let entity = sample.entities.first { $0.entity.name == candidate.entity }
    let written = sample.indexes.reduce(entity?.bytes ?? 0) { sum, use in
      use.entity.name == candidate.entity && existing.contains(use.index.index) ? sum + use.knownBytes : sum
    }
    return Double(use(of: candidate, in: sample)?.knownBytes ?? 0) / Double(max(1, written))
  }

  private func use(of candidate: IndexCandidate, in sample: FileStatistics) -> FileStatistics.IndexUse? {
    sample.indexes.first { $0.entity.name == candidate.entity && $0.index.index == candidate.index }
  }

  private func objects(of candidate: IndexCandidate, in sample: FileStatistics) -> Int {
    sample.entities.first { $0.entity.name == candidate.entity }?.objects ?? 0
  }
}

extension FileStatistics.IndexUse {
  /// Its bytes, at least those of the objects' numbers: the pages of a key with very many objects are a tree of their
  /// own, which is not among the index's pages.
  var knownBytes: Int {
    let (least, isTooMuch) = entries.multipliedReportingOverflow(by: MemoryLayout<UInt64>.size)
    return max(bytes, isTooMuch ? .max : least)
  }
}
