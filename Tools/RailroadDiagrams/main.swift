import Glibc
import GrammarNotation

// Draws the rules of the files given into a folder: one SVG a rule, and a Markdown page a file that shows them.
//
//     RailroadDiagrams FOLDER Grammar/Predicate.ebnf …

func read(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

func fail(_ message: String) -> Never {
  let line = Array("diagrams: \(message)\n".utf8)
  _ = Glibc.write(2, line, line.count)
  exit(1)
}

func write(_ text: String, _ path: String) {
  guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
  fputs(text, file)
  fclose(file)
}

let style = """
  <style>
  path { fill: none; stroke: #57606a; stroke-width: 1.6 }
  rect { stroke-width: 1.4 }
  rect.terminal { fill: #fff3d6; stroke: #bf8700 } rect.rule { fill: #ddf4ff; stroke: #218bff }
  rect.note { fill: none; stroke: #8c959f; stroke-dasharray: 3 3 }
  text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-anchor: middle; fill: #1f2328 }
  text.note { font-size: 11px; font-style: italic; fill: #57606a }
  text.name { font-size: 14px; font-weight: bold; text-anchor: start }
  @media (prefers-color-scheme: dark) {
    path { stroke: #8b949e } text { fill: #e6edf3 } text.note { fill: #9da7b1 }
    rect.terminal { fill: #3b2f12; stroke: #d29922 } rect.rule { fill: #12304f; stroke: #58a6ff }
  }
  </style>

  """

guard CommandLine.arguments.count > 2 else { fail("a folder and the files to draw are needed") }
let folder = CommandLine.arguments[1]

for path in CommandLine.arguments.dropFirst(2) {
  guard let text = read(path), let file = path.split(separator: "/").last else { fail("\(path) cannot be read") }
  let grammar: Grammar
  do {
    grammar = try NotationReader.grammar(text, file: String(file))
  } catch {
    fail("\(error)")
  }
  let name = String(file.prefix { $0 != "." })
  mkdir("\(folder)/\(name)", 0o755)
  var page = """
    # \(name)

    The rules of [`\(file)`](../\(file)), drawn by `Tools/diagrams`; not to be edited. Round boxes are written as they stand,
    boxes with corners are rules, dashed ones say something in words.

    """
  for rule in grammar.rules {
    page += "\n## \(rule.name)\n\n"
    if let remark = rule.remark { page += remark + "\n\n" }
    // Tokens and other rules may differ in letter case alone, which not every disk tells apart.
    let picture = "\(name)/\(rule.isToken ? "token-" : "")\(rule.name).svg"
    page += "![\(rule.name)](\(picture))\n"
    write(SVG.picture(of: rule, style: style), "\(folder)/\(picture)")
  }
  write(page, "\(folder)/\(name).md")
}
