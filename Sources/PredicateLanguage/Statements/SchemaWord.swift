/// The words of statements that change the schema. They have a meaning only at their place in such a statement, and are
/// names everywhere else.
enum SchemaWord: String, CaseIterable {
  case create = "CREATE"
  case alter = "ALTER"
  case drop = "DROP"
  case rename = "RENAME"
  case index = "INDEX"
  case unique = "UNIQUE"
  case on = "ON"
  case using = "USING"
  case entity = "ENTITY"
  case property = "PROPERTY"
  case add = "ADD"
  case to = "TO"

  /// The words that start a statement.
  static let starts: [SchemaWord] = [.create, .alter, .drop, .rename]
}

extension Parser {
  /// Whether the token in hand is that word.
  func at(_ word: SchemaWord) -> Bool {
    token.kind == .word && token.keyword == nil && text(token).uppercased() == word.rawValue
  }

  /// Consumes the token in hand if it is that word.
  mutating func take(_ word: SchemaWord) -> Bool {
    guard at(word) else { return false }
    advance()
    return true
  }
}
