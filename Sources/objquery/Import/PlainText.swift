/// Small text functions that need no library.

/// `text` without white space at its ends.
func trimmed(_ text: String) -> String {
  let isBlank: (Character) -> Bool = { $0.isWhitespace }
  let start = text.drop(while: isBlank)
  guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(start[...last])
}

/// `12,345`: a count as people read it.
func grouped(_ number: Int) -> String {
  var digits = Array(String(number.magnitude))
  var place = digits.count - 3
  while place > 0 {
    digits.insert(",", at: place)
    place -= 3
  }
  return (number < 0 ? "-" : "") + String(digits)
}

/// `1 object`, `2,000 objects`.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// `text` shortened for messages, in single quotes.
func quoted(_ text: String, limit: Int = 60) -> String { "'" + shortened(text, limit: limit) + "'" }

private func shortened(_ text: String, limit: Int) -> String {
  text.count > limit ? String(text.prefix(limit - 1)) + "…" : text
}

/// `a, b, c`, or the first of many and how many more there are.
func listed(_ texts: [String], between separator: String = ", ", most: Int = 20) -> String {
  let shown = texts.prefix(most).map { shortened($0, limit: 64) }.joined(separator: separator)
  return texts.count > most ? "\(shown) and \(grouped(texts.count - most)) more" : shown
}
