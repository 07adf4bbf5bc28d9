/// What a search for phrases finds and takes, as far as that was found out.
package struct TrigramSample: Sendable {
  /// Texts with all phrases.
  package fileprivate(set) var texts = 0.0
  /// Clusters that have some of them.
  package fileprivate(set) var clusters = 0.0
  /// Places read, with what getting at them takes.
  package fileprivate(set) var places = 0.0
  /// Whether it was done to its end, and nothing is a guess.
  package fileprivate(set) var isWhole = true

  fileprivate mutating func add(_ other: TrigramSample, times scale: Double) {
    texts += other.texts * scale
    clusters += other.clusters * scale
    places += other.places * scale
  }
}

extension TrigramReader {
  /// How many places of each trigram are read from the first on; most searches for rare texts are done by then.
  private static let firstPlaces = 512
  /// How many are read at each of some clusters further on, at least those of one cluster.
  private static let furtherPlaces = 64
  private static let furtherParts: UInt64 = 6

  /// About what is found where texts have all of some phrases: by doing it, where that is little, and else by doing it in
  /// parts. Texts often lie together that are alike, so that neither a few clusters nor how often each trigram is there
  /// tell how often a phrase is.
  package func sample(_ phrases: [TrigramPhrase]) throws -> TrigramSample {
    try StoreError.translating(path) {
      guard let lead = phrases.first?.parts.first else { return TrigramSample() }
      let (start, end) = try part(of: phrases, from: 0, to: .max, most: Self.firstPlaces)
      var sample = start
      sample.places += Double(phrases.reduce(0) { $0 + $1.parts.count } * Self.seekWork)
      guard let end else { return sample }
      sample.isWhole = false
      // What is in the last cluster needs no guess.
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
      // What was not seen in a part may still be in the rest.
      sample.texts = max(sample.texts, 0.5 * sample.places / max(1, read))
      return sample
    }
  }

  /// Does a search from one cluster to before another, until so many places are read; where it ended then, nil when it
  /// came to the end.
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
    // Going to where each begins is not what getting on takes.
    sample.places = Double(walks.reduce(pairs) { $0 &+ $1.work &- $1.workBefore })
    return (sample, reached)
  }
}
