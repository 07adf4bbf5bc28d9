import ArgumentParser
import Glibc
import ObjectStoreCore

/// The entry point of the command: chooses between the shell and the subcommands.
///
/// `objquery import …` is a subcommand and `objquery quakes …` opens a store, so the first word decides. A store that is
/// named like a subcommand is said with its folder: `./import`.
@main
enum Main {
  static func main() {
    let words = asked(Array(CommandLine.arguments.dropFirst()))
    let request = ShellRequest(usual: words)
    let subcommand = request == nil ? Self.subcommand(words) : nil
    do {
      if words.first == CompletionScript.request {
        let lines = try ShellCompletion.answer(Array(words.dropFirst())) ?? []
        try Output().result { try $0.write(lines.map { $0 + "\n" }.joined()) }
      } else if let shell = try CompletionScript.asked(words) {
        try Output().result { try $0.write(CompletionScript.text(shell)) }
      } else if let request {
        try request.run()
      } else if let subcommand {
        var command = try subcommand.parseAsRoot(Array(words.dropFirst()))
        try command.run()
      } else {
        var command = try ShellCommand.parseAsRoot(words)
        try command.run()
      }
    } catch let failure as CommandFailure {
      Console().report(failure)
      exit(failure.status.rawValue)
    } catch let code as ExitCode {
      exit(code.rawValue)
    } catch {
      // Invalid arguments and --help: the parser has the text for both.
      let command = subcommand ?? ShellCommand.self
      let usage = UsageError(command: command, error: error)
      guard usage.isWrongUsage else { command.exit(withError: error) }
      if subcommand == nil, let failure = ShellRequest.misspeltSubcommand(words) {
        Console().report(failure)
        exit(failure.status.rawValue)
      }
      StandardError.write(usage.text)
      exit(ExitStatus.usage.rawValue)
    }
  }

  private static func subcommand(_ words: [String]) -> (any ParsableCommand.Type)? {
    words.first.flatMap { name in ShellCommand.configuration.subcommands.first { $0._commandName == name } }
  }

  /// `help import` as `import --help`: what --help says one can write. A store of that name is `./help`.
  private static func asked(_ words: [String]) -> [String] {
    guard words.first == "help", words.count <= 2 else { return words }
    return words.dropFirst() + ["--help"]
  }
}

/// The versions of the command and its libraries.
let version = "0.1.0"

/// The day of the version, for the manual.
let versionDate = "2026-11-27"
