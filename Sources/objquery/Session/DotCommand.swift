internal import Diagnostics
import ObjectStoreCore

/// A command of the shell, such as `.schema`: its arguments, help and action.
struct DotCommand: Sendable {
  /// With its dot.
  let name: String
  /// The arguments, as shown in the help.
  let usage: String
  /// One line for the list of all commands.
  let summary: String
  /// More words, with examples.
  var help = ""
  /// Whether it touches files, other programs or the objects: refused with `--safe`.
  var isUnsafe = false
  /// Whether it may take long, so that Ctrl-C cancels it and lets it clean up and report its progress.
  var isLong = false
  /// The allowed number of arguments.
  var words = 0...0
  /// The number of arguments, without options, before a statement, which is one argument, taken unchanged; nil without
  /// a statement.
  var statementAfter: Int?
  /// The options that have a value as the word after them.
  var valueOptions: [String] = []
  /// The completions for the arguments.
  var completes = Completion.nothing
  let run: @Sendable (Session, [String]) throws -> Void

  enum Completion: Sendable { case nothing, entities, files, modes, onOff, words([String]) }

  /// The options, as the usage and the help name them.
  var options: [String] {
    var found: [String] = []
    // The help of a command whose usage names its options also mentions those of others.
    for text in [usage, help] where found.isEmpty {
      for word in text.split(whereSeparator: { !($0.isLetter || $0 == "-") }).map(String.init) {
        let isOption = word.hasPrefix("--") && word.count > 3 && word.allSatisfy { $0.isLowercase || $0 == "-" }
        if isOption, !found.contains(word) { found.append(word) }
      }
    }
    return usage.contains("--MODE") ? OutputMode.allCases.map { "--" + $0.rawValue } + found : found
  }

  /// Whether a statement is all that follows the words so far.
  func expectsStatement(after words: [String]) -> Bool {
    guard let statementAfter, !words.isEmpty else { return false }
    var plain = 0
    var isValue = false
    for word in words.dropFirst() {
      let isOption = !isValue && word.hasPrefix("-") && word != "-"
      if !isOption, !isValue { plain += 1 }
      isValue = isOption && valueOptions.contains(word)
    }
    return plain >= statementAfter && !isValue
  }

  /// All commands, in the order of the help.
  static let all: [DotCommand] = shell + stores + looks + [describe, advise] + data + exports

  /// Aliases known from other shells.
  private static let elsewhere = [
    ".tables": ".types", ".entities": ".types", ".show": ".types", ".databases": ".types",
    ".nullvalues": ".nullvalue", ".parameter": ".param", ".dbinfo": ".stats", ".source": ".read",
    ".vacuum": ".compact",
  ]

  /// The command with that name, or the only one whose name begins with it.
  static func named(_ name: String) throws -> DotCommand {
    if let exact = all.first(where: { $0.name == name }) { return exact }
    if name == ".exit" { return try named(".quit") }
    let starting = name.count > 1 ? all.filter { $0.name.hasPrefix(name) } : []
    if starting.count == 1, let only = starting.first { return only }
    if starting.count > 1 {
      throw CommandFailure(description: "\(name) may be \(starting.map(\.name).joined(separator: " or "))")
    }
    let meant = elsewhere[name] ?? Suggestion.nearest(to: name, among: all.map(\.name))
    let guess = meant.map { "; did you mean \($0)?" } ?? ";"
    throw CommandFailure(description: "there is no command \(name)\(guess) .help lists all", code: "unknown-command")
  }
}

extension Session {
  /// Runs one line that begins with a dot.
  func runCommand(_ line: String) throws {
    let name = line.prefix { !$0.isWhitespace }
    let known = try? DotCommand.named(String(name))
    let split = CommandWords.split(line) { known?.expectsStatement(after: $0) ?? false }
    guard var words = split, !words.isEmpty else {
      throw CommandFailure(description: "a quote in '\(line)' is not closed")
    }
    let command = try DotCommand.named(words.removeFirst())
    if isAdvising, ![".use", ".param", ".read"].contains(command.name) { return asked.skip(command.name) }
    if isSafe, command.isUnsafe {
      throw CommandFailure(description: "\(command.name) is refused with --safe", code: "not-safe")
    }
    guard command.words.contains(words.count) else {
      throw CommandFailure(description: "usage: \(command.name) \(command.usage)")
    }
    guard command.isLong, let running else { return try command.run(self, words) }
    try Interrupts.shared.stopping(by: running) { try command.run(self, words) }
  }

  /// `on` or `off`, with common alternatives.
  static func truth(_ word: String, for command: String) throws -> Bool {
    switch word.lowercased() {
    case "on", "yes", "true", "1": true
    case "off", "no", "false", "0": false
    default: throw CommandFailure(description: "\(command) is on or off, not '\(word)'")
    }
  }

  /// Shows text as a result.
  func print(_ text: String) throws {
    try output.result { try $0.write(text.hasSuffix("\n") || text.isEmpty ? text : text + "\n") }
  }

  /// The entity of that name in the store.
  func entity(named name: String) throws -> Entity {
    let schema = try store.schema
    if let entity = schema.entity(named: name) { return entity }
    let guess = Suggestion.nearest(to: name, among: schema.entities.map(\.name)).map { "; did you mean \($0)?" } ?? ""
    let all = schema.entities.prefix(10).map(\.name).joined(separator: ", ")
    let known = all.isEmpty ? "; the store has no entities" : "; the store has \(all)"
    throw CommandFailure(
      description: "there is no entity '\(name)'\(guess.isEmpty ? known : guess)", code: "unknown-entity")
  }
}
