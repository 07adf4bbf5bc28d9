import ArgumentParser

/// The manual: what `--help` and `.help` say, as one document, so that they can't differ.
///
/// It is made from the declarations of the arguments, the dot commands and the texts of the help. It does not know how
/// it is written; see `ManualPage` and `ManualArticle`.
struct Manual {
  /// What it is written as.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    /// A page for `man`.
    case man
    /// A page of the documentation.
    case markdown
  }

  enum Block: Equatable {
    case section(String)
    case subsection(String)
    case paragraph(String)
    /// Lines that stay as they are.
    case code([String])
    /// An option or a variable, and what it is.
    case item(term: String, text: String)
  }

  private(set) var blocks: [Block] = []

  init() throws {
    let command = try CommandTree.whole()
    blocks = [.section("Synopsis"), .code(Self.lines(ShellCommand.configuration.usage ?? ""))]
    blocks += [.section("Description")] + Self.text(command.discussion ?? "")
    blocks.append(.section("Options"))
    addArguments(of: command)
    blocks.append(.section("Subcommands"))
    for subcommand in command.declaredSubcommands {
      let usage = ShellCommand.configuration.subcommands.first { $0._commandName == subcommand.commandName }?
        .configuration.usage
      blocks += [.subsection(subcommand.commandName), .paragraph(subcommand.abstract ?? "")]
      blocks.append(.code(Self.lines(usage ?? "")))
      blocks += Self.text(subcommand.discussion ?? "")
      addArguments(of: subcommand)
    }
    addTopics()
    addDotCommands()
    addSurroundings()
  }

  /// The text in a form, with a final line break.
  func text(_ form: Form) -> String {
    switch form {
    case .man: ManualPage.text(self)
    case .markdown: ManualArticle.text(self)
    }
  }

  private mutating func addArguments(of command: CommandTree) {
    var section: String?
    var previous: CommandTree.Argument?
    for argument in command.declaredArguments where argument.shouldDisplay {
      defer { previous = argument }
      if let title = argument.sectionTitle, title != section {
        section = title
        if command.commandName == ShellCommand._commandName { blocks.append(.subsection(title)) }
      }
      // A flag and its opposite are described by one text.
      if argument.kind == .flag, let previous, previous.kind == .flag, previous.abstract == argument.abstract,
        case .item(let term, let text)? = blocks.last
      {
        blocks[blocks.count - 1] = .item(term: term + ", " + argument.words.joined(separator: ", "), text: text)
        continue
      }
      blocks.append(Self.item(argument))
    }
  }

  private static func item(_ argument: CommandTree.Argument) -> Block {
    let value = argument.valueName.map { "<\($0)>" } ?? ""
    let term: String
    switch argument.kind {
    case .positional: term = argument.isRepeating ? value + " …" : value
    case .option: term = argument.words.joined(separator: ", ") + " " + value
    case .flag: term = argument.words.joined(separator: ", ")
    }
    var text = argument.abstract ?? ""
    var notes: [String] = []
    if let values = argument.allValues, argument.kind != .flag {
      notes.append("values: " + values.joined(separator: ", "))
    }
    if let value = argument.defaultValue { notes.append("default: \(value)") }
    if !notes.isEmpty { text += " (\(notes.joined(separator: "; ")))" }
    return .item(term: term, text: text)
  }

  private mutating func addTopics() {
    for topic in HelpTexts.Topic.allCases {
      blocks += [.section(topic.title), .code(Self.lines(topic.text))]
    }
  }

  private mutating func addDotCommands() {
    blocks.append(.section("Dot commands"))
    blocks += Self.text(
      "Where statements are typed, and in files of statements, a line that begins with a dot is a command. A beginning of "
        + "its name is enough where it is clear.")
    for command in DotCommand.all {
      blocks += [
        .subsection(command.usage.isEmpty ? command.name : "\(command.name) \(command.usage)"),
        .paragraph(command.summary.first.map { $0.uppercased() + command.summary.dropFirst() + "." } ?? ""),
      ]
      if !command.help.isEmpty { blocks.append(.code(Self.lines(command.help))) }
      if command.isUnsafe { blocks.append(.paragraph("Refused with --safe.")) }
    }
  }

  private mutating func addSurroundings() {
    blocks += [.section("Completion")] + Self.text(CompletionScript.help)
    blocks.append(.section("Environment"))
    blocks += Surroundings.variables.map { .item(term: $0.name, text: $0.purpose) }
    blocks.append(.section("Files"))
    blocks += Surroundings.files.map { .item(term: $0.name, text: $0.purpose) }
    blocks.append(.section("Exit status"))
    blocks += ExitStatus.allCases.map { .item(term: "\($0.rawValue)", text: $0.meaning) }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Paragraphs, which empty lines separate, and examples, which are indented.
  private static func text(_ text: String) -> [Block] {
    var blocks: [Block] = []
    for part in text.split(separator: "\n\n") {
      let lines = lines(String(part))
      if lines.allSatisfy({ $0.hasPrefix("  ") }) {
        blocks.append(.code(lines.map { String($0.dropFirst(2)) }))
      } else {
        blocks.append(.paragraph(lines.joined(separator: " ")))
      }
    }
    return blocks
  }
}

/// What is around the command: variables of the environment and files.
enum Surroundings {
  static let variables: [(name: String, purpose: String)] = [
    ("NO_COLOR", "No colours, where --color does not say otherwise."),
    ("PAGER", "What shows results that are taller than the screen; less if not set, and cat is none. See .pager."),
    ("TERM", "A terminal that is dumb gets neither colours nor completion of lines."),
    ("XDG_CONFIG_HOME", "The folder of settings, ~/.config if not set."),
    ("XDG_STATE_HOME", "The folder of the history, ~/.local/state if not set."),
  ]

  static let files: [(name: String, purpose: String)] = [
    (
      "~/.config/objquery/rc, else ~/.objqueryrc",
      "Commands and statements that run before the first prompt; see --rc."
    ),
    ("~/.local/state/objquery/history", "The statements that were typed."),
    ("STORE/data.mdb, STORE/lock.mdb", "A store: its objects, and who reads and writes it just now."),
  ]
}
