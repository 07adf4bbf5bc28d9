import ArgumentParser
import ObjectStoreCore
internal import Schema

/// `objquery migrate STORE --schema FILE`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "migrate", abstract: "Give a store the schema of a file.",
    usage: "[--yes] STORE --schema FILE",
    discussion: """
      The file is schema text, as 'objquery schema' prints it: the whole schema. What it has and the store lacks is \
      added, types are converted, and what it lacks is removed with its values. A property is renamed with \
      @Attribute(originalName: "mag"), an entity with @Model(originalName: "Quake"). What changes is shown first, and asked \
      for; where nobody can be asked, --yes has to say it. All of it happens, or nothing.
      """,
    examples: [
      "schema quakes > quakes.swift",
      "migrate quakes --schema quakes.swift",
    ],
    failure: "nothing was changed")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Option(help: ArgumentHelp("The schema text.", valueName: "file"), completion: .file())
  var schema: String

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let open = try StoreOpener.open(store, mode: .readWrite, cancellation: cancellation)
      try open.migrate(toFile: schema, withoutAsking: yes, console, cancellation)
    }
  }
}

extension Store {
  /// Gives the store the schema of a file, after showing what changes and asking for confirmation.
  func migrate(
    toFile file: String, withoutAsking: Bool, _ console: Console, _ cancellation: Cancellation?
  ) throws {
    let schema = try SchemaFile.read(file)
    let preview = try Interrupted.telling("nothing was changed") {
      try migrationPreview(to: schema, cancellation: cancellation)
    }
    let isWanted = try Interrupted.telling("nothing was changed") {
      try suggestRenames(to: schema, console)
      return try preview.confirm(withoutAsking: withoutAsking, console, cancellation) { changes in
        CommandFailure(
          description: "this would change the schema: \(changes): call the command with --yes",
          code: DiagnosticCode.needsYes.name)
      }
    }
    guard isWanted else { return }
    try Interrupted.telling("nothing was changed") {
      _ = try migrate(to: schema, as: preview, cancellation: cancellation)
    }
  }

  /// What migrating to the schema of a file would change, a line each. Reasons for a refusal are warnings.
  func difference(toFile file: String, _ console: Console, _ cancellation: Cancellation?) throws -> String {
    let schema = try SchemaFile.read(file)
    let preview = try migrationPreview(to: schema, cancellation: cancellation)
    try suggestRenames(to: schema, console)
    for problem in preview.problems { console.warn(problem, code: "migration-needed") }
    if preview.isEmpty { console.note("nothing changes") }
    return preview.changes.map { Screen.harmless($0.line) }.joined(separator: "\n")
  }

  /// Names the properties and entities that go while one that may be the same under another name comes.
  private func suggestRenames(to schema: Schema, _ console: Console) throws {
    let union = SchemaUnion(of: schema, into: try self.schema)
    func suggest(_ former: String, _ new: [String], _ attribute: String) {
      console.note(
        "note: \(former) goes and \(new.joined(separator: " and ")) comes: if it was renamed, declare \(attribute), and what is "
          + "stored stays")
    }
    for rename in union.probableEntityRenames {
      suggest(rename.former, rename.newNames, "@Model(originalName: \"\(rename.former)\")")
    }
    for rename in union.probableRenames {
      suggest(
        rename.formerPaths.first ?? rename.former.property, rename.newPaths,
        "@Attribute(originalName: \"\(rename.former.property)\")")
    }
  }
}
