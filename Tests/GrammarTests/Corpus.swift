import Testing

/// The lines of `Grammar/Corpus`: what is read and what is not.
///
/// A text takes a line; one of several lines stands between `<<<` and `>>>`. Lines that start with `# ` are remarks. After
/// a rejected text, or the `>>>` of one, come two blanks, `✗`, the error code and, after a colon, the reason.
struct Corpus {
  /// A text with the file and line it stands in.
  struct Entry: CustomStringConvertible {
    var text: String
    var code: String?
    var description: String
  }

  /// The texts of a kind, such as `predicates`: those of all files whose names start so.
  static func entries(_ kind: String, accepted: Bool) throws -> [Entry] {
    let folder = GrammarFiles.folder + "/Corpus/" + (accepted ? "accepted" : "rejected")
    var entries: [Entry] = []
    for name in GrammarFiles.names(in: folder) where name.hasPrefix(kind + "-") {
      let text = try #require(GrammarFiles.read(folder + "/" + name))
      entries += try read(text, name, accepted: accepted)
    }
    try #require(!entries.isEmpty, "there is nothing of \(kind) in \(folder)")
    return entries
  }

  private static func read(_ text: String, _ file: String, accepted: Bool) throws -> [Entry] {
    var entries: [Entry] = []
    var block: [String]?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = "\(file):\(number + 1)"
      if let lines = block {
        guard line.hasPrefix(">>>") else {
          block = lines + [String(line)]
          continue
        }
        let whole = lines.joined(separator: "\n")
        entries.append(Entry(text: whole, code: accepted ? nil : try split(line, place).code, description: place))
        block = nil
      } else if line == "<<<" {
        block = []
      } else if !line.isEmpty, !line.hasPrefix("# ") {
        let (written, code) = accepted ? (String(line), nil) : try split(line, place)
        entries.append(Entry(text: written, code: code, description: place))
      }
    }
    try #require(block == nil, "\(file): a block is never closed")
    return entries
  }

  private static func split(_ line: Substring, _ place: String) throws -> (text: String, code: String?) {
    let mark = try #require(line.firstIndex(of: "✗"), "\(place): a rejected text has its error code after '  ✗ '")
    let reason = line[mark...].dropFirst(2)
    let colon = try #require(reason.firstIndex(of: ":"), "\(place): after the error code comes ': ' and the reason")
    try #require(reason[colon...].count > 3, "\(place): the reason is missing")
    try #require(line[..<mark].hasSuffix("  "), "\(place): two blanks come before '✗'")
    return (String(line[..<mark].dropLast(2)), String(reason[..<colon]))
  }
}
