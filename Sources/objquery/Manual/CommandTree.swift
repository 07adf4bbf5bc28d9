import ArgumentParser
import FoundationEssentials

/// What the argument parser knows of the command, its subcommands and their options: the declarations as data.
struct CommandTree: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandTree]?

  /// A positional argument, an option with a value, or a flag.
  struct Argument: Decodable, Equatable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable, Equatable {
      let kind: String
      let name: String

      /// With its dashes.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    /// How its value is completed. Exactly one is there.
    struct Completion: Decodable, Equatable {
      struct Anything: Decodable, Equatable {}
      struct List: Decodable, Equatable { let values: [String] }
      let list: List?
      let file: Anything?
      let directory: Anything?
      let custom: Anything?
    }

    let kind: Kind
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let allValues: [String]?
    let sectionTitle: String?
    let isRepeating: Bool
    let shouldDisplay: Bool
    let completionKind: Completion?

    /// Its names with dashes; none of a positional argument.
    var words: [String] { (names ?? []).map(\.text) }
  }

  /// The whole tree.
  static func whole() throws -> CommandTree {
    struct Dump: Decodable { let command: CommandTree }
    return try JSONDecoder().decode(Dump.self, from: Data(ShellCommand._dumpHelp().utf8)).command
  }

  /// The subcommand of that name. The one that shows help is the parser's own: it has no declaration here.
  func subcommand(_ name: String) -> CommandTree? { declaredSubcommands.first { $0.commandName == name } }

  /// The subcommands without that of the parser.
  var declaredSubcommands: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The arguments without `--help` and `--version`, which the parser adds to all.
  var declaredArguments: [Argument] {
    (arguments ?? []).filter { !["help", "version"].contains($0.preferredName?.name) }
  }

  /// The positional arguments, in order.
  var positionals: [Argument] { declaredArguments.filter { $0.kind == .positional } }
}
