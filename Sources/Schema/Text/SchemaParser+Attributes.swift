import Diagnostics

extension SchemaParser {
  /// Reads any number of `@Name(…)`. The arguments of unknown attributes are skipped.
  mutating func parseAttributes() -> [AttributeSyntax] {
    var attributes: [AttributeSyntax] = []
    while token.isMark("@") {
      let start = take().range
      guard case .word(let name, _) = token.kind else {
        _ = expected("the name of an attribute")
        return attributes
      }
      var attribute = AttributeSyntax(name: name, range: start.union(take().range))
      if token.isMark("("), !token.startsLine {
        if Self.attributes.contains(name) || name == "Model" {
          if let arguments = parseArguments() { attribute.arguments = arguments }
        } else {
          skipBrackets("(", ")")
        }
      }
      attributes.append(attribute)
    }
    return attributes
  }

  /// The attributes of properties.
  static let attributes = ["Attribute", "Relationship", "Inverse"]

  /// Reads `#Index<T>(…)` and `#Unique<T>(…)`; other directives are passed over.
  mutating func parseMacro(in model: inout ModelSyntax) {
    let start = take().range
    guard case .word(let name, _) = token.kind, name == "Index" || name == "Unique" else {
      if case .word = token.kind { take() }
      return skipDeclaration()
    }
    take()
    if take(mark: "<") {
      let range = token.range
      guard let (root, _) = parseName("the model's name"), expect(mark: ">", "'>'") else { return skipDeclaration() }
      if root != model.name {
        report(
          .wrongRoot, "this index belongs to '\(model.name)', not '\(root)'", at: range,
          fixes: [Fix(message: "write '\(model.name)'", range: range, replacement: SwiftWords.spelled(model.name))])
      }
    }
    guard token.isMark("(") else {
      _ = expected(#"'([\.property])'"#)
      return skipDeclaration()
    }
    guard let arguments = parseArguments() else { return skipDeclaration() }
    if arguments.isEmpty {
      report(.invalidSchema, "an index needs at least one property", at: start.union(previousRange))
    }
    for argument in arguments { addIndex(argument, isUnique: name == "Unique", to: &model) }
  }

  /// The kinds that `#Index` declares, for messages.
  private static var kindsOfIndex: String {
    let words = IndexKind.declarable.filter { $0 != .unique }.map { ".\($0.attribute)" }
    return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  private mutating func addIndex(_ argument: ArgumentSyntax, isUnique: Bool, to model: inout ModelSyntax) {
    var kind: IndexKind = isUnique ? .unique : .ordered
    let keyPaths: [KeyPathSyntax]
    switch argument.kind {
    case .keyPaths(let paths): keyPaths = paths
    case .keyPath(let path): keyPaths = [path]
    case .kindOfKeyPaths(let word, let paths) where !isUnique:
      guard let named = IndexKind(attribute: word), named != .unique else {
        return report(
          .unknownIndexKind, "there is no kind of index '\(word)'", at: argument.range,
          notes: ["the kinds are \(Self.kindsOfIndex); '#Unique' declares unique ones"])
      }
      kind = named
      keyPaths = paths
    default:
      return report(.invalidSchema, #"an index is a list of key paths such as [\.time]"#, at: argument.range)
    }
    guard let first = keyPaths.first, let last = keyPaths.last else {
      return report(.invalidSchema, "an index needs at least one property", at: argument.range)
    }
    for path in keyPaths {
      if let root = path.root, root != model.name {
        report(.wrongRoot, "this key path begins at '\(root)', not '\(model.name)'", at: path.range)
      }
    }
    model.indexes.append(
      IndexSyntax(index: Index(kind: kind, paths: keyPaths.map(\.path)), range: first.range.union(last.range)))
  }

  // MARK: Arguments

  /// Reads `( … )`. On an error the rest up to the closing bracket is passed over and nil returned.
  private mutating func parseArguments() -> [ArgumentSyntax]? {
    guard take(mark: "(") else { return nil }
    var arguments: [ArgumentSyntax] = []
    while !token.isMark(")") {
      guard let argument = parseArgument() else {
        skipToClosingBracket()
        return nil
      }
      arguments.append(argument)
      if take(mark: ",") { continue }
      guard token.isMark(")") else {
        _ = expected("',' or ')'")
        skipToClosingBracket()
        return nil
      }
    }
    take()
    return arguments
  }

  private mutating func skipToClosingBracket() {
    var depth = 1
    while depth > 0, token.kind != .end, !token.isMark("}") {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      take()
    }
  }

  private mutating func parseArgument() -> ArgumentSyntax? {
    let start = token.range
    var label: String?
    if case .word(let word, _) = token.kind, peek(1).isMark(":") {
      label = word
      take()
      take()
    }
    let kind: ArgumentSyntax.Kind
    switch token.kind {
    case .string(let text):
      take()
      kind = .string(text)
    case .mark("\\"):
      guard let path = parseKeyPath() else { return nil }
      kind = .keyPath(path)
    case .mark("["):
      guard let paths = parseKeyPaths() else { return nil }
      kind = .keyPaths(paths)
    case .mark("."):
      take()
      guard case .word(let word, _) = token.kind else {
        _ = expected("a name")
        return nil
      }
      take()
      if take(mark: "(") {
        guard let paths = parseKeyPaths(), expect(mark: ")", "')'") else { return nil }
        kind = .kindOfKeyPaths(word, paths)
      } else {
        kind = .member(word)
      }
    default:
      _ = expected("an option such as '.unique'")
      return nil
    }
    return ArgumentSyntax(label: label, kind: kind, range: start.union(previousRange))
  }

  private mutating func parseKeyPaths() -> [KeyPathSyntax]? {
    guard expect(mark: "[", "'['") else { return nil }
    var paths: [KeyPathSyntax] = []
    while !token.isMark("]") {
      guard let path = parseKeyPath() else { return nil }
      paths.append(path)
      if take(mark: ",") { continue }
      guard token.isMark("]") else {
        _ = expected("',' or ']'")
        return nil
      }
    }
    take()
    return paths
  }

  private mutating func parseKeyPath() -> KeyPathSyntax? {
    let start = token.range
    guard expect(mark: "\\", #"a key path such as '\.time'"#) else { return nil }
    var root: String?
    if case .word(let name, _) = token.kind {
      root = name
      take()
    }
    var names: [String] = []
    while take(mark: ".") {
      guard case .word(let name, _) = token.kind else {
        _ = expected("the name of a property")
        return nil
      }
      take()
      // An optional struct is written `\.place?.name`; the dotted path does not show it.
      if token.isMark("?") || token.isMark("!") { take() }
      names.append(name)
    }
    guard !names.isEmpty else {
      _ = expected("'.' and the name of a property")
      return nil
    }
    return KeyPathSyntax(root: root, names: names, range: start.union(previousRange))
  }
}
