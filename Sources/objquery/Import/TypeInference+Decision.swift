import ObjectStoreCore

extension TypeInference {
  /// The decisions so far. It considers the statistics of one column at a time.
  struct Decision {
    var result: Result
    let dates: [String: DateReading]
    var typeNames: Set<String>
    private var empty: [String] = []

    init(result: Result, dates: [String: DateReading], typeNames: Set<String>) {
      self.result = result
      self.dates = dates
      self.typeNames = typeNames
    }

    mutating func note(_ sentence: String) { result.notes.append(sentence) }

    /// Reports the new name for a name of the data that could not be kept.
    mutating func noteName(_ source: String, _ path: String, isRenamed: Bool) {
      if isRenamed { note("\(quoted(source)) is named \(path)") }
    }

    /// The type for a column; nil when it can't be stored.
    mutating func type(of seen: ColumnStatistics, path: String) -> ScalarType? {
      let scalars = seen.values - seen.objects - seen.arrays
      if let reading = dates[path] {
        if case .text(let form) = reading { result.dateForms[path] = form }
        return .date
      }
      if scalars == 0 {
        if seen.arrays > 0 {
          note("\(path) left out: its values are lists and objects")
          return nil
        }
        if seen.objects > 0 { return nil }
        empty.append(path)
        return .string
      }
      if seen.arrays > 0 {
        note("\(counted(seen.arrays, "value")) of \(path) \(seen.arrays == 1 ? "is a list" : "are lists"): bad rows")
      }
      if seen.bools == scalars { return .bool }
      if seen.numbers == scalars { return number(seen, path) }
      if seen.texts == scalars { return text(seen, path) }
      if seen.numbers + seen.specialNumbers == scalars, seen.texts == seen.specialNumbers {
        noteRounding(seen, path)
        return .double
      }
      noteMixture(seen, path, scalars)
      return .string
    }

    /// The type for the elements of a column of lists; nil when they can't be stored. If all lists are empty, the
    /// elements are declared as strings.
    mutating func element(of seen: ElementEvidence, path: String) -> ScalarType? {
      if let other = seen.firstOther {
        note("\(path) left out: its lists hold \(other.text), the first on line \(grouped(other.line))")
        return nil
      }
      if seen.elements.values == 0, dates[path] == nil {
        note("\(path) has no element anywhere: declared [String]")
        return .string
      }
      return type(of: seen.elements, path: path)
    }

    private mutating func number(_ seen: ColumnStatistics, _ path: String) -> ScalarType {
      if let zero = seen.firstLeadingZero {
        note(
          "\(path) read as String: numbers would lose the zeros of \(quoted(zero.text)) on line \(grouped(zero.line))")
        return .string
      }
      if let wide = seen.firstWide, seen.wideIntegers == seen.reals {
        // Only whole numbers: each is kept exactly.
        let type: ScalarType = seen.decimals == seen.wideIntegers ? .decimal : .string
        let swiftName = PropertyType.scalar(type).swiftName
        note("\(path) read as \(swiftName): \(wide.text) on line \(grouped(wide.line)) does not fit Int")
        return type
      }
      if seen.reals > 0 {
        noteRounding(seen, path)
        return .double
      }
      // Milliseconds since 1970 in the years 2001 to 2065: other integers are rarely that large.
      if let range = seen.integerRange, range.lowerBound > 978_307_200_000, range.upperBound < 3_000_000_000_000 {
        note("\(path) looks like milliseconds since 1970: --date \(path):ms makes it a Date")
      }
      return .int
    }

    /// Says that a Double may not keep all digits of the whole numbers of a column.
    private mutating func noteRounding(_ seen: ColumnStatistics, _ path: String) {
      // Up to 2^53 a Double has every whole number.
      let exact: ClosedRange<Int64> = -1 << 53...1 << 53
      let inexact = seen.integerRange.flatMap { range in
        [range.lowerBound, range.upperBound].first { !exact.contains($0) }
      }
      guard let text = seen.firstWide?.text ?? inexact.map(String.init) else { return }
      note(
        "\(path) read as Double, which rounds whole numbers such as \(text); a Decimal in --schema keeps their digits")
    }

    private mutating func text(_ seen: ColumnStatistics, _ path: String) -> ScalarType {
      if seen.specialNumbers == seen.texts { return .double }
      let forms = DateForm.allCases.enumerated()
      let fitting = forms.filter { seen.dates[$0.offset] == seen.texts }
      if fitting.count == 1, let only = fitting.first {
        if only.element != .iso { note("\(path) read as Date, written \(only.element.pattern)") }
        result.dateForms[path] = only.element
        return .date
      }
      if fitting.count > 1 {
        note("\(path) read as String: its values may be \(fitting.map(\.element.pattern).joined(separator: " or "))")
        return .string
      }
      if let best = forms.max(by: { seen.dates[$0.offset] < seen.dates[$1.offset] }),
        seen.dates[best.offset] * 10 >= seen.texts * 9, let first = seen.notDates[best.offset]
      {
        let others = seen.texts - seen.dates[best.offset]
        note(
          "\(path) read as String: \(grouped(others)) of \(grouped(seen.texts)) values \(others == 1 ? "is" : "are")"
            + " not written \(best.element.pattern), the first \(quoted(first.text)) on line \(grouped(first.line))")
      }
      return .string
    }

    private mutating func noteMixture(_ seen: ColumnStatistics, _ path: String, _ scalars: Int) {
      if let text = seen.firstText, seen.numbers * 2 > scalars {
        note(
          "\(path) read as String: \(grouped(seen.texts)) of \(grouped(scalars)) values \(seen.texts == 1 ? "is" : "are")"
            + " no number, the first \(quoted(text.text)) on line \(grouped(text.line))")
      } else if let number = seen.firstNumber, seen.texts > 0 {
        note(
          "\(path) read as String: its values are text and numbers, the first number \(number.text)"
            + " on line \(grouped(number.line))")
      } else {
        note("\(path) read as String: its values are of several kinds")
      }
    }

    /// A name for the struct under a property that no other type has.
    mutating func typeName(for property: String, entity: String) -> String {
      var name = PropertyName.type(property)
      if typeNames.contains(name) { name = entity + name }
      while typeNames.contains(name) { name += "Value" }
      typeNames.insert(name)
      return name
    }

    /// One sentence on all the columns without a value.
    mutating func noteEmpty() {
      guard !empty.isEmpty else { return }
      let have = empty.count == 1 ? "has no value" : "have no value"
      note("\(empty.joined(separator: ", ")) \(have) anywhere: declared String?")
    }
  }
}
