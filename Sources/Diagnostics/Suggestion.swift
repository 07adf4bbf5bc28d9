/// Finds the name somebody probably meant.
public enum Suggestion {
  /// The longest name that is looked at, and the most candidates: what bounds the cost.
  private static let longest = 64
  private static let most = 2_000

  /// The name among `candidates` nearest to `name`, or nil when none is near enough to be worth saying.
  ///
  /// A name that differs only in letter case is nearest of all; otherwise letters swapped, missing, added or changed
  /// are counted (Damerau–Levenshtein), and one in three may be. Of equals the first is taken.
  public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= longest else { return nil }
    var best: (name: String, distance: Int)?
    for (index, candidate) in candidates.enumerated() where candidate != name {
      guard index < most else { break }
      let letters = Array(candidate.lowercased().unicodeScalars)
      guard letters.count <= longest else { continue }
      if letters == wanted { return candidate }
      let allowed = min((best?.distance ?? Int.max) - 1, max(wanted.count, letters.count) / 3)
      guard allowed > 0, let distance = distance(wanted, letters, atMost: allowed) else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// How many letters must be swapped with a neighbour, removed, added or changed; nil when more than `limit`.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
    guard abs(a.count - b.count) <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1..<max(a.count + 1, 1) {
      var row = [Int](repeating: i, count: b.count + 1)
      for j in 1..<max(b.count + 1, 1) {
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
        row[j] = cost
      }
      if row.min() ?? 0 > limit { return nil }
      (beforeLast, last) = (last, row)
    }
    let distance = last[b.count]
    return distance <= limit ? distance : nil
  }
}
