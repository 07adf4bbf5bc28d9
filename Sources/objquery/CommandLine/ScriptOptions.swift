import ArgumentParser
import ObjectStoreCore
import Synchronization

/// The statements to run, and the values for their placeholders.
struct ScriptOptions: ParsableArguments {
  @Option(
    name: [.short, .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run this statement, then exit. May be repeated, in any mix with --file.", valueName: "stmt"),
    completion: StoreWords.entity)
  var command: [Ordered] = []

  @Option(
    name: [.short, .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run the statements of this file, - for standard input, then exit.", valueName: "file"),
    completion: .file())
  var file: [Ordered] = []

  @Option(
    name: [.customShort("p"), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A value for $name: name=value, or name:type=value with int double decimal bool string date uuid data json.",
      valueName: "param"))
  var param: [String] = []

  // A value may begin with a dash, as -5 does, and a statement with a comment.
  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A value for the next %@, or $0, $1 …", valueName: "value"))
  var arguments: [String] = []

  /// A word with its position among all words, so that -c and -f run in the given order.
  struct Ordered: ExpressibleByArgument {
    let text: String
    let place: Int

    init(argument: String) {
      text = argument
      place = Self.places.wrappingAdd(1, ordering: .relaxed).newValue
    }

    private static let places = Atomic<Int>(0)
  }

  /// Something to run.
  enum Piece: Equatable { case text(String), file(String) }

  /// Everything to run, in the given order; the words after the store come last.
  func inOrder(statements: [String]) -> [Piece] {
    let marked = command.map { ($0.place, Piece.text($0.text)) } + file.map { ($0.place, Piece.file($0.text)) }
    return marked.sorted { $0.0 < $1.0 }.map(\.1) + statements.map { .text($0) }
  }

  /// The values for placeholders.
  func parameters() throws -> Parameters {
    var parameters = Parameters()
    for definition in param { try parameters.add(definition) }
    parameters.positional = arguments.map { Parameter(text: $0) }
    return parameters
  }

  mutating func validate() throws {
    do {
      _ = try parameters()
    } catch let failure as CommandFailure {
      throw ValidationError(failure.description)
    }
  }
}

/// When a run of statements ends, and what is done where they are typed.
struct RunOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Stop at the first failing statement (default, except interactively).")
  var bail: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Run ~/.config/objquery/rc or ~/.objqueryrc first (default only where statements are typed).")
  var rc: Bool?

  @Flag(help: "Refuse typed statements of SQL with a fix, as in scripts, instead of reading them.")
  var strict = false
}
