/// The part of a string that `substring(s, start, length)` gives: the Unicode scalars from one position on, counted
/// from 0. Positions before the first and after the last scalar have none.
struct TextPart: Hashable {
  private let lower: Int64
  /// The position after the last scalar.
  private let upper: Int64

  /// - Parameter length: The number of positions; nil for all.
  init(start: Int64, length: Int64?) {
    lower = max(0, start)
    guard let length else {
      upper = .max
      return
    }
    let (end, isOver) = start.addingReportingOverflow(length)
    upper = isOver ? (length < 0 ? 0 : .max) : end
  }

  /// The bytes of the part.
  func slice(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // A scalar has at least one byte.
    guard upper > lower, lower < text.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    var position: Int64 = -1
    var first = text.count
    for place in 0..<text.count where text[place] & 0xC0 != 0x80 {
      position += 1
      if position == lower { first = place }
      if position == upper { return UnsafeRawBufferPointer(rebasing: text[first..<place]) }
    }
    return UnsafeRawBufferPointer(rebasing: text[first...])
  }

  func callAsFunction(_ text: String) -> String {
    var text = text
    return text.withUTF8 { String(decoding: slice(of: UnsafeRawBufferPointer($0)), as: UTF8.self) }
  }
}

/// What `replace(s, from, to)` does: each occurrence of a string, from left to right, becomes another one. Strings are
/// compared by their bytes, and nothing is replaced for an empty string.
struct TextReplacement: Hashable {
  private let from: [UInt8]
  private let to: [UInt8]

  /// A longer result is an error, since repeated replacements of a query can multiply a string without limit.
  /// Those of a cluster of objects fit the buffer of a vector.
  static let mostBytes = (1 << 22) - 2

  init(_ from: String, by to: String) {
    self.from = Array(from.utf8)
    self.to = Array(to.utf8)
  }

  /// Whether the result is never longer than the string.
  var neverGrows: Bool { to.count <= from.count || from.isEmpty }

  /// Whether the result of an ASCII string is one.
  var keepsASCII: Bool { to.allSatisfy { $0 < 0x80 } }

  /// The bytes of the result; nil if they are too many.
  func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !from.isEmpty else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    var nextQuestion = LongText.partSize
    while let found = from.withUnsafeBytes({ Bytes.find($0, in: UnsafeRawBufferPointer(rebasing: text[place...])) }) {
      result.append(contentsOf: text[place..<place + found])
      result.append(contentsOf: to)
      if result.count > Self.mostBytes, !neverGrows { return nil }
      place += found + from.count
      if place < nextQuestion { continue }
      if LongText.isAbandoned { break }
      nextQuestion = place + LongText.partSize
    }
    result.append(contentsOf: text[place...])
    return neverGrows || result.count <= Self.mostBytes ? result : nil
  }

  /// The result; nil if it is too long.
  func callAsFunction(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes(of: UnsafeRawBufferPointer($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// The string without white space (of Unicode) at either end.
  var withoutOuterWhitespace: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
