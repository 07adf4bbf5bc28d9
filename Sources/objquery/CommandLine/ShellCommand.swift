import ArgumentParser

/// The command without a subcommand: statements from its words, from files, from standard input, or typed.
struct ShellCommand: ParsableCommand {
  private static let subcommands: [any ParsableCommand.Type] = [
    ImportCommand.self, ExportCommand.self, DescribeCommand.self, AdviseCommand.self, WatchCommand.self,
    ServeCommand.self, CheckCommand.self, StatsCommand.self, BackupCommand.self, CompactCommand.self,
    SalvageCommand.self,
    ReindexCommand.self, SchemaCommand.self, MigrateCommand.self, DropCommand.self,
  ]

  static let configuration = CommandConfiguration(
    commandName: "objquery",
    abstract: "Ask an object store.",
    usage: (["objquery [OPTIONS] [STORE] [STATEMENT ...]"] + subcommands.compactMap { $0.configuration.usage })
      .joined(separator: "\n"),
    discussion: """
      Without STORE the store is one in memory; a file of CSV, JSON or GeoJSON is opened there, too. Without statements \
      and on a terminal, statements are typed; without a terminal they are read from standard input.

        objquery import quakes all_week.geojson Quake --key id --index mag,time --date time:ms
        objquery quakes "Quake WHERE mag > 5 SORT BY time DESC SELECT time, mag, place"
        objquery airports.csv "COUNT airports WHERE state == 'CA'"
        objquery quakes --csv -p min=5 -c 'Quake WHERE mag > $min' > strong.csv

      \(ExitStatus.help(failure: ExitStatus.failed.meaning))
      """,
    version: version,
    subcommands: subcommands)

  @Argument(help: "The store, a folder.", completion: .file())
  var store: String?

  @Argument(help: "Statements to run.", completion: StoreWords.entity)
  var statements: [String] = []

  @OptionGroup(title: "What to run")
  var scripts: ScriptOptions

  @OptionGroup(title: "How to run it")
  var running: RunOptions

  @OptionGroup(title: "How to show it")
  var looks: DisplayOptions

  @OptionGroup(title: "The store")
  var access: AccessOptions

  @OptionGroup(title: "Limits")
  var limiting: LimitOptions

  @OptionGroup(title: "Documentation")
  var documentation: DocumentationOptions

  mutating func run() throws {
    if let form = documentation.generateManual { return try Output().result { try $0.write(Manual().text(form)) } }
    try request().run()
  }

  /// The request that the arguments make.
  func request() throws -> ShellRequest {
    ShellRequest(
      store: store, pieces: scripts.inOrder(statements: statements), parameters: try scripts.parameters(),
      mode: looks.chosenMode, explaining: looks.analyze ? .analyze : looks.explain ? .on : .off,
      showsTime: looks.timer, echoes: looks.echo, limit: looks.limit,
      maxRows: looks.maxRows ?? OutputStyle.maxRows, console: looks.console, creates: access.create,
      isReadOnly: access.readonly, isSafe: access.safe, answersYes: access.yes,
      allowsBadRows: access.allowErrors, bails: running.bail, readsStartFile: running.rc, isStrict: running.strict,
      timeout: access.timeout, limits: limiting.limits)
  }
}
