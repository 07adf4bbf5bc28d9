/// Splits the line of a dot command into words, like a shell: spaces separate words, quotes group them.
enum CommandWords {
  /// The words, or nil when a quote is not closed.
  ///
  /// - Parameter rest: Whether the rest of the line after the words so far is taken unchanged, with quotes, as one more
  ///   word: a statement.
  static func split(_ line: String, rest: ([String]) -> Bool = { _ in false }) -> [String]? {
    var words: [String] = []
    var word = ""
    var isWord = false
    var quote: Character?
    var isEscaped = false
    for place in line.indices {
      let character = line[place]
      if quote == nil, !isEscaped, !isWord, !character.isWhitespace, rest(words) {
        return words + [String(line[place...])]
      }
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else {
          word.append(character)
        }
      } else if character == "'" || character == "\"" {
        quote = character
        isWord = true
      } else if character == "\\" {
        isEscaped = true
        isWord = true
      } else if character.isWhitespace {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      } else {
        word.append(character)
        isWord = true
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if isWord { words.append(word) }
    return words
  }
}
