import ArgumentParser
internal import Diagnostics
import ObjectStoreCore

/// The message for arguments that the argument parser refuses: its own text, with the command named as it was called,
/// and for a misspelt option the most similar option, including options hidden in the help.
struct UsageError {
  let command: any ParsableCommand.Type
  let error: any Error

  /// Whether it is an error, not a request for help.
  var isWrongUsage: Bool { command.exitCode(for: error) == .validationFailure }

  /// The text, with line breaks.
  var text: String {
    var text = command.fullMessage(for: error)
    if command != ShellCommand.self {
      // The parser of a subcommand does not know the name of its command.
      let name = command._commandName
      text = text.replacing("See '\(name) --help'", with: "See 'objquery \(name) --help'")
    }
    let message = command.message(for: error)
    guard let option = Self.unknownOption(in: message) else { return text + "\n" }
    let meant = Suggestion.nearest(to: option, among: options).map { ". Did you mean '--\($0)'?" } ?? ""
    return text.replacing(message, with: "Unknown option '--\(option)'\(meant)") + "\n"
  }

  /// The long option that the parser reports as unknown, without dashes; nil for other errors.
  private static func unknownOption(in message: String) -> String? {
    let beginning = "Unknown option '--"
    guard message.hasPrefix(beginning), !message.contains("\n") else { return nil }
    return String(message.dropFirst(beginning.count).prefix { $0 != "'" })
  }

  /// The names of the long options without dashes, from the full help: its lines that begin with a dash.
  private var options: [String] {
    command.helpMessage(includeHidden: true).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") || $0.hasPrefix("<") }
    }.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }
}

extension ShellRequest {
  /// The subcommand that the first word was probably meant to be, if it is not a store and would not become one.
  static func misspeltSubcommand(_ words: [String]) -> CommandFailure? {
    guard let word = words.first, !word.hasPrefix("-"), !words.contains("--create"), !StoreOpener.exists(word),
      let meant = Suggestion.nearest(to: word, among: ShellCommand.configuration.subcommands.map { $0._commandName })
    else { return nil }
    return CommandFailure(
      description: "there is no store at '\(word)'; did you mean 'objquery \(meant)'?", status: .unopened,
      code: "store-not-opened")
  }
}
