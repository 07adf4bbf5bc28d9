import PredicateLanguage
import Values

/// The order of texts under the options of a sort key: part by part, a run of digits being one.
enum OracleTextOrder {
  /// Whether one value comes before another in ascending order.
  static func sortsBefore(_ left: Value, _ right: Value, _ options: SortOptions) -> Bool {
    guard case .string(let a) = left, case .string(let b) = right, !options.isEmpty else {
      return OracleValues.sortsBefore(left, right)
    }
    return isLess(folded(a, options), folded(b, options), options.contains(.numeric))
  }

  /// What is left of a text where letter case or marks do not count.
  static func folded(_ text: String, _ options: SortOptions) -> String {
    var letters: StringOptions = []
    if options.contains(.caseInsensitive) { letters.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { letters.insert(.diacriticInsensitive) }
    return OracleText.folded(text, letters)
  }

  private static func isLess(_ left: String, _ right: String, _ isNumeric: Bool) -> Bool {
    var (a, b) = (Array(left.utf8)[...], Array(right.utf8)[...])
    while let first = a.first, let second = b.first {
      if isNumeric, isDigit(first), isDigit(second) {
        let (number, other) = (takeNumber(&a), takeNumber(&b))
        if number.count != other.count { return number.count < other.count }
        if number != other { return number.lexicographicallyPrecedes(other) }
      } else if first != second {
        return first < second
      } else {
        a.removeFirst()
        b.removeFirst()
      }
    }
    return a.isEmpty && !b.isEmpty
  }

  /// The digits at the front without the zeros they begin with.
  private static func takeNumber(_ text: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return Array(digits.drop { $0 == UInt8(ascii: "0") })
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
