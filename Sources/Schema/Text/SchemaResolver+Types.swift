import Diagnostics
import Values

extension SchemaResolver {
  /// Resolves a written type, and whether it allows nil; nil after an error.
  mutating func resolve(
    _ type: TypeSyntax, inverse: KeyPathSyntax?, in property: PropertySyntax
  ) -> (PropertyType, isOptional: Bool)? {
    switch type.kind {
    case .optional(let inner):
      if case .named("Link", let arguments) = inner.kind {
        return target(of: "Link", arguments, type).map { (.link($0), true) }
      }
      guard let (kind, _) = resolve(inner, inverse: inverse, in: property) else { return nil }
      switch kind {
      case .scalar, .embedded, .array, .set, .dictionary:
        return (kind, true)
      default:
        let mark = SourceRange(type.range.upperBound - 1, type.range.upperBound)
        report(
          .optionalCollection, "a list of objects or structs may be empty but not nil", at: type.range,
          fixes: mark.lowerBound >= inner.range.upperBound
            ? [Fix(message: "leave the '?' out", range: mark, replacement: "")] : [])
        return nil
      }
    case .array(let element):
      if case .named(let name, let arguments) = element.kind, arguments.isEmpty, names.contains(name) {
        return (.embeddedList(name), false)
      }
      if case .named("UInt8", _) = element.kind {
        report(
          .unknownType, "bytes are kept as 'Data'", at: type.range,
          fixes: [Fix(message: "write 'Data'", range: type.range, replacement: "Data")])
        return nil
      }
      return scalar(element, of: "an array").map { (.array($0), false) }
    case .dictionary(let key, let value):
      guard case .named("String", _) = key.kind else {
        report(.dictionaryKey, "the keys of a dictionary are strings", at: key.range)
        return nil
      }
      return scalar(value, of: "a dictionary").map { (.dictionary($0), false) }
    case .named("Set", let arguments):
      guard arguments.count == 1 else { return missingArgument("Set<String>", type) }
      return scalar(arguments[0], of: "a set").map { (.set($0), false) }
    case .named("Link", let arguments):
      guard target(of: "Link", arguments, type) != nil else { return nil }
      let end = SourceRange(type.range.upperBound, type.range.upperBound)
      report(
        .linkNotOptional, "a link may always be nil, since its target can be deleted", at: type.range,
        fixes: [Fix(message: "write '?' after it", range: end, replacement: "?")])
      return nil
    case .named("List", let arguments):
      return target(of: "List", arguments, type).map { (.list($0), false) }
    case .named("LinkingObjects", let arguments):
      guard let target = target(of: "LinkingObjects", arguments, type) else { return nil }
      guard let inverse else {
        report(
          .missingInverse, "'\(property.name)' does not say which link it is the inverse of", at: type.range,
          notes: [#"write '@Inverse(\\#(target).property)' before it"#])
        return nil
      }
      if let root = inverse.root, root != target {
        report(.wrongRoot, "the inverse begins at '\(root)', the objects are of '\(target)'", at: inverse.range)
        return nil
      }
      return (.linkingObjects(entity: target, property: inverse.path), false)
    case .named(let name, let arguments):
      guard arguments.isEmpty else {
        report(.unknownType, "there is no generic type '\(name)'", at: type.range)
        return nil
      }
      if names.contains(name) { return (.embedded(name), false) }
      return scalar(type, of: nil).map { (.scalar($0), false) }
    }
  }

  private mutating func missingArgument(_ example: String, _ type: TypeSyntax) -> (PropertyType, isOptional: Bool)? {
    report(.invalidSchema, "this type needs to say of what, as in '\(example)'", at: type.range)
    return nil
  }

  /// The entity between the `< >` of a link.
  private mutating func target(of link: String, _ arguments: [TypeSyntax], _ type: TypeSyntax) -> String? {
    guard arguments.count == 1, case .named(let name, let inner) = arguments[0].kind, inner.isEmpty else {
      _ = missingArgument("\(link)<Project>", type)
      return nil
    }
    if names.contains(name) { return name }
    reportUnknown(name, at: arguments[0].range, candidates: Array(names).sorted())
    return nil
  }

  /// The scalar type by name; `container` is the kind of collection around it.
  private mutating func scalar(_ type: TypeSyntax, of container: String?) -> ScalarType? {
    guard case .named(let name, let arguments) = type.kind, arguments.isEmpty else {
      report(
        .unsupportedElement, "the elements of \(container ?? "a collection") are single values that are never nil",
        at: type.range)
      return nil
    }
    if let scalar = ScalarType(swiftName: name) { return scalar }
    if names.contains(name) {
      report(.unsupportedElement, "the elements of \(container ?? "a collection") are single values", at: type.range)
      return nil
    }
    let others = ["Set", "Link", "List", "LinkingObjects"]
    reportUnknown(
      name, at: type.range,
      candidates: ScalarType.allCases.map(\.rawValue) + names.sorted() + (container == nil ? others : []))
    return nil
  }

  private mutating func reportUnknown(_ name: String, at range: SourceRange, candidates: [String]) {
    var notes: [String] = []
    var fixes: [Fix] = []
    if let declaration = otherStructs[name] {
      let place = SourceRange(declaration.lowerBound, declaration.lowerBound)
      fixes.append(Fix(message: "write '@Model' before 'struct \(name)'", range: place, replacement: "@Model "))
    } else if let instead = ScalarType.instead(of: name) {
      fixes.append(Fix(message: "write '\(instead)'", range: range, replacement: instead))
    } else if let near = Suggestion.nearest(to: name, among: candidates) {
      fixes.append(Fix(message: "write '\(near)'", range: range, replacement: near))
    } else {
      notes.append("single values are \(ScalarType.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let message =
      otherStructs[name] == nil ? "there is no type '\(name)' here" : "'\(name)' is not declared as a model"
    report(.unknownType, message, at: range, notes: notes, fixes: fixes)
  }

  // MARK: Defaults

  /// The type of a property that has only a default.
  func inferred(from value: DefaultSyntax) -> PropertyType? {
    switch value.kind {
    case .generated(let generated): .scalar(generated.type)
    case .floating: .scalar(.double)
    case .value(let value): ScalarType(ofLiteral: value).map(PropertyType.scalar)
    case .list(let values): element(of: values).map(PropertyType.array)
    case .dictionary(let fields): element(of: fields.map(\.value)).map(PropertyType.dictionary)
    }
  }

  /// The common type of all elements; `[1, 2.5]` are Doubles.
  private func element(of values: [Value]) -> ScalarType? {
    let types = Set(values.map(ScalarType.init(ofLiteral:)))
    return types == [.int, .double] ? .double : types.count == 1 ? types.first.flatMap { $0 } : nil
  }

  /// The default as a value of the property's type. A mismatch is left unchanged, for validation to report.
  func resolve(_ value: DefaultSyntax, for property: Property) -> Value? {
    switch value.kind {
    case .generated: return nil
    case .floating(let number): return fit(.double(number), property.type.element)
    case .value(let value): return fit(value, property.type.element)
    case .list(let values):
      let fitted = values.map { fit($0, property.type.element) }
      if case .set = property.type { return .list(Value.ascending(fitted)) }
      return .list(fitted)
    case .dictionary(let fields):
      return .embedded(
        Value.ascending(fields.map { EmbeddedField(name: $0.name, value: fit($0.value, property.type.element)) }))
    }
  }

  /// A literal as Swift interprets it for a declared `type`.
  private func fit(_ value: Value, _ type: ScalarType?) -> Value {
    switch (value, type) {
    case (.int(let number), .double): .double(Double(number))
    case (.int(let number), .float): .float(Float(number))
    case (.double(let number), .float): .float(Float(number))
    case (.int(let number), .decimal): .decimal(DecimalValue(number))
    case (.double(let number), .decimal): DecimalValue(shortest: number).map(Value.decimal) ?? value
    default: value
    }
  }
}

extension PropertyType {
  /// The type of its single values, if any.
  var element: ScalarType? {
    switch self {
    case .scalar(let type), .array(let type), .set(let type), .dictionary(let type): type
    case .embedded, .embeddedList, .link, .list, .linkingObjects: nil
    }
  }
}

extension ScalarType {
  /// The type Swift gives a literal; nil for `nil`.
  init?(ofLiteral value: Value) {
    switch value {
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    case .null, .list, .embedded, .object: return nil
    }
  }

  /// The type by its Swift name.
  init?(swiftName name: String) {
    switch name {
    case "Int64": self = .int
    case "Float64", "TimeInterval": self = .double
    case "Float32": self = .float
    default: self.init(rawValue: name)
    }
  }

  /// A suggestion to use instead of an unsupported type.
  static func instead(of name: String) -> String? {
    switch name {
    case "UInt", "UInt32", "UInt64", "Int128", "UInt128": "Int"
    case "UInt8": "Int16"
    case "UInt16": "Int32"
    case "CGFloat", "Float16", "Float80": "Double"
    case "Character", "Substring", "URL": "String"
    default: nil
    }
  }
}
