import ArgumentParser
import ObjectStoreCore

/// `objquery backup STORE FOLDER`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a copy of a store, of this moment and without free room.",
    usage: "objquery backup STORE FOLDER",
    discussion: "Others go on reading and writing meanwhile. The folder is there when the copy is whole.")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The copy, a folder that is not there or empty.", completion: .directory)
  var folder: String

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    try told.console.stoppable { cancellation in
      try StoreOpener.open(store, mode: .readOnly).backUp(to: folder, cancellation)
    }
  }
}

extension Store {
  /// Writes a copy; when it is interrupted, the message says that there is no copy.
  func backUp(to folder: String, _ cancellation: Cancellation?) throws {
    try Interrupted.telling("there is no copy at \(folder)") { try backup(to: folder, cancellation: cancellation) }
  }
}
