internal import Diagnostics
import ObjectStoreCore

/// The parameters of a request, by name. Unknown names, wrong types and missing ones are refused by name.
struct RequestParameters: Sendable {
  private let method: ServedMethod
  private let fields: [EmbeddedField]

  init(_ value: Value?, of method: ServedMethod) throws(ResponseError) {
    self.method = method
    switch value {
    case nil: fields = []
    case .embedded(let members)?: fields = members
    default: throw ResponseError(.invalidParameters, "params of \(method.rawValue) is an object: parameters have names")
    }
    for field in fields where !method.parameters.contains(field.name) {
      let meant = Suggestion.nearest(to: field.name, among: method.parameters).map { "; did you mean '\($0)'?" }
      let known = method.parameters.isEmpty ? "it has none" : "it has \(method.parameters.joined(separator: ", "))"
      throw ResponseError(
        .invalidParameters, "\(method.rawValue) has no parameter '\(field.name)'\(meant ?? ": \(known)")")
    }
  }

  /// The value of a parameter; nil without it, and for null.
  private func value(_ name: String) -> Value? {
    guard let value = fields.first(where: { $0.name == name })?.value, value != .null else { return nil }
    return value
  }

  private func wrong(_ name: String, _ wanted: String) -> ResponseError {
    ResponseError(.invalidParameters, "'\(name)' of \(method.rawValue) is \(wanted)")
  }

  func text(_ name: String) throws(ResponseError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else { throw wrong(name, "a string") }
    return text
  }

  func requiredText(_ name: String) throws(ResponseError) -> String {
    guard let text = try text(name) else { throw missing(name) }
    return text
  }

  func flag(_ name: String) throws(ResponseError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw wrong(name, "true or false") }
    return flag
  }

  /// A whole number within a range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(ResponseError) -> Int? {
    guard let value = value(name) else { return nil }
    guard case .int(let number) = value, let number = Int(exactly: number), range.contains(number) else {
      let bounds =
        range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw wrong(name, "a whole number \(bounds)")
    }
    return number
  }

  func requiredNumber(_ name: String, in range: ClosedRange<Int>) throws(ResponseError) -> Int {
    guard let number = try number(name, in: range) else { throw missing(name) }
    return number
  }

  func requiredID(_ name: String) throws(ResponseError) -> RequestID {
    guard let value = value(name) else { throw missing(name) }
    guard let id = RequestID(value) else { throw wrong(name, "the id of a request: a string or a whole number") }
    return id
  }

  private func missing(_ name: String) -> ResponseError {
    ResponseError(.invalidParameters, "\(method.rawValue) needs the parameter '\(name)'")
  }

  /// The values for the placeholders of a statement: a list `arguments`, and `parameters` by name or `name:type`.
  ///
  /// Text takes the type that it is compared with, as the values of `--arg` and `-p` do; other values are what they are.
  func values() throws(ResponseError) -> Parameters {
    var values = Parameters()
    switch value("arguments") {
    case nil: break
    case .list(let elements)?: values.positional = elements.map(Self.parameter)
    default: throw wrong("arguments", "a list of values")
    }
    switch value("parameters") {
    case nil: break
    case .embedded(let members)?:
      for member in members {
        guard !member.name.contains("=") else {
          throw ResponseError(.invalidParameters, "in 'parameters': '\(member.name)' is not a name or name:type")
        }
        do {
          var (name, parameter) = try Parameters.parse(member.name + "=")
          let given = Self.parameter(member.value)
          parameter = Parameter(text: given.text, type: parameter.type ?? given.type)
          values.named[name] = parameter
        } catch {
          throw ResponseError(.invalidParameters, "in 'parameters': \(Console.message(of: error))")
        }
      }
    default: throw wrong("parameters", "an object of values by name")
    }
    return values
  }

  private static func parameter(_ value: Value) -> Parameter {
    if case .string(let text) = value { return Parameter(text: text) }
    return Parameter(text: ValueText.json(value), type: .json)
  }
}
