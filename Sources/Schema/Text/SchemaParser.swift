import Diagnostics

/// Reads the declarations of a text. It reports what it can't read and continues with the next declaration; it does not
/// look up names.
struct SchemaParser {
  private let tokens: [SchemaToken]
  /// The number of tokens consumed.
  private(set) var position = 0
  var diagnostics: [Diagnostic]
  private(set) var models: [ModelSyntax] = []
  /// Structs without `@Model`, which are not models: the name and the range of `struct`.
  private(set) var otherStructs: [(name: String, range: SourceRange)] = []

  init(_ text: String) {
    (tokens, diagnostics) = SchemaLexer.tokens(of: text)
  }

  // MARK: Tokens

  /// The next token; always `end` at the end of the text.
  var token: SchemaToken { peek(0) }

  func peek(_ offset: Int) -> SchemaToken {
    let index = position + offset
    if index < tokens.count { return tokens[index] }
    return tokens.last ?? SchemaToken(kind: .end, range: SourceRange(0, 0), startsLine: true)
  }

  /// The range of the last token consumed.
  var previousRange: SourceRange { position > 0 ? tokens[min(position, tokens.count) - 1].range : SourceRange(0, 0) }

  @discardableResult
  mutating func take() -> SchemaToken {
    let taken = token
    if position < tokens.count { position += 1 }
    return taken
  }

  mutating func take(mark: Unicode.Scalar) -> Bool {
    guard token.isMark(mark) else { return false }
    take()
    return true
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    diagnostics.append(Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }

  /// Reports that something else was expected here; returns false, for use as the result of a failed reading.
  mutating func expected(_ what: String) -> Bool {
    let found: String
    switch token.kind {
    case .end: found = "the text ends"
    case .word(let word, _): found = "'\(word)' stands"
    case .string, .otherString: found = "a string stands"
    case .integer, .number: found = "a number stands"
    case .mark(let scalar): found = "'\(scalar)' stands"
    }
    report(.invalidSchema, "\(found) where \(what) is expected", at: token.range)
    return false
  }

  mutating func expect(mark: Unicode.Scalar, _ what: String) -> Bool {
    take(mark: mark) ? true : expected(what)
  }

  // MARK: Passing over

  /// Skips the rest of a declaration: up to a `;`, an unmatched closing bracket, or a declaration that begins on a new
  /// line or after a body in braces.
  mutating func skipDeclaration() {
    var depth = 0
    var endsBody = false
    while token.kind != .end {
      if depth == 0, token.startsLine || endsBody, beginsDeclaration { return }
      if depth == 0, token.isMark(";") { return }
      endsBody = false
      if token.isMark("{") || token.isMark("(") || token.isMark("[") {
        depth += 1
      } else if token.isMark("}") || token.isMark(")") || token.isMark("]") {
        if depth == 0 { return }
        depth -= 1
        endsBody = depth == 0 && token.isMark("}")
      }
      take()
    }
  }

  /// Skips `( … )`, `{ … }` or `< … >` if one begins here.
  mutating func skipBrackets(_ open: Unicode.Scalar, _ close: Unicode.Scalar) {
    guard token.isMark(open) else { return }
    var depth = 0
    repeat {
      if token.isMark(open) { depth += 1 }
      if token.isMark(close) { depth -= 1 }
      take()
    } while depth > 0 && token.kind != .end
  }

  /// Whether a declaration, or its modifiers, begin with the current token.
  var beginsDeclaration: Bool {
    switch token.kind {
    case .word(let word, escaped: false):
      word == "var" || word == "let" || word == "struct" || SwiftWords.modifiers.contains(word)
        || SwiftWords.otherDeclarations.contains(word)
    case .mark("@"), .mark("#"): true
    default: false
    }
  }

  // MARK: The file

  mutating func parseFile() {
    parseDeclarations()
    if models.isEmpty, diagnostics.isEmpty, let first = otherStructs.first {
      let place = SourceRange(first.range.lowerBound, first.range.lowerBound)
      report(
        .noModels, "no struct here is declared as a model", at: first.range,
        fixes: [Fix(message: "write '@Model' before it", range: place, replacement: "@Model ")])
    }
  }

  private mutating func parseDeclarations() {
    while token.kind != .end {
      if take(mark: ";") { continue }
      let closes = token.isMark("}") || token.isMark(")") || token.isMark("]")
      if closes, !diagnostics.isEmpty {
        // The unmatched bracket was reported already.
        take()
        continue
      }
      let attributes = parseAttributes()
      _ = skipModifiers()
      guard case .word(let word, escaped: false) = token.kind else {
        parseUnknown(after: attributes)
        continue
      }
      let isModel = attributes.contains { $0.name == "Model" }
      switch word {
      case "struct":
        parseStruct(attributes, isModel: isModel)
      case "class" where isModel, "actor" where isModel:
        let range = take().range
        report(
          .notAStruct, "a model is a struct, not a class", at: range,
          fixes: [Fix(message: "write 'struct'", range: range, replacement: "struct")])
        skipDeclaration()
      case _ where word == "var" || word == "let" || SwiftWords.otherDeclarations.contains(word):
        take()
        skipDeclaration()
      default:
        parseUnknown(after: attributes)
      }
    }
  }

  private mutating func parseUnknown(after attributes: [AttributeSyntax]) {
    if token.isMark("#") {
      // Compiler directives and macros that are not ours.
      take()
      skipDeclaration()
      return
    }
    if token.kind == .end, attributes.isEmpty { return }
    _ = expected("a declaration such as '@Model struct Quake { … }'")
    if !token.isMark(";") { take() }
    skipDeclaration()
  }

  /// Skips access modifiers and the like; returns whether the declaration belongs to the type and not to its values.
  mutating func skipModifiers() -> Bool {
    var isStatic = false
    while case .word(let word, escaped: false) = token.kind, SwiftWords.modifiers.contains(word) {
      // `class` begins a type unless another declaration follows it; `lazy var` is still a stored property.
      if word == "class" || word == "static" {
        guard case .word(let next, _) = peek(1).kind,
          next == "var" || next == "let" || next == "func" || word == "static"
        else { return isStatic }
        isStatic = true
      }
      take()
      skipBrackets("(", ")")
    }
    return isStatic
  }

  private mutating func parseStruct(_ attributes: [AttributeSyntax], isModel: Bool) {
    let keyword = take().range
    guard let (name, range) = parseName("the name of the struct") else { return skipDeclaration() }
    for attribute in attributes
    where attribute.name != "Model" && Suggestion.nearest(to: attribute.name, among: ["Model"]) != nil {
      report(
        .unknownAttribute, "there is no attribute '@\(attribute.name)'", at: attribute.range,
        fixes: [Fix(message: "write '@Model'", range: attribute.range, replacement: "@Model")])
    }
    guard isModel else {
      otherStructs.append((name, keyword))
      return skipDeclaration()
    }
    if token.isMark("<") {
      report(.invalidSchema, "a model has no generic parameters", at: token.range)
      skipBrackets("<", ">")
    }
    // Conformances and `where` clauses do not affect storage.
    while !token.isMark("{"), token.kind != .end, !token.isMark("}") { take() }
    var model = ModelSyntax(name: name, range: range)
    for attribute in attributes where attribute.name == "Model" { readRole(of: attribute, into: &model) }
    guard expect(mark: "{", "'{'") else { return }
    let open = previousRange
    parseMembers(of: &model)
    if !take(mark: "}") { report(.unclosedBracket, "the '{' of '\(name)' is never closed", at: open) }
    models.append(model)
  }

  private mutating func readRole(of attribute: AttributeSyntax, into model: inout ModelSyntax) {
    for argument in attribute.labelled {
      if argument.label == "originalName", case .string(let name) = argument.kind {
        model.originalNames.append(name)
      } else if argument.label == nil, case .member(let word) = argument.kind,
        let role = ModelSyntax.Role(rawValue: word)
      {
        model.role = role
      } else {
        report(.unknownArgument, "'@Model' takes '.entity' or '.embedded', and 'originalName:'", at: argument.range)
      }
    }
  }

  // MARK: Names

  mutating func parseName(_ what: String) -> (String, SourceRange)? {
    guard case .word(let name, let escaped) = token.kind else {
      _ = expected(what)
      return nil
    }
    let range = take().range
    if !escaped, SwiftWords.reserved.contains(name) {
      report(
        .reservedWord, "'\(name)' is a word of Swift", at: range,
        fixes: [Fix(message: "write it in backticks", range: range, replacement: "`\(name)`")])
    }
    return (name, range)
  }
}
