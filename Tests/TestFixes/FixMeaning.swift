public import Diagnostics

/// Checks that fixes keep what was written: an operator, direction, aggregate or function may only become the one that
/// is nearest in spelling, or that is the same in another language.
///
/// It reads the edits as words and signs, with its own measure of distance and its own list of equivalents, and knows
/// nothing of how the fixes are made.
public enum FixMeaning {
  /// What fixes of an error change that they must not; empty when all of them keep the meaning.
  public static func faults(of error: DiagnosticError) -> [String] {
    let bytes = Array(error.source.utf8)
    return error.diagnostics.flatMap(\.fixes).compactMap { fix in
      let end = min(fix.range.upperBound, bytes.count)
      let written = String(decoding: bytes[min(fix.range.lowerBound, end)..<end], as: UTF8.self)
      return fault(written, fix.replacement).map { "\(error.source): '\(written)' becomes '\(fix.replacement)': \($0)" }
    }
  }

  /// What a replacement changes that it must not.
  static func fault(_ written: String, _ replacement: String) -> String? {
    // A text whose quotes are taken away, as of a condition in a call, counts as written.
    let old = pieces(written) + quoted(written).filter { replacement.contains($0) }.flatMap(pieces)
    let new = pieces(replacement)
    if !MeaningWords.negations.isDisjoint(with: old), MeaningWords.negations.isDisjoint(with: new) {
      return "the negation is gone"
    }
    var gone = old.filter { !new.contains($0) }
    if old.count > new.count, gone.isEmpty { gone = old }
    for piece in new where !old.contains(piece) {
      guard let kind = MeaningWords.kind(of: piece), !gone.isEmpty else { continue }
      if gone.joined() != piece,
        !gone.contains(where: { MeaningWords.isSame($0, as: piece) || isNearest(piece, to: $0, of: kind) })
      {
        return "'\(piece)' is not the nearest to any of \(gone)"
      }
    }
    return nil
  }

  /// Whether `meant` is the one word of its kind that is spelled most like `written`: the fewest edits, and of equals
  /// the most letters in common.
  private static func isNearest(_ meant: String, to written: String, of kind: MeaningWords.Kind) -> Bool {
    if written.utf8.count > 2, kind.words.filter({ $0.hasPrefix(written) }) == [meant] { return true }
    let own = kind.spellings.filter { MeaningWords.isSame($0, as: meant) }.map { Distance($0, written) }.min()
    guard let own else { return false }
    return kind.spellings.allSatisfy { MeaningWords.isSame($0, as: meant) || own < Distance($0, written) }
  }

  /// How far a spelling is from what was written.
  private struct Distance: Comparable {
    let edits: Int
    /// How many letters one has and the other does not, in order.
    let different: Int

    init(_ a: String, _ b: String) {
      let (a, b) = (Array(a.utf8), Array(b.utf8))
      var rows = [Array(0...b.count)]
      var common = [[Int](repeating: 0, count: b.count + 1)]
      for i in a.indices {
        rows.append([i + 1])
        common.append([0])
        for j in b.indices {
          let isSame = a[i] == b[j]
          var best = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (isSame ? 0 : 1))
          if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
          rows[i + 1].append(best)
          common[i + 1].append(isSame ? common[i][j] + 1 : max(common[i][j + 1], common[i + 1][j]))
        }
      }
      edits = rows[a.count][b.count]
      different = a.count + b.count - 2 * common[a.count][b.count]
    }

    static func < (a: Distance, b: Distance) -> Bool { (a.edits, a.different) < (b.edits, b.different) }
  }

  /// What stands in quotes.
  private static func quoted(_ text: String) -> [String] {
    var found: [String] = []
    var open: (quote: Character, text: String)?
    for character in text {
      if let (quote, inner) = open {
        if character == quote { found.append(inner) }
        open = character == quote ? nil : (quote, inner + String(character))
      } else if character == "'" || character == "\"" {
        open = (character, "")
      }
    }
    return found
  }

  /// The words and signs of a text in small letters, without what stands in quotes.
  private static func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var isWord = false
    var quote: Character?
    for character in text.lowercased() {
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      let continuesWord = character.isLetter || character.isNumber || "_@:".contains(character)
      let isSign = "=!<>&|~.≤≥≠".contains(character)
      if !piece.isEmpty, !(continuesWord && isWord || isSign && !isWord) {
        pieces.append(piece)
        piece = ""
      }
      if character == "'" || character == "\"" { quote = character }
      if continuesWord || isSign {
        isWord = continuesWord
        piece.append(character)
      }
    }
    return pieces + (piece.isEmpty ? [] : [piece])
  }
}
