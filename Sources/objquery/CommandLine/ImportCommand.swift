import ArgumentParser
import ObjectStoreCore

/// `objquery import STORE FILE ENTITY`
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "import", abstract: "Bring objects into a store from JSON, JSON lines, CSV, TSV or GeoJSON.",
    usage: "[OPTIONS] STORE FILE ... ENTITY",
    discussion: """
      The store is made when it is not there. For a new entity the types of its properties are found from the data and \
      shown; --schema gives them instead. Bad rows are counted and named, all others are kept; then the exit status is \
      1, or 0 with --allow-errors.

      A name in the data fills the property of this name, or of the name that it would have as a property: 'root mean \
      square' is rootMeanSquare. If several names fill one property, each row takes the value of one: that which --map \
      names, else the property's own. A row with two values of which none comes before the other is a bad row.

      What the store has and the schema text lacks stays: 'objquery drop' removes it. To add an index to objects that are \
      stored already, import a file without rows, as in the last example.

      Ctrl-C ends it and says what is stored; what was committed by then, up to 100,000 objects at a time, stays. So does \
      --timeout. There is no limit of rows, since every row of the file is read, and none of memory, which does not grow \
      with their number: it is that of 100,000 objects, and about 9 times the size of the largest text. --limit-value \
      bounds that, --limit-columns and --limit-elements the rest.
      """,
    examples: [
      "import quakes all_week.geojson Quake --key id --index mag,time --date time:ms",
      "import airports airports.csv Airport --key iata",
      "import copy dumped",
      "import quakes /dev/null Quake --jsonl --index folded:place,net+time",
    ],
    failure: "rows were left out, or nothing was imported", hasTimeout: true)

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @OptionGroup
  var what: ImportArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop when it takes longer; what was committed by then stays.", valueName: "ms"))
  var timeout: Int?

  @OptionGroup(title: "Limits")
  var limiting: LimitOptions

  @OptionGroup
  var told: ToldOptions

  func validate() throws {
    try what.check()
    if let timeout, timeout <= 0 { throw ValidationError("--timeout must be positive") }
    if limiting.limitRows != nil {
      throw ValidationError("--limit-rows limits queries; an import reads every row of its file")
    }
    if limiting.limitMemory != nil {
      throw ValidationError("--limit-memory limits queries; an import needs about 9 times the size of its largest text")
    }
  }

  mutating func run() throws {
    try told.console.stoppable(after: timeout) { cancellation in
      let summary = try what.run(
        into: .path(store, limiting.limits), console: told.console,
        interruption: Interruption(cancellation: cancellation))
      if let failure = summary.failure { throw failure }
    }
  }
}

/// `objquery check STORE`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "check", abstract: "Read every object and every index of a store and compare them.",
    usage: "STORE",
    discussion: """
      Nothing is changed, and others may go on reading and writing. What is damaged is named; objquery reindex builds \
      damaged indexes anew, objquery salvage saves what is left of the objects.
      """,
    examples: [
      "check quakes",
      "check --quiet quakes || mail -s 'quakes is damaged' admin < /dev/null",
    ],
    failure: "the store is damaged")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let report = try StoreOpener.open(store, mode: .readOnly).check(cancellation: cancellation)
      let output = Output()
      if !console.isQuiet || !report.isWhole { try output.result { try $0.write(report.text + "\n") } }
      if !report.isWhole {
        var help: [String] = []
        if !report.damagedIndexes.isEmpty { help.append("objquery reindex builds damaged indexes anew") }
        if report.hasOtherDamage { help.append("objquery salvage saves what is left of the objects") }
        throw CommandFailure(
          description: "\(store) is damaged; \(help.joined(separator: ", "))", code: "damaged")
      }
    }
  }
}

/// `objquery schema STORE [ENTITY]`
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "schema", abstract: "Show what a store's objects look like, as the Swift that declares them.",
    usage: "[--swift|--json|--diff FILE] STORE [ENTITY]",
    discussion: """
      The text is what a program needs to open the store with its models, what --schema of objquery import reads, and what \
      objquery migrate takes back after a change.
      """,
    examples: [
      "schema quakes > quakes.swift",
      "schema --json quakes Quake",
      "schema --diff quakes.swift quakes",
    ],
    failure: "there is no such entity, or the file is no schema")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "Only this entity, with the structs embedded in it.", completion: StoreWords.entity)
  var entity: String?

  @Flag(help: "As Swift, which is the default.")
  var swift = false

  @Flag(help: "As JSON.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "What 'objquery migrate' would change to give the store the schema of this file.", valueName: "file"),
    completion: .file())
  var diff: String?

  @OptionGroup
  var told: ToldOptions

  func validate() throws {
    if swift, json { throw ValidationError("--swift and --json contradict each other") }
    if diff != nil, swift || json || entity != nil {
      throw ValidationError("--diff is about the whole schema, and has one form")
    }
  }

  mutating func run() throws {
    let console = told.console
    if let diff {
      return try console.stoppable { cancellation in
        try Session.reading(store, console) { session in
          try session.print(session.store.difference(toFile: diff, console, cancellation))
        }
      }
    }
    Interrupts.shared.listen(.leaving)
    try console.leaving {
      try Session.reading(store, console) { session in
        try session.print(session.schemaText(of: entity, asJSON: json))
      }
    }
  }
}

/// How a subcommand writes its messages.
struct ToldOptions: ParsableArguments {
  @Flag(help: "Say nothing but results and errors.")
  var quiet = false

  @Option(help: "When to colour: auto, always or never. NO_COLOR is heeded.")
  var color = ColorChoice.auto

  @Option(help: "How errors are shown: text or json.")
  var errorFormat = Console.ErrorFormat.text

  var console: Console { Console(isQuiet: quiet, errorFormat: errorFormat, color: color.usesColor) }
}

extension Console {
  /// Runs `body`; an error is reported and becomes the exit status.
  func leaving(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch is OutputClosed {
      return
    } catch {
      report(error)
      throw ExitCode(((error as? CommandFailure)?.status ?? .failed).rawValue)
    }
  }

  /// Runs `body`, which Ctrl-C cancels, and a time limit in milliseconds if there is one, so that it can clean up and
  /// report its progress; an error is reported and becomes the exit status.
  func stoppable(after limit: Int? = nil, _ body: (Cancellation) throws -> Void) throws {
    Interrupts.shared.listen(.leaving)
    let cancellation = cancellation(after: limit.map { .milliseconds($0) })
    try leaving {
      do {
        try Interrupts.shared.stopping(by: cancellation) { try body(cancellation) }
      } catch let error where Interrupted.isMeant(by: error) {
        let stop = error as? Interrupted ?? Interrupted()
        if let limit, !Interrupts.shared.wasInterrupted {
          throw CommandFailure(
            description: stop.told(as: "stopped after \(limit) ms"), status: .timeout, code: "timeout")
        }
        throw CommandFailure(
          description: stop.told(as: "interrupted"), status: .interrupted, code: "interrupted")
      }
    }
  }
}
