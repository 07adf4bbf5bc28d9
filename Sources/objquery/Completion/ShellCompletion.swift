import ArgumentParser

/// Completes a word of a command line for a shell, by the declarations of the arguments.
///
/// It answers with lines: a candidate, perhaps with a tab and a description, or `:files` or `:folders`, which the shell
/// completes itself.
struct ShellCompletion {
  static let files = ":files"
  static let folders = ":folders"

  private let root: CommandTree
  private let shell: CompletionScript.Shell

  init(_ shell: CompletionScript.Shell) throws {
    root = try CommandTree.whole()
    self.shell = shell
  }

  /// The answer to the words after `---complete`: the shell, the position of the word to complete, and all words; nil if
  /// they are not that.
  static func answer(_ request: [String]) throws -> [String]? {
    guard request.count >= 3, let shell = CompletionScript.Shell(rawValue: request[0]), let place = Int(request[1]),
      place > 0
    else { return nil }
    return try ShellCompletion(shell).lines(Array(request.dropFirst(3)), at: place - 1)
  }

  /// The lines for the word at a position, among those after the command.
  func lines(_ words: [String], at place: Int) throws -> [String] {
    var before = Array(words.prefix(place))
    var current = words.indices.contains(place) ? words[place] : ""
    // The part of the word that the shell takes for words of their own.
    var hidden = ""
    if shell == .bash { (before, current, hidden) = Self.joined(before, current) }
    let found = try candidates(before, current)
    let directives = [Self.files, Self.folders]
    return found.compactMap { line in
      if directives.contains(line) { return line }
      guard line.hasPrefix(current) else { return nil }
      return String(line.dropFirst(hidden.count))
    }
  }

  /// The words as they were typed: bash separates words at = and : too, and these signs are words there.
  private static func joined(
    _ before: [String], _ current: String
  ) -> (before: [String], current: String, hidden: String) {
    func isSign(_ word: String) -> Bool { !word.isEmpty && word.allSatisfy { "=:".contains($0) } }
    var joined: [String] = []
    var continues = false
    for word in before + [current] {
      if let last = joined.last, continues || isSign(word) {
        joined[joined.count - 1] = last + word
      } else {
        joined.append(word)
      }
      continues = isSign(word)
    }
    let last = joined.popLast() ?? ""
    // At a sign, what is completed begins after it.
    return (joined, last, isSign(current) ? last : String(last.dropLast(current.count)))
  }

  private func candidates(_ before: [String], _ current: String) throws -> [String] {
    guard let first = before.first else {
      if current.hasPrefix("-") { return options(of: root, [], current) }
      let names = root.declaredSubcommands.map { "\($0.commandName)\t\($0.abstract ?? "")" }
      return names + ["help\tShow the help of a subcommand."] + [Self.files]
    }
    if first == "help" {
      return before.count == 1 ? root.declaredSubcommands.map { "\($0.commandName)\t\($0.abstract ?? "")" } : []
    }
    let subcommand = root.subcommand(first)
    let command = subcommand ?? root
    var given = GivenWords()
    for word in subcommand == nil ? before[...] : before.dropFirst() { given.add(word, of: command) }
    if let option = given.pending { return try values(of: option, command, given, current) }
    if current.hasPrefix("-"), !given.isTerminated {
      if let equals = current.firstIndex(of: "="), let option = command.option(String(current[..<equals])) {
        let name = String(current[...equals])
        return try values(of: option, command, given, String(current.dropFirst(name.count))).map {
          [Self.files, Self.folders].contains($0) ? $0 : name + $0
        }
      }
      return options(of: command, given.options, current)
    }
    let positionals = command.positionals
    let place = given.positionals.count
    let positional =
      place < positionals.count ? positionals[place] : positionals.last.flatMap { $0.isRepeating ? $0 : nil }
    return try positional.map { try values(of: $0, command, given, current) } ?? []
  }

  /// The options that may follow: those that repeat, and those not given yet.
  private func options(of command: CommandTree, _ given: [CommandTree.Argument], _ current: String) -> [String] {
    command.declaredArguments.filter { $0.kind != .positional && ($0.isRepeating || !given.contains($0)) }
      .flatMap { option in
        option.words.filter { $0.hasPrefix("--") }.map { "\($0)\t\(option.abstract ?? "")" }
      } + ["--help\tShow the help."]
  }

  private func values(
    of argument: CommandTree.Argument, _ command: CommandTree, _ given: GivenWords, _ current: String
  ) throws -> [String] {
    guard let kind = argument.completionKind else { return argument.allValues ?? [] }
    if kind.file != nil { return [Self.files] }
    if kind.directory != nil { return [Self.folders] }
    if let list = kind.list { return list.values }
    guard kind.custom != nil else { return [] }
    let name =
      argument.kind == .positional
      ? command.positionals.firstIndex(of: argument).map { "positional@\($0)" } : argument.preferredName?.text
    guard let name else { return [] }
    // The parser runs the function of the declaration, which gets the words that are no options.
    let words = given.positionals + [current]
    let path = command.commandName == root.commandName ? [] : [command.commandName]
    do {
      _ = try ShellCommand.parseAsRoot(
        ["---completion"] + path + ["--", name, "\(words.count - 1)", "\(current.count)"] + words)
      return []
    } catch {
      return ShellCommand.fullMessage(for: error).split(separator: "\n").map(String.init)
    }
  }
}

/// What stands before the word to complete.
private struct GivenWords {
  var positionals: [String] = []
  var options: [CommandTree.Argument] = []
  /// The option whose value comes next.
  var pending: CommandTree.Argument?
  /// Whether `--` was given: what follows are no options.
  var isTerminated = false

  mutating func add(_ word: String, of command: CommandTree) {
    if pending != nil {
      pending = nil
    } else if isTerminated || !word.hasPrefix("-") || word == "-" {
      positionals.append(word)
    } else if word == "--" {
      isTerminated = true
    } else {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard let option = command.option(String(parts[0])) else { return }
      options.append(option)
      if option.kind == .option, parts.count == 1 { pending = option }
    }
  }
}

extension CommandTree {
  /// The option with that name, with its dashes.
  fileprivate func option(_ word: String) -> Argument? {
    declaredArguments.first { $0.kind != .positional && $0.words.contains(word) }
  }
}
