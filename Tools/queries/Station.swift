/// What the stations of `stations.jsonl` look like: collections of texts and numbers, and a place on the globe.
@Model struct Site {
  var town: String
  var longitude: Double
  var latitude: Double
}

@Model struct Station {
  @Attribute(.unique) var code: String
  var site: Site?
  var opened: Date
  /// In the order in which they were set up.
  var instruments: [String]
  /// The strongest magnitude of each of the last days, the latest last.
  var peaks: [Double]
  /// In which it was rebuilt.
  var rebuilt: Set<Int>
  /// By the band of frequencies, in decibels.
  var noise: [String: Double]
  /// What was written about it; nil where nobody keeps a log.
  var remarks: [String]?
}
