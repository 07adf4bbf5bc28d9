import ArgumentParser

/// The command without a subcommand: statements from its words, from files, from standard input, or typed.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "objquery",
    abstract: "Ask an object store.",
    usage: """
      objquery [OPTIONS] [STORE] [STATEMENT ...]
      objquery import [OPTIONS] STORE FILE ... ENTITY
      objquery export [--MODE] STORE FILE [STATEMENT]
      objquery describe STORE [ENTITY]
      objquery watch [--MODE] STORE STATEMENT
      objquery check STORE
      objquery backup STORE FOLDER
      objquery compact [--timeout MS] STORE
      objquery salvage STORE NEW
      objquery reindex STORE [ENTITY.INDEX ...]
      objquery schema STORE [ENTITY]
      objquery migrate [--yes] STORE --schema FILE
      objquery drop [--yes] STORE NAME ...
      """,
    discussion: """
      Without STORE the store is one in memory; a file of CSV, JSON or GeoJSON is opened there, too. Without statements and on a terminal, statements are typed; without a \
      terminal they are read from standard input.

        objquery import quakes all_week.geojson Quake --key id --index mag,time --date time:ms
        objquery quakes "Quake WHERE mag > 5 SORT BY time DESC SELECT time, mag, place"
        objquery airports.csv "COUNT airports WHERE state == 'CA'"
        objquery quakes --csv -p min=5 -c 'Quake WHERE mag > $min' > strong.csv

      Exit status: 0 all done, 1 a statement failed, 2 the store could not be opened, 64 wrong usage, 124 timeout, \
      130 interrupted.
      """,
    version: version,
    subcommands: [
      ImportCommand.self, ExportCommand.self, DescribeCommand.self, CheckCommand.self, SchemaCommand.self,
      BackupCommand.self, CompactCommand.self, SalvageCommand.self, ReindexCommand.self, MigrateCommand.self,
      DropCommand.self, WatchCommand.self,
    ])

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String?

  @Argument(help: "Statements to run.")
  var statements: [String] = []

  @OptionGroup(title: "What to run")
  var scripts: ScriptOptions

  @OptionGroup(title: "How to show it")
  var looks: DisplayOptions

  @OptionGroup(title: "The store")
  var access: AccessOptions

  @OptionGroup(title: "Limits")
  var limiting: LimitOptions

  mutating func run() throws { try request().run() }

  /// The request that the arguments make.
  func request() throws -> ShellRequest {
    ShellRequest(
      store: store, pieces: scripts.inOrder(statements: statements), parameters: try scripts.parameters(),
      mode: looks.chosenMode, explaining: looks.analyze ? .analyze : looks.explain ? .on : .off,
      showsTime: looks.timer, echoes: looks.echo, limit: looks.limit,
      maxRows: looks.maxRows ?? OutputStyle.maxRows, console: looks.console, creates: access.create,
      isReadOnly: access.readonly, isSafe: access.safe, answersYes: access.yes,
      allowsBadRows: access.allowErrors, bails: access.bail,
      readsStartFile: scripts.rc, isStrict: scripts.strict,
      timeout: access.timeout, limits: limiting.limits)
  }
}
