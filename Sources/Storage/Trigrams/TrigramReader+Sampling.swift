/// Estimated results and work of a search for phrases.
package struct TrigramSample: Sendable {
  /// Strings with all phrases.
  package fileprivate(set) var texts = 0.0
  /// Clusters with such strings.
  package fileprivate(set) var clusters = 0.0
  /// Positions read, including the equivalent cost of reaching them.
  package fileprivate(set) var places = 0.0
  /// Whether the search was completed, so that nothing is estimated.
  package fileprivate(set) var isWhole = true

  fileprivate mutating func add(_ other: TrigramSample, times scale: Double) {
    texts += other.texts * scale
    clusters += other.clusters * scale
    places += other.places * scale
  }
}

extension TrigramReader {
  /// The number of first positions of each trigram that are read; most searches for rare strings end within them.
  private static let firstPlaces = 512
  /// The number of positions read at each of some later clusters, at least those of one cluster.
  private static let furtherPlaces = 64
  private static let furtherParts: UInt64 = 6

  /// Estimates the result of a search for strings with all of some phrases: by running it if that is cheap, otherwise
  /// by running parts of it. Similar strings are often adjacent, so neither a few clusters nor the frequency of each
  /// trigram show the frequency of a phrase.
  package func sample(_ phrases: [TrigramPhrase]) throws -> TrigramSample {
    try StoreError.translating(path) {
      guard let lead = phrases.first?.parts.first else { return TrigramSample() }
      let (start, end) = try part(of: phrases, from: 0, to: .max, most: Self.firstPlaces)
      var sample = start
      sample.places += Double(phrases.reduce(0) { $0 + $1.parts.count } * Self.seekWork)
      guard let end else { return sample }
      sample.isWhole = false
      // The last cluster is counted, not estimated.
      let last = max(end, try walk(lead.trigram).lastCluster() ?? end)
      let width = last - end
      let parts = min(Self.furtherParts, width)
      var read = start.places
      for number in 0..<parts {
        let from = end + width / parts * number
        let to = number + 1 == parts ? last : from + width / parts
        let (found, reached) = try part(of: phrases, from: from, to: to, most: Self.furtherPlaces)
        let done = Double((reached ?? to) - from)
        sample.add(found, times: Double(to - from) / max(1, done))
        read += found.places
      }
      sample.add(try part(of: phrases, from: last, to: .max, most: Self.firstPlaces).found, times: 1)
      // Strings that were not found in a part may still be in the rest.
      sample.texts = max(sample.texts, 0.5 * sample.places / max(1, read))
      return sample
    }
  }

  /// Runs a search from one cluster to before another, until `most` positions are read. Returns the cluster it stopped
  /// at; nil if it reached the end.
  private func part(
    of phrases: [TrigramPhrase], from first: UInt64, to end: UInt64, most: Int
  ) throws -> (found: TrigramSample, reached: UInt64?) {
    var sample = TrigramSample()
    let walks = try phrases.flatMap(walks)
    guard let lead = walks.first else { return (sample, nil) }
    let most = walks.count * most
    var pairs = 0
    var reached: UInt64?
    var isThere = try lead.begin(at: first)
    clusters: while isThere, lead.cluster < end {
      let cluster = lead.cluster
      if pairs &+ (lead.work &- lead.workBefore) &* walks.count > most {
        reached = cluster
        break
      }
      var mask = Mask.all
      var next = 0
      for phrase in phrases {
        let its = walks[next..<next + phrase.parts.count]
        next += phrase.parts.count
        for walk in its where walk !== lead {
          guard try walk.begin(at: cluster) else { break clusters }
          if walk.cluster > cluster {
            isThere = try lead.advance(to: walk.cluster)
            continue clusters
          }
        }
        for walk in its { pairs &+= walk.pairs.count / 2 }
        mask = mask & Self.matches(its, its[its.startIndex], isAtStart: phrase.isAtStart)
        if mask.isEmpty { break }
      }
      if !mask.isEmpty {
        sample.texts += Double(mask.count)
        sample.clusters += 1
      }
      guard cluster < .max else { break }
      isThere = try lead.advance(to: cluster + 1)
    }
    // The initial seek of each walk is not part of the progress.
    sample.places = Double(walks.reduce(pairs) { $0 &+ $1.work &- $1.workBefore })
    return (sample, reached)
  }
}
