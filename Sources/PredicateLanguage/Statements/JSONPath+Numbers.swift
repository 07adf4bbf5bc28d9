public import Diagnostics
internal import Values

extension JSONPath {
  /// The first number at or below this path of the JSON value at `range` that a Decimal cannot represent: it has more
  /// than 38 digits, and was read as a Double. Takes time proportional to the length of the text.
  public func numberBeyondDecimals(in statement: String, from range: SourceRange) -> SourceRange? {
    let range = steps.isEmpty ? range : self.range(in: statement, from: range)
    let bytes = Array(statement.utf8.dropFirst(range.lowerBound).prefix(range.upperBound - range.lowerBound))
    var place = 0
    /// Goes on while bytes belong to what began.
    func pass(while belongs: (UInt8) -> Bool) {
      while place < bytes.count, belongs(bytes[place]) { place += 1 }
    }
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        place += 1
        while place < bytes.count, bytes[place] != bytes[start] { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        place += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        pass { Self.isInWord($0) || [UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }
        let number = String(decoding: bytes[start..<place].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        // What the Parser took for no number is an error already.
        if Double(number) != nil, DecimalValue(number) == nil {
          return SourceRange(range.lowerBound + start, range.lowerBound + place)
        }
      case let byte where Self.isInWord(byte): pass(while: Self.isInWord)
      default: place += 1
      }
    }
    return nil
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || 48...57 ~= byte || 97...122 ~= byte | 0x20
  }
}
