import Diagnostics

extension SchemaParser {
  /// Reads the members of a model up to its `}`.
  mutating func parseMembers(of model: inout ModelSyntax) {
    while token.kind != .end, !token.isMark("}") {
      if take(mark: ";") { continue }
      let start = position
      if token.isMark("#") {
        parseMacro(in: &model)
        continue
      }
      let attributes = parseAttributes()
      let isStatic = skipModifiers()
      guard case .word(let word, escaped: false) = token.kind else {
        _ = expected("a property such as 'var name: String'")
        recover(from: start)
        continue
      }
      if word == "var" || word == "let" {
        take()
        if isStatic { skipDeclaration() } else { parseProperties(attributes, from: start, into: &model) }
      } else if word == "struct", attributes.contains(where: { $0.name == "Model" }) {
        report(.nestedModel, "a model stands at the top level of the file", at: token.range)
        recover(from: position)
      } else if word == "struct" || SwiftWords.otherDeclarations.contains(word) {
        recover(from: position)
      } else {
        let range = token.range
        if word != "Var", peek(1).isMark(":") || peek(1).isMark("=") {
          report(
            .invalidSchema, "a property begins with 'var' or 'let'", at: range,
            fixes: [
              Fix(message: "write 'var'", range: SourceRange(range.lowerBound, range.lowerBound), replacement: "var ")
            ])
        } else {
          _ = expected("a property such as 'var name: String'")
        }
        recover(from: start)
      }
    }
  }

  /// Skips unreadable tokens up to a `;` or a declaration on a new line. Consumes at least one token, unless that has
  /// happened since `start`.
  private mutating func recover(from start: Int) {
    if token.isMark(";") || position > start && token.startsLine && beginsDeclaration { return }
    if !token.isMark("}") { take() }
    skipDeclaration()
    while token.isMark(")") || token.isMark("]") {
      take()
      skipDeclaration()
    }
  }

  // MARK: Properties

  private mutating func parseProperties(
    _ attributes: [AttributeSyntax], from start: Int, into model: inout ModelSyntax
  ) {
    var read: [PropertySyntax] = []
    repeat {
      // After `var` or a comma at the end of a line, the next line is a new declaration, not a name.
      if token.startsLine, case .word(let word, escaped: false) = token.kind, SwiftWords.reserved.contains(word) {
        _ = expected("the name of a property")
        return recover(from: start)
      }
      guard let (name, range) = parseName("the name of a property") else { return recover(from: start) }
      var property = PropertySyntax(name: name, range: range, attributes: attributes)
      if take(mark: ":") {
        guard let type = parseType() else { return recover(from: start) }
        property.type = type
      }
      if token.isMark("=") {
        take()
        guard let value = parseDefault() else { return recover(from: start) }
        property.initialValue = value
      }
      if token.isMark("{"), !token.startsLine || property.type != nil {
        // Observers leave a property stored; any other body makes it computed.
        let isStored = peek(1).isWord("didSet") || peek(1).isWord("willSet") || property.initialValue != nil
        skipBrackets("{", "}")
        if !isStored { continue }
      }
      read.append(property)
    } while take(mark: ",")
    if read.count > 1, let attribute = attributes.first {
      report(
        .attributeOfSeveral, "an attribute belongs to one property: give each a 'var' of its own",
        at: attribute.range)
    }
    // `var a, b: Int`: a name without type or default has the type of the next name.
    var following: TypeSyntax?
    for index in read.indices.reversed() {
      if read[index].type == nil, read[index].initialValue == nil { read[index].type = following }
      following = read[index].type
    }
    model.properties += read
    guard !token.isMark("}"), !token.isMark(";"), token.kind != .end, !token.startsLine else { return }
    _ = expected("the end of the declaration")
    recover(from: start)
  }

  // MARK: Types

  /// Reads a type; nesting is bounded, since no type of ours is deep.
  mutating func parseType(depth: Int = 0) -> TypeSyntax? {
    let start = token.range
    guard depth < 8 else {
      report(.nestingTooDeep, "this type is nested too deep", at: start)
      return nil
    }
    var kind: TypeSyntax.Kind
    if take(mark: "[") {
      guard let element = parseType(depth: depth + 1) else { return nil }
      kind = .array(element)
      if take(mark: ":") {
        guard let value = parseType(depth: depth + 1) else { return nil }
        kind = .dictionary(element, value)
      }
      guard expect(mark: "]", "']'") else { return nil }
    } else if take(mark: "(") {
      guard let inner = parseType(depth: depth + 1), expect(mark: ")", "')'") else { return nil }
      kind = inner.kind
    } else {
      guard let named = parseNamedType(depth: depth) else { return nil }
      kind = named
    }
    while token.isMark("?") || token.isMark("!") {
      let inner = start.union(previousRange)
      guard take().isMark("?") else {
        report(
          .invalidSchema, "a property is optional or not: write '?'", at: previousRange,
          fixes: [Fix(message: "write '?'", range: previousRange, replacement: "?")])
        return nil
      }
      if case .optional = kind {
        let mark = previousRange
        while token.isMark("?") { take() }
        reportTwice(start.union(previousRange), surplus: mark.union(previousRange))
        return nil
      }
      kind = .optional(TypeSyntax(kind: kind, range: inner))
    }
    return TypeSyntax(kind: kind, range: start.union(previousRange))
  }

  /// Reports an optional of an optional: nil would be ambiguous.
  private mutating func reportTwice(_ range: SourceRange, surplus: SourceRange?) {
    report(
      .invalidSchema, "an optional of an optional cannot be kept", at: range,
      fixes: surplus.map { [Fix(message: "write one '?'", range: $0, replacement: "")] } ?? [])
  }

  private mutating func parseNamedType(depth: Int) -> TypeSyntax.Kind? {
    guard case .word(var name, let escaped) = token.kind, escaped || !SwiftWords.reserved.contains(name) else {
      _ = expected("a type")
      return nil
    }
    take()
    // `Foundation.Date`, `Swift.Int`: the module changes nothing.
    while token.isMark("."), case .word(let next, _) = peek(1).kind {
      take()
      take()
      name = next
    }
    var arguments: [TypeSyntax] = []
    if take(mark: "<") {
      repeat {
        guard let argument = parseType(depth: depth + 1) else { return nil }
        arguments.append(argument)
      } while take(mark: ",")
      guard expect(mark: ">", "'>'") else { return nil }
    }
    switch (name, arguments.count) {
    case ("Optional", 1):
      if case .optional = arguments[0].kind {
        reportTwice(arguments[0].range, surplus: nil)
        return nil
      }
      return .optional(arguments[0])
    case ("Array", 1): return .array(arguments[0])
    case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
    default: return .named(name, arguments)
    }
  }
}
