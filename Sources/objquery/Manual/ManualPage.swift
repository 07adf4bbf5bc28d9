/// Writes the manual as a page for `man`, in the macros that groff and mandoc both know.
enum ManualPage {
  static func text(_ manual: Manual) -> String {
    var lines = [
      ".\\\" Made by Tools/manual from the sources of the command: change those.",
      ".TH OBJQUERY 1 \(versionDate) \"objquery \(version)\" \"ObjectStore\"",
      ".SH NAME", "objquery \\- ask an object store",
    ]
    // What follows a heading begins a paragraph anyway.
    var isAfterHeading = false
    for block in manual.blocks {
      let start = isAfterHeading ? [] : [".PP"]
      isAfterHeading = false
      switch block {
      case .section(let title):
        lines.append(".SH \(quoted(title.uppercased()))")
        isAfterHeading = true
      case .subsection(let title):
        lines.append(".SS \(quoted(title))")
        isAfterHeading = true
      case .paragraph(let text): lines += start + [escaped(text)]
      case .code(let code): lines += start + [".nf", ".RS 2"] + code.map(escaped) + [".RE", ".fi"]
      case .item(let term, let text): lines += [".TP", "\\fB\(escaped(term))\\fP", escaped(text)]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// A line, whose signs are those that one types and not those of typesetting.
  private static func escaped(_ line: String) -> String {
    let signs: [Character: String] = [
      "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\"": "\\(dq",
    ]
    let text = line.reduce(into: "") { text, letter in text += signs[letter] ?? String(letter) }
    // A line that begins with a dot is a request.
    return text.hasPrefix(".") ? "\\&" + text : text
  }
}
