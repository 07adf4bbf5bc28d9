/// The order of texts in which runs of the digits 0 to 9 are numbers.
///
/// Leading zeros do not count, so `7` and `007` are equal. A run of digits and another character compare as its first
/// digit would.
enum NumericOrder {
  /// A text whose order by bytes is that order. Before the digits of a run stands how many they are, so that a longer
  /// number is the greater one.
  static func key(of text: String) -> String {
    var text = text
    let key = text.withUTF8 { bytes -> [UInt8]? in
      guard bytes.contains(where: isDigit) else { return nil }
      var key: [UInt8] = []
      key.reserveCapacity(bytes.count + 8)
      var place = 0
      while place < bytes.count {
        guard isDigit(bytes[place]) else {
          key.append(bytes[place])
          place += 1
          continue
        }
        let end = bytes[place...].firstIndex { !isDigit($0) } ?? bytes.count
        let digits = bytes[place..<end].drop { $0 == zero }
        append(length: digits.count, to: &key)
        key.append(contentsOf: digits)
        place = end
      }
      return key
    }
    return key.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// A length as text, in the order of lengths and none the beginning of another. Its first byte is a digit, so that a
  /// number stands where digits stand among other characters.
  private static func append(length: Int, to key: inout [UInt8]) {
    if length < 9 {
      key.append(zero + UInt8(length))
    } else {
      let written = Array(String(length).utf8)
      key.append(zero + 9)
      key.append(UInt8(ascii: "a") + UInt8(written.count))
      key.append(contentsOf: written)
    }
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }
}
