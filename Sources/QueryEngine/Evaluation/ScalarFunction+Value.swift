internal import Glibc
internal import PredicateLanguage
internal import Storage
internal import Values

extension ScalarFunction {
  /// The result for arguments of the right number and types; nil if an argument is nil, except for `coalesce`.
  ///
  /// - Throws: If a string would become too long.
  func value(_ operands: [Value]) throws(StoreError) -> Value {
    if self == .coalesce { return operands.first { !$0.isNull } ?? .null }
    guard let first = operands.first, arity.contains(operands.count), !operands.contains(where: \.isNull) else {
      return .null
    }
    switch family {
    case .rounding(let rounding):
      return operands.count == 2 ? Self.rounded(first, places: operands[1]) : Self.rounded(first, rounding)
    case .real(let real): return Arithmetic.number(first).map { .double(real($0)) } ?? .null
    case .arithmetic, .bits:
      if let operation { return Arithmetic.apply(operation, first, operands[1]) }
      return self == .modulus ? modulus(first, operands[1]) : Arithmetic.complement(first)
    case .string(let transform):
      guard case .string(let text) = first else { return .null }
      return .string(transform(text))
    case .folding(let folding):
      guard case .string(let text) = first else { return .null }
      return .string(String(decoding: folding.fold(text), as: UTF8.self))
    case .length:
      guard case .string(let text) = first else { return .null }
      return .int(Int64(text.unicodeScalars.count))
    case .joined:
      var joined = ""
      for case .string(let text) in operands { joined += text }
      return .string(joined)
    case .part:
      guard case .string(let text) = first, case .int(let start) = operands[1] else { return .null }
      if operands.count == 2 { return .string(TextPart(start: start, length: nil)(text)) }
      guard case .int(let length) = operands[2] else { return .null }
      return .string(TextPart(start: start, length: length)(text))
    case .replaced:
      guard case .string(let text) = first, case .string(let from) = operands[1], case .string(let to) = operands[2]
      else { return .null }
      guard let replaced = TextReplacement(from, by: to)(text) else {
        throw .unsupported("replace() makes a string of over 4 MiB; replace by a shorter one")
      }
      return .string(replaced)
    case .calendar(let part): return Self.component(part, of: first)
    case .bucket:
      guard case .date(let instant) = first, case .string(let name) = operands[1] else { return .null }
      // The binder has written its name in lowercase.
      return CalendarPeriod(rawValue: name)?.start(of: instant).map(Value.date) ?? .null
    // Evaluated above.
    case .first: return first
    case .distance: return Self.distance(operands.map(Arithmetic.number))
    }
  }

  /// The operator that is equivalent to the function, or nil.
  var operation: BinaryOperator? {
    switch self {
    case .raise: .power
    case .bitwiseAnd: .bitAnd
    case .bitwiseOr: .bitOr
    case .bitwiseXor: .bitXor
    case .leftShift: .shiftLeft
    case .rightShift: .shiftRight
    default: nil
    }
  }

  /// The distance between two points; nil if either is invalid.
  private static func distance(_ numbers: [Double?]) -> Value {
    guard numbers.count == 4, let a = numbers[0], let b = numbers[1], let c = numbers[2], let d = numbers[3],
      let first = GeoPoint(longitude: a, latitude: b), let second = GeoPoint(longitude: c, latitude: d)
    else { return .null }
    return .double(first.distance(to: second))
  }

  private func modulus(_ left: Value, _ right: Value) -> Value {
    if case .int(let a) = left, case .int(let b) = right {
      return Arithmetic.remainder(a, b).map(Value.int) ?? .null
    }
    if let a = left.exact, let b = right.exact {
      return DecimalValue.remainder(a, b).map(Value.decimal) ?? .null
    }
    guard let a = Arithmetic.number(left), let b = Arithmetic.number(right) else { return .null }
    return .double(fmod(a, b))
  }

  private static func rounded(_ value: Value, _ rounding: RoundingFunction) -> Value {
    switch value {
    case .decimal(let number): rounding(number).map(Value.decimal) ?? .null
    case .int(let number):
      rounding != .magnitude ? value : number == .min ? .null : .int(number < 0 ? -number : number)
    case .null, .bool, .float, .double, .string, .date, .uuid, .data, .list, .embedded, .object:
      Arithmetic.number(value).map { .double(rounding($0)) } ?? .null
    }
  }

  private static func rounded(_ value: Value, places: Value) -> Value {
    guard case .int(let places) = places else { return .null }
    switch value {
    case .decimal(let number): return DecimalPlaces.round(number, places).map(Value.decimal) ?? .null
    case .int(let number): return DecimalPlaces.round(number, places).map(Value.int) ?? .null
    case .float(let number): return .double(DecimalPlaces.round(number, places))
    case .null, .bool, .double, .string, .date, .uuid, .data, .list, .embedded, .object:
      return Arithmetic.number(value).map { .double(DecimalPlaces.round($0, places)) } ?? .null
    }
  }

  private static func component(_ part: CalendarPart, of value: Value) -> Value {
    guard case .date(let instant) = value,
      let seconds = Int(exactly: instant.secondsSince1970.rounded(.down)),
      let date = CivilDate(secondsSince1970: seconds)
    else { return .null }
    return .int(Int64(part(date)))
  }
}
