import ArgumentParser
import ObjectStoreCore

/// `objquery backup STORE FOLDER`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "backup", abstract: "Write a copy of a store as it is now, without its free pages.",
    usage: "[--overwrite] [--no-verify] STORE FOLDER",
    discussion: """
      Others go on reading and writing meanwhile. The folder is there when the copy is whole and was checked; a copy of a \
      damaged store is not kept, and an older one not replaced by it.
      """,
    examples: [
      "backup quakes /backups/quakes-monday",
      "backup --overwrite quakes /backups/quakes",
    ],
    failure: "there is no new copy")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The copy, a folder that is not there or empty.", completion: .directory)
  var folder: String

  @Flag(help: "Replace an older copy, in one step.")
  var overwrite = false

  @Flag(inversion: .prefixedNo, help: "Check the copy, which takes more than half of the time.")
  var verify = true

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    try told.console.stoppable { cancellation in
      try StoreOpener.open(store, mode: .readOnly).backUp(
        to: folder, overwrite: overwrite, verify: verify, cancellation)
    }
  }
}

extension Store {
  /// Writes a copy; when it is interrupted, the message says that there is no copy.
  func backUp(to folder: String, overwrite: Bool, verify: Bool, _ cancellation: Cancellation?) throws {
    try Interrupted.telling(overwrite ? "there is no new copy at \(folder)" : "there is no copy at \(folder)") {
      try backup(to: folder, overwrite: overwrite, verify: verify, cancellation: cancellation)
    }
  }
}
