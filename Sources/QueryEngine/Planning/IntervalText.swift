internal import PredicateLanguage
internal import Values

/// Formats intervals in mathematical notation, with values in the syntax of the language.
enum IntervalText {
  static func text(_ interval: ValueInterval) -> String {
    let lower =
      switch interval.lower {
      case .unbounded: "(-∞"
      case .included(let value): "[\(self.value(value))"
      case .excluded(let value): "(\(self.value(value))"
      }
    let upper =
      switch interval.upper {
      case .unbounded: "+∞)"
      case .included(let value): "\(self.value(value))]"
      case .excluded(let value): "\(self.value(value)))"
      }
    return "\(lower), \(upper)"
  }

  static func value(_ value: Value) -> String {
    if case .date(let instant) = value { return ISO8601.text(instant) }
    // A whole Double is printed without the point that marks it in the language: `5`, not `5.0`.
    if case .double(let number) = value, number.magnitude < 1e15, let whole = Int64(exactly: number) {
      return "\(whole)"
    }
    if case .float(let number) = value { return NumberText.text(number) }
    if case .decimal(let number) = value { return number.description }
    let text = ExpressionSyntax(.literal(value)).readableFormat
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// The bytes of a string as a literal.
  static func text(_ bytes: [UInt8]) -> String { value(.string(String(decoding: bytes, as: UTF8.self))) }

  static func membership(_ path: String, _ values: [Value]) -> String {
    let shown = values.prefix(6).map(value).joined(separator: ", ")
    return "\(path) in {\(shown)\(values.count > 6 ? ", … \(values.count) values" : "")}"
  }
}
