import ArgumentParser
import ObjectStoreCore

/// `objquery compact STORE`
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "compact", abstract: "Make the file of a store as small as its objects allow.",
    usage: "[--timeout MS] STORE",
    discussion: """
      The store is checked, and copied beside itself without free room; then the copy takes its place. Others go on \
      reading; writers wait, and go on in the new file. Ctrl-C leaves the store as it was.
      """,
    examples: [
      "compact quakes",
      "compact --timeout 60000 quakes",
    ],
    failure: "the store is as it was", hasTimeout: true)

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop when it takes longer, and leave the store as it was.", valueName: "ms"))
  var timeout: Int?

  @OptionGroup
  var told: ToldOptions

  mutating func validate() throws {
    if let timeout, timeout <= 0 { throw ValidationError("--timeout must be positive") }
  }

  mutating func run() throws {
    let console = told.console
    try console.stoppable(after: timeout) { cancellation in
      let text = try StoreOpener.open(store, mode: .readWrite, cancellation: cancellation).compacted(cancellation)
      if !console.isQuiet { try Output().result { try $0.write(text + "\n") } }
    }
  }
}

extension Store {
  /// Compacts it and says the sizes; when it is interrupted, the message says that the store is as it was.
  func compacted(_ cancellation: Cancellation?) throws -> String {
    let sizes = try Interrupted.telling("the store is as it was") { try compact(cancellation: cancellation) }
    return "\(byteCount(sizes.bytesBefore)) before, \(byteCount(sizes.bytesAfter)) after"
  }
}
