import CSimdjson
import ObjectStoreCore
internal import Values

/// Statistics on one path of the data: the number of values of each kind, and the first exceptions.
///
/// It does not decide on a type; see `TypeInference`.
struct ColumnStatistics {
  /// A value worth showing in a note.
  struct Sample {
    var text: String
    var line: Int
  }

  var integers = 0
  var reals = 0
  var bools = 0
  var texts = 0
  var objects = 0
  var arrays = 0
  /// The number of texts that are `nan` or `inf`.
  var specialNumbers = 0
  /// The number of texts that are a date, by the index of the form in `DateForm.allCases`.
  var dates = [Int](repeating: 0, count: DateForm.allCases.count)
  /// The first text that is not a date, by form.
  var notDates = [Sample?](repeating: nil, count: DateForm.allCases.count)
  /// Whether any text is a date in some form.
  private var hasDates = false
  private static let forms = DateForm.allCases
  var firstText: Sample?
  var firstNumber: Sample?
  var firstLeadingZero: Sample?
  /// The number of reals that are whole numbers beyond the integers of 64 bits, and of those that a Decimal can hold.
  var wideIntegers = 0
  var decimals = 0
  var firstWide: Sample?
  /// The smallest and largest integer.
  var integerRange: ClosedRange<Int64>?

  /// Values of any kind but nil.
  var values: Int { integers + reals + bools + texts + objects + arrays }
  var numbers: Int { integers + reals }

  /// Adds one field.
  mutating func add(_ field: Field, line: Int) {
    switch field.kind {
    case csj_bool: bools += 1
    case csj_integer: add(integer: field.integer, field, line)
    case csj_real:
      reals += 1
      if field.length > 0 { add(wide: field.bytes, line) }
      if firstNumber == nil { firstNumber = Sample(text: NumberText.text(field.real), line: line) }
    case csj_string, csj_quoted: add(text: field, line)
    case csj_untyped: add(untyped: field, line)
    case csj_object: objects += 1
    case csj_array: arrays += 1
    default: break
    }
  }

  private mutating func add(integer: Int64, _ field: Field, _ line: Int) {
    integers += 1
    if firstNumber == nil { firstNumber = Sample(text: String(integer), line: line) }
    if let range = integerRange, range.contains(integer) { return }
    let range = integerRange ?? integer...integer
    integerRange = Swift.min(range.lowerBound, integer)...Swift.max(range.upperBound, integer)
  }

  private mutating func add(untyped field: Field, _ line: Int) {
    let bytes = field.bytes
    if let integer = field.withNumber(NumberReading.integer) {
      if firstLeadingZero == nil, NumberReading.hasLeadingZeros(bytes) {
        firstLeadingZero = Sample(text: field.string, line: line)
      }
      add(integer: integer, field, line)
    } else if let first = bytes.first, first < UInt8(ascii: "A"), field.withNumber(NumberReading.real) != nil {
      reals += 1
      field.withNumber { add(wide: $0, line) }
      if firstNumber == nil { firstNumber = Sample(text: field.string, line: line) }
    } else if NumberReading.bool(bytes) != nil {
      bools += 1
    } else {
      add(text: field, line)
    }
  }

  /// Notes a number if it is a whole one that does not fit 64 bits.
  private mutating func add(wide bytes: UnsafeRawBufferPointer, _ line: Int) {
    guard bytes.count >= 19, NumberReading.isWhole(bytes) else { return }
    wideIntegers += 1
    if DecimalValue(utf8: bytes) != nil { decimals += 1 }
    if firstWide == nil { firstWide = Sample(text: String(decoding: bytes, as: UTF8.self), line: line) }
    if firstLeadingZero == nil, NumberReading.hasLeadingZeros(bytes) { firstLeadingZero = firstWide }
  }

  private mutating func add(text field: Field, _ line: Int) {
    texts += 1
    if firstText == nil { firstText = Sample(text: field.string, line: line) }
    let bytes = field.bytes
    if bytes.count <= 9, NumberReading.isSpecial(bytes) { specialNumbers += 1 }
    // A column whose first hundred texts are not dates of a form is no longer checked for it.
    guard texts <= 100 || hasDates else { return }
    for (index, form) in Self.forms.enumerated() where dates[index] > 0 || texts <= 100 {
      if form.instant(bytes) != nil {
        dates[index] += 1
        hasDates = true
      } else if notDates[index] == nil {
        notDates[index] = Sample(text: field.string, line: line)
      }
    }
  }
}

/// Statistics on the lists at one path of the data.
struct ElementEvidence {
  /// The elements.
  var elements = ColumnStatistics()
  /// The first element of a list that can't be stored in a list, and its place.
  var firstOther: ColumnStatistics.Sample?

  /// Adds the elements of a list.
  mutating func add(_ list: Field, line: Int, _ reader: ElementReader) {
    guard case .elements(let fields) = reader.read(list, keyed: false) else { return }
    for field in fields {
      let other: String? =
        switch field.kind {
        case csj_null: "nil"
        case csj_array: "lists"
        case csj_object: "objects"
        default: nil
        }
      if let other {
        if firstOther == nil { firstOther = ColumnStatistics.Sample(text: other, line: line) }
      } else {
        elements.add(field, line: line)
      }
    }
  }
}
