import ObjectStoreCore
internal import PredicateLanguage
internal import Values

/// A value given with `--param` or `--arg`: text of a stated type, or text converted to the type it is compared with.
struct Parameter: Equatable {
  var text: String
  var type: ParameterType?

  /// The part of the value that can still take the type it is compared with.
  var origin: ArgumentText? {
    switch type {
    case nil: .text(text)
    case .json: .json
    case .int, .double, .decimal, .bool, .string, .date, .uuid, .data: nil
    }
  }
}

/// The types that can be stated, as in `-p since:date=2018-02-07`.
enum ParameterType: String, CaseIterable {
  case int, double, decimal, bool, string, date, uuid, data, json

  /// Converts `text` to a value of this type.
  func value(_ text: String) -> Value? {
    var text = text
    switch self {
    case .json: return JSONValue.read(text)
    case .string: return .string(text)
    case .data: return Base64.bytes(text).map { .data($0) }
    case .uuid: return UUIDBytes(text).map { .uuid($0) }
    case .date: return ISO8601.instant(text).map { .date($0) }
    case .bool: return Self.truths[text.lowercased()].map { .bool($0) }
    case .int: return text.withUTF8 { NumberReading.integer(UnsafeRawBufferPointer($0)).map { .int($0) } }
    case .decimal: return DecimalValue(text).map { .decimal($0) }
    case .double: return text.withUTF8 { NumberReading.real(UnsafeRawBufferPointer($0)).map { .double($0) } }
    }
  }

  /// The words of the language for a Bool, and the numbers 0 and 1, in any letter case.
  private static let truths = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

  /// The type for a text that is compared with a property.
  init?(_ type: ScalarType) {
    switch type {
    case .bool: self = .bool
    case .int8, .int16, .int32, .int, .float, .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    }
  }
}

/// The values for placeholders that a session has.
struct Parameters: Equatable {
  var positional: [Parameter] = []
  var named: [String: Parameter] = [:]

  var isEmpty: Bool { positional.isEmpty && named.isEmpty }

  /// Parses `name=value` or `name:type=value`.
  mutating func add(_ definition: String) throws {
    let (name, parameter) = try Self.parse(definition)
    named[name] = parameter
  }

  /// The name and value of `name=value` or `name:type=value`.
  static func parse(_ definition: String) throws -> (String, Parameter) {
    guard let equals = definition.firstIndex(of: "=") else {
      throw CommandFailure(
        description: "'\(definition)' is not name=value or name:type=value", status: .usage, code: "usage")
    }
    let left = definition[..<equals]
    let text = String(definition[definition.index(after: equals)...])
    let parts = left.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard PropertyName.isIdentifier(name) else {
      throw CommandFailure(description: "'\(name)' is not a name for a parameter", status: .usage, code: "usage")
    }
    guard parts.count > 1 else { return (name, Parameter(text: text)) }
    guard let type = ParameterType(rawValue: parts[1].lowercased()) else {
      let all = ParameterType.allCases.map(\.rawValue).joined(separator: " ")
      throw CommandFailure(
        description: "'\(parts[1])' is not a type of parameter; the types are \(all)", status: .usage, code: "usage")
    }
    return (name, Parameter(text: text, type: type))
  }

  /// The arguments for a statement: each text is converted to the type the statement compares it with. Named arguments
  /// that the statement does not use are left out, since they belong to the whole session, unless one that it uses is
  /// missing: then the error lists the existing ones. Predicates named by LET count as part of the statement.
  func arguments(
    for statement: StatementSyntax, source: String, schema: Schema, defaultEntity: String?,
    definitions: [String: PredicateSyntax] = [:]
  ) throws -> Arguments {
    guard !isEmpty else { return Arguments() }
    var uses = ParameterTypes(schema: schema, definitions: definitions)
    uses.visit(statement, defaultEntity: defaultEntity)
    var arguments = Arguments()
    for (index, parameter) in positional.enumerated() {
      arguments.positional.append(try value(parameter, uses.positional[index], "argument \(index + 1)", source))
      arguments.positionalTexts[index] = parameter.origin
    }
    let isOneMissing = uses.names.contains { named[$0] == nil && definitions[$0] == nil }
    for (name, parameter) in named {
      guard uses.names.contains(name) else {
        if isOneMissing { arguments.named[name] = .string(parameter.text) }
        continue
      }
      arguments.named[name] = try value(parameter, uses.named[name], "$\(name)", source)
      arguments.namedTexts[name] = parameter.origin
    }
    return arguments
  }

  private func value(
    _ parameter: Parameter, _ use: ParameterTypes.Use?, _ name: String, _ source: String
  ) throws -> Value {
    if let type = parameter.type ?? use.flatMap({ ParameterType($0.type) }) {
      var value = type.value(parameter.text)
      // An integer is represented exactly as an integer.
      if type == .double, parameter.type == nil, let whole = ParameterType.int.value(parameter.text) { value = whole }
      if let value { return value }
      let property = use.map { ", as '\($0.path)' needs" } ?? ""
      throw DiagnosticError(
        source: source,
        Diagnostic(
          code: .typeMismatch,
          message:
            "\(name) is \(quoted(parameter.text)), which is not \(type.article)\(parameter.type == nil ? property : "")",
          range: use?.range))
    }
    return ParameterType.int.value(parameter.text) ?? ParameterType.double.value(parameter.text)
      ?? .string(parameter.text)
  }
}

extension ParameterType {
  /// The type in a sentence.
  fileprivate var article: String {
    switch self {
    case .int: "a whole number"
    case .double: "a number"
    case .decimal: "a decimal number of at most 38 digits"
    case .bool: "true or false, yes or no, 1 or 0"
    case .string: "text"
    case .date: "a date such as 2018-02-07T01:02:03Z"
    case .uuid: "a UUID"
    case .data: "base64"
    case .json: "a value, list or object in JSON"
    }
  }
}
