/// Reads a text that may be a date part by part, from its start.
struct DateParts {
  /// A number, and how many digits it is written with.
  struct Number {
    var value: Int
    var digits: Int
  }

  struct TimeOfDay {
    var hour = 0
    var minute = 0
    var second = 0
  }

  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

  /// A number of at most four digits.
  mutating func number() -> Number? {
    var number = Number(value: 0, digits: 0)
    while let byte = rest.first, byte &- UInt8(ascii: "0") < 10 {
      if number.digits == 4 { return nil }
      number = Number(value: number.value * 10 + Int(byte - UInt8(ascii: "0")), digits: number.digits + 1)
      rest.removeFirst()
    }
    return number.digits > 0 ? number : nil
  }

  /// Whether the next byte is `byte`, which is passed then.
  mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipSpaces() { while take(UInt8(ascii: " ")) {} }

  /// The month of an English name, whole or its first three letters; nothing is passed if there is none.
  mutating func month() -> Int? {
    let word = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
    guard word.count >= 3, word.count <= 9 else { return nil }
    let lowered = word.map { $0 | 0x20 }
    guard
      let month = Self.months.firstIndex(where: { name in
        lowered.elementsEqual(name.utf8) || lowered.count == 3 && name.utf8.starts(with: lowered)
      })
    else { return nil }
    rest = rest.dropFirst(word.count)
    _ = take(UInt8(ascii: "."))
    return month + 1
  }

  /// The rest: nothing, or a time of day behind spaces; nil when it is anything else.
  mutating func timeOfDay() -> TimeOfDay? {
    if rest.isEmpty { return TimeOfDay() }
    guard take(UInt8(ascii: " ")) else { return nil }
    skipSpaces()
    guard let hour = number(), take(UInt8(ascii: ":")), let minute = number(), minute.digits == 2 else { return nil }
    var time = TimeOfDay(hour: hour.value, minute: minute.value)
    if take(UInt8(ascii: ":")) {
      guard let second = number(), second.digits == 2 else { return nil }
      time.second = second.value
    }
    return rest.isEmpty ? time : nil
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
}
