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
    let console = told.console
    Interrupts.shared.listen(.leaving)
    try console.leaving { try Opening.open(store, mode: .readOnly).backup(to: folder) }
  }
}
