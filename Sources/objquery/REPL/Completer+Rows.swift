import ObjectStoreCore
internal import PredicateLanguage

/// Completions where a statement is about rows or changes objects: aggregates of all objects or of a group, assignments,
/// and the keys of an INSERT.
extension Completer {
  /// The entity of a statement.
  private func entity(in tokens: [String], _ schema: Schema) -> Entity? {
    (tokens.first { schema.entity(named: $0) != nil } ?? defaultEntity()).flatMap(schema.entity(named:))
  }

  /// Whether a value may come next, of which a function call is one.
  static func valuesFit(after tokens: [String]) -> Bool {
    guard let last = tokens.last?.uppercased() else { return false }
    if Comparator(rawValue: last) != nil { return true }
    return [
      "WHERE", "AND", "OR", "NOT", "HAVING", "(", ",", "&&", "||", "!", "BY", "SELECT", "DISTINCT", "=", "<>", "+", "-",
      "*", "/",
    ].contains(last)
  }

  /// Whether aggregates of all objects or of a group may come next: after SELECT, HAVING and SORT BY.
  func rowAggregatesFit(after tokens: [String]) -> Bool {
    let upper = tokens.map { $0.uppercased() }
    let place = upper.lastIndex { Self.clauses.contains($0) || $0 == "SORT" || $0 == "GROUP" || $0 == "SECTIONS" }
    return place.map { ["SELECT", "HAVING", "SORT"].contains(upper[$0]) } ?? false && Self.valuesFit(after: tokens)
  }

  /// `@count`, then `@avg.` and the like, and after the dot the numbers that it may be of.
  func rowAggregates(_ word: String, after tokens: [String]) -> [String] {
    let names = PredicateFunction.all.compactMap(\.collectionOperator).filter { $0 != "count" }
    guard word.contains(".") else { return ["@count"] + names.map { "@\($0)." } }
    let schema = schema()
    guard let entity = entity(in: tokens, schema) else { return [] }
    let name = word.dropFirst().prefix { $0 != "." }
    let hasOrder = ["min", "max", "mode"].contains(name)
    return schema.columns(of: entity).compactMap { column in
      guard case .scalar(let type) = column.kind, type.isNumeric || hasOrder else { return nil }
      return "@\(name).\(column.path)"
    }
  }

  // MARK: Changes

  /// What may come next between SET and the next clause of an UPDATE; nil elsewhere.
  func assignments(after tokens: [String], _ word: String) -> [String]? {
    let upper = tokens.map { $0.uppercased() }
    guard upper.first == "UPDATE", let set = upper.lastIndex(of: "SET"),
      !upper[set...].contains(where: { Self.clauses.contains($0) || $0 == "SORT" }), let last = upper.last
    else { return nil }
    let schema = schema()
    guard let entity = entity(in: tokens, schema) else { return [] }
    let columns = schema.columns(of: entity)
    let paths = columns.filter { $0.kind != .presence && $0.kind != .presences && !$0.kind.isPart }.map(\.path)
    if last == "SET" || last == "," { return paths }
    // A name after which no sign has come yet is one to set.
    let isTarget = tokens.count - set == 2 || tokens.count - set > 2 && upper[upper.count - 2] == ","
    if isTarget { return ["="] }
    guard ["=", "+", "-", "*", "/", "("].contains(last) else { return [","] + Self.clauses.filter { $0 != "SELECT" } }
    let target = upper.lastIndex(of: "=").flatMap { $0 > 0 ? tokens[$0 - 1] : nil }
    let isBool = columns.contains { $0.path == target && $0.kind == .scalar(.bool) }
    return ["nil"] + (isBool ? ["TRUE", "FALSE"] : []) + paths
      + (word.isEmpty ? [] : PredicateFunction.all.map { $0.name + "(" })
  }

  /// The key in hand of the object of an INSERT; nil elsewhere.
  func completeKey(_ statement: String) -> Completion? {
    guard let brace = statement.firstIndex(of: "{") else { return nil }
    let words = statement[..<brace].split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2, words[0].uppercased() == "INSERT", let entity = schema().entity(named: words[1]) else {
      return nil
    }
    var depth = 0
    var isString = false
    var isEscaped = false
    var isKey = true
    var string = ""
    var given: Set<String> = []
    for character in statement[brace...] {
      if isString {
        if !isEscaped, character == "\"" {
          isString = false
          if isKey, depth == 1 { given.insert(string) }
          continue
        }
        isEscaped = !isEscaped && character == "\\"
        string.append(character)
        continue
      }
      switch character {
      case "\"":
        isString = true
        string = ""
      case "{", "[":
        depth += 1
        string = ""
      case "}", "]": depth -= 1
      case ":": if depth == 1 { isKey = false }
      case ",":
        if depth == 1 { isKey = true }
        string = ""
      default: break
      }
    }
    guard depth > 0 else { return nil }
    // Values are not completed.
    guard depth == 1, isKey, isString || !given.contains(string) else { return Completion(word: "", candidates: []) }
    let word = isString ? "\"" + string : ""
    let free = entity.properties.filter { !given.contains($0.name) && !$0.type.isInverse }.map { "\"\($0.name)\":" }
    return Completion(word: word, candidates: free.filter { $0.hasPrefix(word) })
  }
}

extension PropertyType {
  /// Whether it is the other end of links, which an object is not inserted with.
  fileprivate var isInverse: Bool { if case .linkingObjects = self { true } else { false } }
}
