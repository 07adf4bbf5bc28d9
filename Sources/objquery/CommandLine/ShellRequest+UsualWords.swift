import ArgumentParser
import ObjectStoreCore

extension ShellRequest {
  /// Parses the arguments of nearly every call: a store, statements, statement files, values for placeholders, and a
  /// mode. Returns nil for any other argument or an error: those are left to the argument parser, which knows all
  /// options but takes longer to set up than a query takes to run.
  ///
  /// It must give the same result as the parser: a test compares the two.
  init?(usual words: [String]) {
    self.init()
    var statements: [ScriptOptions.Piece] = []
    var rest = words[...]
    // Some words that begin with two dashes have a special meaning to the parser at any position.
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
      // An unknown option, or a word that may be the name of a subcommand.
      case _ where word.hasPrefix("-") || word.isEmpty || Self.subcommands.contains(word): return nil
      default: if store == nil { store = word } else { statements.append(.text(word)) }
      }
    }
    pieces += statements
    console.color = ColorChoice.auto.usesColor
  }

  /// The names of the subcommands, which the parser also accepts at other positions than the first.
  private static let subcommands = Set(ShellCommand.configuration.subcommands.map { $0._commandName } + ["help"])
}
