import CSimdjson

/// How the text of a delimited file is to be read, where it is not as RFC 4180 has it.
struct DelimitedReading: Equatable {
  /// What separates columns; nil chooses by the first line.
  var delimiter: UInt8?
  /// What quotes a cell; nil for nothing.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// Whether the first line names the columns; otherwise they are `column1`, `column2` …
  var hasHeader = true
  /// The lines before the first that counts.
  var skippedLines = 0
  /// Texts that are nil, unless they are quoted.
  var nulls: [[UInt8]] = []
  /// Whether numbers are written as `1.234,5`.
  var hasDecimalComma = false

  /// What the `integer` of a cell has, if a number in it is written with a decimal comma. A text stays as it is.
  static let commaMark: Int64 = 1

  /// The options of an import that made it other than usual.
  var options: [String] {
    var options: [String] = []
    if delimiter != nil { options.append("--delimiter") }
    if quote != Self.usual.quote { options.append("--quote") }
    if !hasHeader { options.append("--no-header") }
    if skippedLines != 0 { options.append("--skip") }
    if !nulls.isEmpty { options.append("--null") }
    if hasDecimalComma { options.append("--decimal-comma") }
    return options
  }

  /// The usual form.
  static let usual = DelimitedReading()

  /// Changes a number with a decimal comma to one with a point, within its bytes; returns how many bytes it has then.
  /// Other texts stay: `1,234,567`, `05.02.2018`.
  static func pointed(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let (comma, point) = (UInt8(ascii: ","), UInt8(ascii: "."))
    guard bytes.contains(comma) || bytes.contains(point) else { return bytes.count }
    var place = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? 1 : 0
    var digits = 0
    var groups = 0
    func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    while place < bytes.count, bytes[place] != comma {
      if bytes[place] == point {
        // Groups of three after one of at most three.
        guard groups == 0 ? 1...3 ~= digits : digits == 3 else { return bytes.count }
        groups += 1
        digits = 0
      } else {
        guard isDigit(bytes[place]) else { return bytes.count }
        digits += 1
      }
      place += 1
    }
    guard digits > 0, groups == 0 || digits == 3 else { return bytes.count }
    if place < bytes.count {
      let rest = bytes[(place + 1)...]
      guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return bytes.count }
    }
    var target = 0
    for source in bytes.indices where bytes[source] != point {
      bytes[target] = bytes[source] == comma ? point : bytes[source]
      target += 1
    }
    return target
  }
}

extension Field {
  /// Runs `body` on the bytes of a text that is to be read as a number.
  func withNumber<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    guard kind == csj_untyped || kind == csj_quoted, integer == DelimitedReading.commaMark else { return body(bytes) }
    var copy = [UInt8](bytes)
    let count = copy.withUnsafeMutableBufferPointer { DelimitedReading.pointed($0) }
    return copy.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
