import ArgumentParser
import ObjectStoreCore

/// `objquery reindex STORE [NAME…]`
struct ReindexCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "reindex", abstract: "Build indexes of a store anew from its objects.",
    usage: "STORE [ENTITY.INDEX ...]",
    discussion: """
      Without names, the store is checked first, and the damaged indexes are built anew; if none is damaged, there is \
      nothing to do, which is no failure. An index is named by its entity \
      and its properties, as .indexes shows them; the inverse of a link by the link.
      """,
    examples: [
      "reindex quakes",
      "reindex quakes Quake.mag Quake.net+time",
    ],
    failure: "an index could not be built, and none was changed")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The indexes.", completion: StoreWords.index)
  var names: [String] = []

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let open = try StoreOpener.open(store, mode: .readWrite, cancellation: cancellation)
      try open.reindex(names, console, cancellation)
    }
  }
}

extension Store {
  /// Builds indexes anew, and says which.
  func reindex(_ names: [String], _ console: Console, _ cancellation: Cancellation?) throws {
    try Interrupted.telling("no index was changed") {
      let report = names.isEmpty ? try check(cancellation: cancellation) : nil
      let built = try reindex(names, cancellation: cancellation)
      for part in built { console.note("built \(part)") }
      if built.isEmpty { console.note("no index is damaged") }
      if let report, report.hasOtherDamage {
        console.note(
          "something else is damaged: objquery check says what, objquery salvage saves what is left of the objects")
      }
    }
  }
}
