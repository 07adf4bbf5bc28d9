import Foundation
import PredicateLanguage

/// Text operators, done the slow and obvious way. Nothing here is shared with the query engine.
enum OracleText {
  /// `[d]`: decomposed canonically, nonspacing marks removed. `[c]`: full case folding.
  static func folded(_ text: String, _ options: StringOptions) -> String {
    var text = text
    if options.contains(.diacriticInsensitive) {
      let kept = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
        $0.properties.generalCategory != .nonspacingMark
      }
      text = String(String.UnicodeScalarView(kept))
    }
    if options.contains(.caseInsensitive) { text = text.unicodeScalars.map(caseFolded).joined() }
    return text
  }

  /// Full case folding by way of the mappings: lower, upper, lower again. Only the dotless i folds to itself although
  /// its capital is I.
  private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\u{131}" { return String(scalar) }
    return lower(upper(scalar.properties.lowercaseMapping))
  }

  private static func lower(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  private static func upper(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.uppercaseMapping).joined()
  }

  /// Whether `needle` stands somewhere in `text`; at the front or the end only when asked.
  static func contains(_ text: String, _ needle: String, atFront: Bool = false, atEnd: Bool = false) -> Bool {
    let text = Array(text.utf8)
    let needle = Array(needle.utf8)
    guard needle.count <= text.count else { return false }
    for start in 0...(text.count - needle.count) {
      if atFront && start > 0 { continue }
      if atEnd && start + needle.count < text.count { continue }
      if text[start...].starts(with: needle) { return true }
    }
    return false
  }

  /// The first character; of no text there is none, and what is left is no text.
  static func firstLetter(_ text: String) -> String { text.isEmpty ? "" : String(text[text.startIndex]) }

  // MARK: LIKE

  private enum LikePart {
    case run
    case one
    case scalar(Unicode.Scalar)
  }

  /// LIKE by a table: `reached[p]` says whether the first p parts can make the text read so far.
  static func like(_ text: String, _ pattern: String, _ options: StringOptions) -> Bool {
    var parts: [LikePart] = []
    func literal(_ scalar: Unicode.Scalar) {
      parts += folded(String(scalar), options).unicodeScalars.map(LikePart.scalar)
    }
    var scalars = Array(pattern.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\\", let next = scalars.first, next == "*" || next == "?" || next == "\\" {
        literal(next)
        scalars.removeFirst()
      } else if scalar == "*" {
        parts.append(.run)
      } else if scalar == "?" {
        parts.append(.one)
      } else {
        literal(scalar)
      }
    }
    var reached = [Bool](repeating: false, count: parts.count + 1)
    reached[0] = true
    func skipRuns() {
      for (place, part) in parts.enumerated() where reached[place] {
        if case .run = part { reached[place + 1] = true }
      }
    }
    skipRuns()
    for scalar in folded(text, options).unicodeScalars {
      var next = [Bool](repeating: false, count: parts.count + 1)
      for (place, part) in parts.enumerated() where reached[place] {
        switch part {
        case .run: next[place] = true
        case .one: next[place + 1] = true
        case .scalar(let wanted): if scalar == wanted { next[place + 1] = true }
        }
      }
      reached = next
      skipRuns()
    }
    return reached[parts.count]
  }
}
