import ArgumentParser
import ObjectStoreCore

extension ShellRequest {
  /// What the words of nearly every call ask for: a store, statements, files of them, values for their placeholders, a
  /// mode. nil where any other word stands, or something is wrong: that is for the parser of arguments, which knows all
  /// options, and which takes longer to get ready than a query takes to run.
  ///
  /// It says nothing that the parser would not say: a test asks both.
  init?(usual words: [String]) {
    self.init()
    var statements: [ScriptOptions.Piece] = []
    var rest = words[...]
    // Some words that begin with two dashes mean the same to the parser wherever they stand.
    func value(_ rest: inout ArraySlice<String>) -> String? {
      rest.popFirst().flatMap { $0.hasPrefix("--") ? nil : $0 }
    }
    while let word = rest.popFirst() {
      switch word {
      case "-c", "--command":
        guard let text = value(&rest) else { return nil }
        pieces.append(.text(text))
      case "-f", "--file":
        guard let path = value(&rest) else { return nil }
        pieces.append(.file(path))
      case "-p", "--param":
        guard let definition = value(&rest), (try? parameters.add(definition)) != nil else { return nil }
      case "--arg":
        guard let text = value(&rest) else { return nil }
        parameters.positional.append(Parameter(text: text))
      case "--readonly": isReadOnly = true
      case _ where word.hasPrefix("--"):
        guard mode == nil, let shown = OutputMode(rawValue: String(word.dropFirst(2))) else { return nil }
        mode = shown
      // An option it does not know, or a word that may be a subcommand's name.
      case _ where word.hasPrefix("-") || word.isEmpty || Self.subcommands.contains(word): return nil
      default: if store == nil { store = word } else { statements.append(.text(word)) }
      }
    }
    pieces += statements
    console.color = ColorChoice.auto.usesColor
  }

  /// The subcommands' names, which the parser takes for them in more places than the first.
  private static let subcommands = Set(ShellCommand.configuration.subcommands.map { $0._commandName } + ["help"])
}
