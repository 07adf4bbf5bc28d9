/// Cuts the line of a dot command into words, as a shell does: spaces separate, quotes keep together.
enum CommandWords {
  /// The words, or nil when a quote is not closed.
  ///
  /// - Parameter rest: whether all that follows the words so far is one more word as it stands, quotes and all: a
  ///   statement.
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
