/// Strings as JSON: the only code that knows which characters must be escaped.
public enum JSONText {
  /// The text as a JSON string, with its quotation marks.
  public static func quoted(_ text: String) -> String {
    var output = ""
    append(text, to: &output)
    return output
  }

  /// Appends the text as a JSON string, with its quotation marks.
  public static func append(_ text: String, to output: inout String) {
    output += "\""
    if text.utf8.allSatisfy(isPlain) {
      output += text
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &output) }
    }
    output += "\""
  }

  /// Appends the text as a JSON string, with its quotation marks.
  package static func append(_ text: String, to output: inout TextBytes) {
    let before = output.count
    output.append(UInt8(ascii: "\""))
    output.append(text)
    // Always checks all bytes, without leaving early: this way several are checked at once.
    var isSpecial = false
    for byte in output.bytes(from: before + 1) where !isPlain(byte) { isSpecial = true }
    guard isSpecial else { return output.append(UInt8(ascii: "\"")) }
    output.removeEnd(from: before)
    output.append(quoted(text))
  }

  /// Whether a byte can't be part of an escaped character: the controls beyond ASCII begin with C2 and E2.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2: false
    default: true
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
    switch scalar {
    case "\"": output += "\\\""
    case "\\": output += "\\\\"
    case "\n": output += "\\n"
    case "\r": output += "\\r"
    case "\t": output += "\\t"
    case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: output.unicodeScalars.append(scalar)
    }
  }
}
