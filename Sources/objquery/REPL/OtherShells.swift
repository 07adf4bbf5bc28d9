import ObjectStoreCore

/// The commands of other shells, as people type them from habit. It knows only whole lines that are typed.
enum OtherShells {
  /// The dot command that a line means; nil for a line of any other kind, or one that is an entity's name.
  static func command(for line: String, in schema: Schema) -> String? {
    var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    if let last = words.last, last.hasSuffix(";") {
      words[words.count - 1].removeLast()
      if words.last == "" { words.removeLast() }
    }
    guard let name = words.first, schema.entity(named: name) == nil else { return nil }
    let rest = words.dropFirst().joined(separator: " ")
    func alone(_ command: String) -> String? { rest.isEmpty ? command : nil }
    func with(_ command: String) -> String { rest.isEmpty ? command : "\(command) \(rest)" }
    switch name {
    case "exit", "quit", "EXIT", "QUIT", "\\q", ":q": return alone(".quit")
    case "help", "HELP", "\\?", "\\h", "?": return words.count <= 2 ? with(".help") : nil
    case "\\d" where !rest.isEmpty, "\\d+" where !rest.isEmpty: return with(".schema")
    case "\\d", "\\d+", "\\dt", "\\dt+": return alone(".types")
    case "\\di", "\\di+": return with(".indexes")
    case "\\i": return with(".read")
    case "\\o": return with(".output")
    case "\\!": return with(".shell")
    case "\\echo": return with(".print")
    case "\\x": return alone(".mode line")
    default: break
    }
    switch (name.lowercased(), rest.lowercased()) {
    case ("show", "tables"): return ".types"
    case ("describe", _) where words.count == 2, ("desc", _) where words.count == 2: return with(".schema")
    default: return nil
    }
  }
}
