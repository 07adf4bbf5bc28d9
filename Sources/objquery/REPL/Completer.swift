import Glibc
import ObjectStoreCore
internal import PredicateLanguage

/// The completions for Tab: entities, then properties, then the operators for the property's type, then keywords; for
/// dot commands, their arguments and files. It looks only at the words before the cursor and parses nothing.
struct Completer {
  /// The part of a word typed so far, and the words that begin with it.
  struct Completion: Equatable {
    var word: String
    var candidates: [String]
    /// What follows a candidate that is the only one.
    var end = " "

    /// The beginning that all candidates share.
    var shared: String {
      guard var shared = candidates.first else { return word }
      for candidate in candidates.dropFirst() {
        let common = zip(shared.unicodeScalars, candidate.unicodeScalars).prefix { $0 == $1 }.count
        shared = String(String.UnicodeScalarView(shared.unicodeScalars.prefix(common)))
      }
      return shared.unicodeScalars.count < word.unicodeScalars.count ? word : shared
    }
  }

  let schema: () -> Schema
  let defaultEntity: () -> String?
  /// The names that may follow `$`.
  private let names: () -> [String]
  /// The most frequent values of an entity's property that begin with a text, the first before the others.
  let values: (_ entity: String, _ path: String, _ beginning: String) -> [String]

  init(_ session: Session) {
    self.init(
      schema: { (try? session.store.schema) ?? Schema() }, defaultEntity: { session.defaultEntity },
      names: { session.parameters.named.keys.sorted() + session.statements.definitions.keys.sorted() },
      values: { FrequentValues(session.store).values(of: $1, in: $0, beginning: $2) })
  }

  init(
    schema: @escaping () -> Schema, defaultEntity: @escaping () -> String? = { nil },
    names: @escaping () -> [String] = { [] }, values: @escaping (String, String, String) -> [String] = { _, _, _ in [] }
  ) {
    self.schema = schema
    self.defaultEntity = defaultEntity
    self.names = names
    self.values = values
  }

  /// The words that can follow `before`.
  func complete(_ before: String) -> Completion {
    if before.hasPrefix(".") { return completeCommand(before) }
    let statement = statement(before)
    if let key = completeKey(statement) { return key }
    let (tokens, word) = Self.tokens(statement)
    guard let word else { return completeValue(statement, after: tokens) }
    let lower = word.lowercased()
    let found = all(after: tokens, word).filter { $0.lowercased().hasPrefix(lower) }
    let writesSmall = Self.writesSmall(word, after: tokens)
    return Completion(word: word, candidates: found.map { writesSmall && Self.isKeyword($0) ? $0.lowercased() : $0 })
  }

  private func all(after tokens: [String], _ word: String) -> [String] {
    if word.contains(".@") { return aggregates(of: word, after: tokens) }
    if let assigned = assignments(after: tokens, word) { return assigned }
    var all = candidates(after: tokens, word)
    if word.hasPrefix("$") { all += names().map { "$" + $0 } }
    if word.hasPrefix("@"), rowAggregatesFit(after: tokens) { all += rowAggregates(word, after: tokens) }
    // All of them would hide the properties.
    if !word.isEmpty, Self.valuesFit(after: tokens) { all += Self.functions }
    return all
  }

  private static let functions = PredicateFunction.all.map { $0.name + "(" } + ["TERNARY("]

  /// Whether a candidate is of the language, and not of the store or a function.
  static func isKeyword(_ candidate: String) -> Bool {
    keywords.contains(candidate) || candidate.hasSuffix("[c]")
  }

  private static let keywords: Set<String> = Set(
    clauses + starts + joints + quantifiers + Comparator.allCases.map(\.rawValue) + [
      "ANALYZE", "NOT", "TRUEPREDICATE", "SUBQUERY(", "TERNARY(", "ASC", "DESC", "AS", "BY", "SET", "TRUE", "FALSE",
      "nil",
    ])

  /// Whether keywords are completed in small letters: the user writes them so.
  private static func writesSmall(_ word: String, after tokens: [String]) -> Bool {
    if let first = word.first(where: \.isLetter) { return first.isLowercase }
    let written = tokens.last { $0.first?.isLetter == true && keywords.contains($0.uppercased()) }
    return written.map { $0.first?.isLowercase == true && $0 != "nil" } ?? false
  }

  // MARK: Statements

  static let clauses = [
    "WHERE", "SORT BY", "DISTINCT", "LIMIT", "OFFSET", "SELECT", "GROUP BY", "HAVING", "SECTIONS BY",
  ]
  private static let starts = [
    "COUNT", "EXPLAIN", "EXPLAIN ANALYZE", "INSERT", "UPDATE", "DELETE", "LET", "BEGIN", "COMMIT", "ROLLBACK",
    "CREATE INDEX ON", "CREATE UNIQUE INDEX ON", "DROP INDEX ON", "DROP ENTITY", "ALTER", "RENAME",
  ]
  static let joints = ["AND", "OR"]
  private static let quantifiers = ["ANY", "ALL", "NONE"]

  /// The text after the last statement's end.
  private func statement(_ before: String) -> String {
    before.split(separator: ";", omittingEmptySubsequences: false).last.map(String.init) ?? before
  }

  /// The words and operators before the cursor, and the typed part of the last one; nil within a string.
  static func tokens(_ text: String) -> ([String], String?) {
    var tokens: [String] = []
    var word = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open {
          quote = nil
          tokens.append("''")
        }
        continue
      }
      if character.isLetter || character.isNumber || "_.$@#".contains(character) {
        word.append(character)
        continue
      }
      if !word.isEmpty { tokens.append(word) }
      word = ""
      if character == "'" || character == "\"" {
        quote = character
      } else if !character.isWhitespace {
        if let last = tokens.last, "=!<>".contains(character), last.allSatisfy("=!<>".contains) {
          tokens[tokens.count - 1] = last + String(character)
        } else {
          tokens.append(String(character))
        }
      }
    }
    return (tokens, quote == nil ? word : nil)
  }

  /// The collection that `word` begins with, and its operators.
  private func aggregates(of word: String, after tokens: [String]) -> [String] {
    let path = word.prefix { $0 != "@" }.dropLast()
    let aggregates =
      PredicateFunction.all.compactMap(\.collectionOperator).filter { $0 != "count" }.map { "@" + $0 }
      + ["@percentile(0.9)"]
    let schema = schema()
    let entity = (tokens.first { schema.entity(named: $0) != nil } ?? defaultEntity()).flatMap(schema.entity)
    let columns = entity.map { schema.reachable(from: $0, by: [word]) } ?? schema.entities.flatMap(schema.columns)
    if case .links(let name)? = columns.first(where: { $0.path == path })?.kind {
      let numbers = schema.entity(named: name).map(schema.columns)?.filter(\.isNumeric).map(\.path) ?? []
      return ["\(path).@count"]
        + aggregates.flatMap { name in numbers.map { "\(path).\(name).\($0)" } }
    }
    let kind: CollectionKind
    let element: ScalarType
    switch columns.first(where: { $0.path == path })?.kind {
    case .collection(let own, let type)?: (kind, element) = (own, type)
    case .parts(let type, _)?: (kind, element) = (.array, type)
    case .structs?:
      let numbers = columns.filter { $0.isNumericPart && $0.path.hasPrefix(path + ".") }.map {
        $0.path.dropFirst(path.count + 1)
      }
      return ["\(path).@count"]
        + aggregates.flatMap { name in numbers.map { "\(path).\(name).\($0)" } }
    default: return []
    }
    var operators = ["@count", "@distinctUnionOfObjects"]
    operators += element.isNumeric ? aggregates : ["@min", "@max", "@mode"]
    if kind == .dictionary { operators += ["@keys", "@values"] }
    return operators.map { "\(path).\($0)" }
  }

  private func candidates(after tokens: [String], _ word: String) -> [String] {
    let schema = schema()
    if let all = schemaCandidates(after: tokens, schema) { return all }
    let names = schema.entities.map(\.name)
    let upper = tokens.map { $0.uppercased() }
    let entity = tokens.first { names.contains($0) } ?? defaultEntity()
    guard let entity,
      var columns = schema.entity(named: entity).map({ schema.reachable(from: $0, by: tokens + [word]) })
    else {
      let isStart =
        tokens.isEmpty
        || upper.allSatisfy { ["COUNT", "EXPLAIN", "ANALYZE", "DELETE", "INSERT", "UPDATE"].contains($0) }
      guard isStart else { return [] }
      return names
        + (tokens.isEmpty
          ? Self.starts : upper.last == "EXPLAIN" ? ["ANALYZE", "COUNT"] : upper.last == "ANALYZE" ? ["COUNT"] : [])
    }
    for (name, path) in Self.variables(in: tokens) {
      columns += schema.elements(of: columns.first { $0.path == path }, called: name, by: tokens + [word], columns)
    }
    var properties = columns.filter { $0.kind != .presence && $0.kind != .presences }.map(\.path)
    if word.hasPrefix("@") { properties += schema.backlinks(to: entity) }
    guard let last = tokens.last, let lastUpper = upper.last else { return properties + names + Self.starts }
    if last == entity { return upper.first == "UPDATE" ? ["SET"] : Self.clauses }
    let inSort = upper.lastIndex(of: "SORT") ?? -1
    let inSelect = max(upper.lastIndex(of: "SELECT") ?? -1, upper.lastIndex(of: "DISTINCT") ?? -1)
    let inWhere = upper.lastIndex(of: "WHERE") ?? -1
    if let column = columns.first(where: { $0.path == last }), case .scalar(let type) = column.kind {
      if inSort > max(inSelect, inWhere) { return ["ASC", "DESC"] + Self.clauses }
      if inSelect > max(inSort, inWhere) { return ["AS"] + Self.clauses }
      return Self.operators(for: type)
    }
    if let column = columns.first(where: { $0.path == last }), inWhere > max(inSort, inSelect) {
      switch column.kind {
      case .collection(_, let type):
        return ["CONTAINS"] + Self.operators(for: type).filter { !$0.hasPrefix("CONTAINS") } + Self.joints
      case .parts(let type, _): return Self.operators(for: type)
      default: break
      }
    }
    if columns.contains(where: { $0.path == last && $0.target != nil }), inWhere > max(inSort, inSelect) {
      return ["==", "!=", "IN"]
    }
    let lists = columns.filter(\.isToMany).map { $0.path + "." }
    let collections = columns.filter { column in
      column.isCollection || column.isToMany || lists.contains { column.path.hasPrefix($0) }
    }
    .filter { $0.kind != .presences }.map(\.path)
    switch lastUpper {
    case "SORT", "GROUP", "SECTIONS": return ["BY"]
    case "WHERE", "AND", "OR", "NOT", "(", "&&", "||", "!":
      if lastUpper == "(", upper.dropLast().last == "SUBQUERY" { return collections }
      return properties + ["NOT", "TRUEPREDICATE"] + (collections.isEmpty ? [] : Self.quantifiers + ["SUBQUERY("])
    case "ANY", "ALL", "NONE", "SOME": return collections
    case "BY", "SELECT", "DISTINCT", ",": return properties
    case "==", "!=", "=", "<>":
      return ["nil"] + (isBool(tokens.dropLast().last, columns) ? ["TRUE", "FALSE"] : [])
    case "LIMIT", "OFFSET", "AS": return []
    case let word where Comparator(rawValue: word) != nil: return []
    default: return (inWhere > max(inSort, inSelect) || defaultEntity() != nil ? Self.joints : []) + Self.clauses
    }
  }

  /// The variables of the SUBQUERYs before the cursor, and the paths of their elements.
  private static func variables(in tokens: [String]) -> [(name: String, path: String)] {
    tokens.indices.compactMap { place in
      guard place >= 4, tokens[place].hasPrefix("$"), !tokens[place].contains("."), tokens[place - 1] == ",",
        tokens[place - 3] == "(", tokens[place - 4].uppercased() == "SUBQUERY"
      else { return nil }
      return (tokens[place], tokens[place - 2])
    }
  }

  private func isBool(_ path: String?, _ columns: [Column]) -> Bool {
    columns.contains { $0.path == path && $0.kind == .scalar(.bool) }
  }

  /// The operators worth offering for a type.
  static func operators(for type: ScalarType) -> [String] {
    switch type {
    case .bool: ["==", "!="] + joints
    case .string:
      ["==", "!="] + (Comparator.stringOperators.map(\.rawValue) + ["CONTAINS[c]", "LIKE[c]", "IN"]).sorted() + [
        "<", ">",
      ]
    case .uuid, .data: ["==", "!=", "IN", "<", ">"]
    default: ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
    }
  }

  // MARK: Commands

  private func completeCommand(_ before: String) -> Completion {
    let words = before.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let word = words.last ?? ""
    let all: [String]
    if words.count <= 1 {
      all = DotCommand.all.map(\.name)
    } else {
      guard let command = try? DotCommand.named(words[0]) else { return Completion(word: word, candidates: []) }
      if word.hasPrefix("-") {
        return Completion(
          word: word, candidates: command.options.filter { $0.hasPrefix(word) && !words.dropLast().contains($0) })
      }
      switch command.completes {
      case .nothing: all = []
      case .entities: all = schema().entities.map(\.name)
      case .files: all = Self.files(word) + (word.isEmpty ? [] : schema().entities.map(\.name))
      case .modes: all = OutputMode.allCases.map(\.rawValue)
      case .onOff: all = ["on", "off"]
      case .words(let words): all = words
      }
    }
    return Completion(word: word, candidates: all.filter { $0.hasPrefix(word) })
  }

  /// The files whose path begins with `prefix`; folders end with a slash.
  private static func files(_ prefix: String) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let folder = slash.map { String(prefix[...$0]) } ?? ""
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // Names with spaces would have to be quoted.
      guard !name.hasPrefix("."), !name.contains(" "), (folder + name).hasPrefix(prefix) else { continue }
      found.append(folder + name + (entry.pointee.d_type == UInt8(DT_DIR) ? "/" : ""))
    }
    return found.sorted()
  }
}
