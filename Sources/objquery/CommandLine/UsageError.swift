import ArgumentParser
import ObjectStoreCore

/// What is said about words that the parser of arguments refuses: its own text, with the command named as it is called,
/// and of a misspelt option the nearest of all options, those that its help hides among them.
struct UsageError {
  let command: any ParsableCommand.Type
  let error: any Error

  /// Whether it is one, and not a call for help.
  var isWrongUsage: Bool { command.exitCode(for: error) == .validationFailure }

  /// The text, lines with breaks.
  var text: String {
    var text = command.fullMessage(for: error)
    if command != ShellCommand.self {
      // The parser of a subcommand does not know what it is a part of.
      let name = command._commandName
      text = text.replacing("See '\(name) --help'", with: "See 'objquery \(name) --help'")
    }
    let message = command.message(for: error)
    guard let option = Self.unknownOption(in: message) else { return text + "\n" }
    let meant = Suggestion.nearest(to: option, among: options).map { ". Did you mean '--\($0)'?" } ?? ""
    return text.replacing(message, with: "Unknown option '--\(option)'\(meant)") + "\n"
  }

  /// The long option that the parser says it does not know, without its dashes; nil when it says something else.
  private static func unknownOption(in message: String) -> String? {
    let beginning = "Unknown option '--"
    guard message.hasPrefix(beginning), !message.contains("\n") else { return nil }
    return String(message.dropFirst(beginning.count).prefix { $0 != "'" })
  }

  /// The names of the long options without their dashes, as the whole help lists them: in lines that begin with a dash.
  private var options: [String] {
    command.helpMessage(includeHidden: true).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") || $0.hasPrefix("<") }
    }.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }
}

extension ShellRequest {
  /// The subcommand that the first word probably was meant for, where it is no store and would not become one.
  static func misspeltSubcommand(_ words: [String]) -> CommandFailure? {
    guard let word = words.first, !word.hasPrefix("-"), !words.contains("--create"), !StoreOpener.exists(word),
      let meant = Suggestion.nearest(to: word, among: ShellCommand.configuration.subcommands.map { $0._commandName })
    else { return nil }
    return CommandFailure(
      description: "there is no store at '\(word)'; did you mean 'objquery \(meant)'?", status: .unopened,
      code: "store-not-opened")
  }
}
