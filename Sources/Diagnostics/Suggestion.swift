/// Finds the name that was probably intended.
public enum Suggestion {
  /// The longest name that is looked at, and the most candidates: what bounds the cost.
  private static let longest = 64
  private static let most = 2_000

  /// The name among `candidates` that is nearest to `name`, or nil when none is near enough to be worth saying.
  ///
  /// A name that differs only in letter case is nearest of all; otherwise letters swapped, missing, added or changed
  /// are counted (Damerau–Levenshtein), and one in three may be. Of names that take as many edits the nearest is the one
  /// with fewer letters changed, unless another begins with the letter that was written and it does not. Where several
  /// are left the result is nil, not a guess.
  public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: name, of: candidates.lazy.filter { $0 != name }.map { ($0, meaning: $0) })
  }

  /// The meaning whose spelling is nearest to `name`, as `nearest(to:among:)`; several spellings may have one meaning.
  ///
  /// Unlike there, a spelling that is `name` itself counts.
  public static func nearest<Meaning: Equatable>(
    to name: String, of candidates: some Sequence<(spelling: String, meaning: Meaning)>
  ) -> Meaning? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= longest else { return nil }
    var nearest: [(meaning: Meaning, difference: Difference)] = []
    for (index, candidate) in candidates.enumerated() {
      guard index < most else { break }
      let letters = Array(candidate.spelling.lowercased().unicodeScalars)
      guard letters.count <= longest else { continue }
      if letters == wanted { return candidate.meaning }
      let fewest = nearest.first?.difference.edits ?? .max
      let allowed = min(fewest, max(wanted.count, letters.count) / 3)
      guard allowed > 0, let difference = difference(wanted, letters, atMost: allowed) else { continue }
      if difference.edits < fewest { nearest.removeAll() }
      nearest.append((candidate.meaning, difference))
    }
    return nearest.first { found in
      nearest.allSatisfy { $0.meaning == found.meaning || found.difference.isPlainlyLess(than: $0.difference) }
    }?.meaning
  }

  /// How a name differs from the one that was written.
  struct Difference {
    /// The number of letters that are swapped with a neighbour, missing, added or changed.
    var edits: Int
    /// The number of changed letters among them.
    var changed: Int
    var beginsAlike: Bool

    /// Whether, of two with the same edits, this one is plainly less.
    func isPlainlyLess(than other: Difference) -> Bool {
      changed < other.changed && (beginsAlike || !other.beginsAlike)
    }
  }

  /// How two names differ; nil when it takes more than `limit` edits.
  static func difference(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Difference? {
    // A letter changed costs a little more than one added, so that of ways with the same edits the one with the fewest
    // changed letters is counted.
    let edit = longest + 1
    guard let cost = cost(a, b, edit: edit, change: edit + 1, atMost: limit * (edit + 1)), cost / edit <= limit else {
      return nil
    }
    return Difference(edits: cost / edit, changed: cost % edit, beginsAlike: a.first == b.first)
  }

  private static func cost(
    _ a: [Unicode.Scalar], _ b: [Unicode.Scalar], edit: Int, change: Int, atMost limit: Int
  ) -> Int? {
    guard abs(a.count - b.count) * edit <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = (0...b.count).map { $0 * edit }
    for i in 1..<max(a.count + 1, 1) {
      var row = [Int](repeating: i * edit, count: b.count + 1)
      for j in 1..<max(b.count + 1, 1) {
        var cost = min(last[j] + edit, row[j - 1] + edit, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : change))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + edit) }
        row[j] = cost
      }
      if row.min() ?? 0 > limit { return nil }
      (beforeLast, last) = (last, row)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
