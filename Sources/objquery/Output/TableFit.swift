/// The widths of a table's columns on a screen: long texts are cut first, then columns that don't fit are left out.
/// Numbers and dates are shown completely or not at all, since a part of them would be misleading.
struct TableFit {
  /// The widths of the columns that are shown.
  private(set) var widths: [Int]

  /// Columns are not made narrower than this to make room for others.
  private static let narrowest = 12

  /// - Parameters:
  ///   - frame: The width of a table of `n` columns in addition to the columns.
  ///   - limit: The width of the screen; nil means no limit.
  ///   - isText: Whether each column may be cut.
  ///   - isSample: Whether later rows may be wider, so that texts get the room that is left.
  init(widths: [Int], isText: [Bool], frame: (Int) -> Int, limit: Int?, isSample: Bool = false) {
    self.widths = widths
    guard let limit else { return }
    let texts = widths.indices.filter { isText.indices.contains($0) && isText[$0] }
    var excess = widths.reduce(frame(widths.count), +) - limit
    while excess > 0, let widest = texts.map({ self.widths[$0] }).max(), widest > Self.narrowest {
      // Cuts all of the widest columns to the next smaller width, or only as far as needed.
      let places = texts.filter { self.widths[$0] == widest }
      let next = max(texts.map { self.widths[$0] }.filter { $0 < widest }.max() ?? 0, Self.narrowest)
      let cut = min(widest - next, (excess + places.count - 1) / places.count)
      for place in places { self.widths[place] -= cut }
      excess -= cut * places.count
    }
    while self.widths.count > 1, self.widths.reduce(frame(self.widths.count), +) > limit { self.widths.removeLast() }
    let growing = texts.filter { $0 < self.widths.count }
    guard isSample, !growing.isEmpty else { return }
    // No column gets more than twice the room its sample needs: a table should not be wide for nothing.
    let room = max(0, limit - self.widths.reduce(frame(self.widths.count), +)) / growing.count
    for place in growing { self.widths[place] += min(room, self.widths[place]) }
  }
}
