/// Writes the manual as a page of the documentation.
enum ManualArticle {
  static func text(_ manual: Manual) -> String {
    var lines = [
      "# objquery: every option and command", "",
      "What `objquery --help` and `.help` say, on one page.", "",
      "<!-- Made by Tools/manual from the sources of the command: change those. -->", "",
      "## Overview", "",
      "`man Tools/objquery.1` shows the same; <doc:Objquery> is the introduction.", "",
    ]
    var isList = false
    for block in manual.blocks {
      let isItem = if case .item = block { true } else { false }
      if isList, !isItem { lines.append("") }
      isList = isItem
      switch block {
      case .section(let title): lines += ["### \(title)", ""]
      case .subsection(let title):
        lines += ["#### \(title.hasPrefix(".") ? "`\(title)`" : title)", ""]
      case .paragraph(let text): lines += [escaped(text), ""]
      case .code(let code): lines += ["```"] + code + ["```", ""]
      case .item(let term, let text): lines.append("- `\(term)`: \(escaped(text))")
      }
    }
    return lines.joined(separator: "\n").trimmedEnd + "\n"
  }

  /// A text in which no sign is one of Markdown.
  private static func escaped(_ text: String) -> String {
    let escaped = text.reduce(into: "") { text, letter in
      text += "\\`*_<[|~".contains(letter) ? "\\\(letter)" : String(letter)
    }
    // A line that begins with an @ is a directive.
    return escaped.hasPrefix("@") ? "\\" + escaped : escaped
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
