import ObjectStoreCore
internal import Values

/// How fields are separated on a line, and how text is escaped within them.
///
/// In both forms an empty field is nil, and `""` is the empty text. CSV quotes other texts when necessary; TSV writes
/// `\t`, `\n`, `\r` and `\\` for separators, and `\"` at the start.
enum DelimitedForm {
  case csv, tsv

  var delimiter: UInt8 {
    switch self {
    case .csv: UInt8(ascii: ",")
    case .tsv: UInt8(ascii: "\t")
    }
  }

  /// Escapes the part of `text` from `start` on as a field. Most texts need no change.
  func protect(_ text: inout TextBytes, from start: Int) {
    guard needsProtection(text.bytes(from: start)) else { return }
    switch self {
    case .csv: quote(&text, from: start)
    case .tsv: escape(&text, from: start)
    }
  }

  private func quote(_ text: inout TextBytes, from start: Int) {
    if text.bytes(from: start).contains(Self.quote) {
      for byte in text.removeEnd(from: start) {
        if byte == Self.quote { text.append(byte) }
        text.append(byte)
      }
    }
    text.insert(Self.quote, at: start)
    text.append(Self.quote)
  }

  private func escape(_ text: inout TextBytes, from start: Int) {
    let field = text.removeEnd(from: start)
    if field.isEmpty { return text.append("\"\"") }
    if field.first == Self.quote { text.append(Self.backslash) }
    for byte in field {
      switch byte {
      case Self.tab: text.append("\\t")
      case Self.lineFeed: text.append("\\n")
      case Self.carriageReturn: text.append("\\r")
      case Self.backslash: text.append("\\\\")
      default: text.append(byte)
      }
    }
  }

  /// Always checks all bytes, without leaving early: this way several are checked at once.
  private func needsProtection(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    // An empty text differs from nil.
    guard let first = field.first, let last = field.last else { return true }
    var found = false
    switch self {
    case .csv:
      // Compared by bytes: a carriage return and a line feed are a single Swift `Character`.
      if first == Self.space || last == Self.space { return true }
      for byte in field
      where byte == Self.quote || byte == Self.comma || byte == Self.lineFeed || byte == Self.carriageReturn {
        found = true
      }
    case .tsv:
      if first == Self.quote { return true }
      for byte in field where byte < 0x20 || byte == Self.backslash { found = true }
    }
    return found
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let space = UInt8(ascii: " ")
  private static let backslash = UInt8(ascii: "\\")
  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
