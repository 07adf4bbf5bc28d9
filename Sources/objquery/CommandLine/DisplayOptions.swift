import ArgumentParser
import Glibc

/// How results, errors and plans are shown.
struct DisplayOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: "How results are shown: box on a terminal, jsonl otherwise. --csv is the same as --mode csv, and so on.")
  var mode: OutputMode?

  @Flag(help: "The same as --mode with the name.")
  var shorthand: OutputMode?

  @Flag(help: "Show the plan of each query instead of its results.")
  var explain = false

  @Flag(help: "Run each query and show its plan with figures.")
  var analyze = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show at most this many objects of each statement.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show at most this many rows of a result on a terminal, 0 for all; \(OutputStyle.maxRows) if not given.",
      valueName: "n"))
  var maxRows: Int?

  @Flag(help: "Say how long each statement took.")
  var timer = false

  @Option(help: "When to colour: auto, always or never. NO_COLOR is heeded.")
  var color = ColorChoice.auto

  @Flag(help: "Show each statement before its results, with the comments above it.")
  var echo = false

  @Flag(help: "Say nothing but results and errors.")
  var quiet = false

  @Option(help: "How errors are shown: text or json.")
  var errorFormat = Console.ErrorFormat.text

  mutating func validate() throws {
    _ = try OutputMode.chosen(mode, shorthand)
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    if let maxRows, maxRows < 0 { throw ValidationError("--max-rows must not be negative") }
  }

  /// The requested mode, if any.
  var chosenMode: OutputMode? { mode ?? shorthand }

  var console: Console { Console(isQuiet: quiet, errorFormat: errorFormat, color: color.usesColor) }
}

/// When to colour.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// Whether messages are coloured.
  var usesColor: Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      StandardError.isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
        && getenv("TERM").map { String(cString: $0) } != "dumb"
    }
  }
}

extension OutputMode: ExpressibleByArgument {}

extension OutputMode: EnumerableFlag {
  static func help(for value: OutputMode) -> ArgumentHelp? { .hidden }
}

extension Console.ErrorFormat: ExpressibleByArgument {}
