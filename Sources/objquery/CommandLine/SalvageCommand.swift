import ArgumentParser
import ObjectStoreCore

/// `objquery salvage STORE NEW`
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "salvage", abstract: "Write what can be read of a damaged store to a new one.",
    usage: "STORE NEW",
    discussion: """
      Saved is every intact object, and of the others every intact property; what is not is named, by entity, object \
      number, property and page. The damaged store is not changed, and need not be one that can be opened.
      """,
    examples: [
      "salvage quakes saved"
    ],
    failure: "something is lost, or the last changes may be")

  @Argument(help: "The damaged store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The new store, a folder that is not there or empty.", completion: .directory)
  var new: String

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let report: SalvageReport
      do {
        report = try Interrupted.telling("there is no store at \(new)") {
          try Store.salvage(store, to: new, cancellation: cancellation)
        }
      } catch let error as StoreError where error.isAboutOpening {
        throw CommandFailure(description: Console.message(of: error), status: .unopened, code: "store-not-opened")
      }
      let output = Output()
      if !console.isQuiet || !report.losses.isEmpty || !report.notes.isEmpty {
        try output.result { try $0.write(report.text + "\n") }
      }
      if !report.isWhole { throw CommandFailure(description: report.failure(store), code: "damaged") }
    }
  }
}

extension StoreError {
  /// Whether the damaged store could not be read at all.
  fileprivate var isAboutOpening: Bool {
    switch self {
    case .notFound, .notAStore, .corrupted, .permissionDenied, .newerFormat, .unknownFeature: true
    case .busy, .cancelled, .full, .readOnly, .locksApart, .constraintViolated, .deleteDenied, .danglingLink,
      .migrationNeeded, .unknownEntity, .unknownProperty, .wrongType, .unreadableValue, .missingValue,
      .unseenProperties, .unknownObject, .readersFull, .forked, .nestedWrite, .finished, .closed, .alreadyStored,
      .notStored, .changedSince, .modelNotOpened, .io, .limitExceeded, .unsupported:
      false
    }
  }
}

extension SalvageReport {
  /// Why the new store is not all of the damaged one.
  func failure(_ store: String) -> String {
    losses.isEmpty
      ? "the last changes of \(store) may be missing: see the notes" : "not all of \(store) could be saved"
  }

  /// The number of objects saved of each entity, then notes, then everything lost.
  var text: String {
    var lines = entities.map { entity in
      let of = entity.counted.flatMap { $0 > entity.saved ? " of \(grouped($0))" : nil } ?? ""
      return of.isEmpty
        ? "\(entity.name): \(counted(entity.saved, "object")) saved"
        : "\(entity.name): \(grouped(entity.saved))\(of) objects saved"
    }
    lines += notes.map { "note: \($0)" }
    lines += losses.map { "lost: \($0)" }
    return lines.joined(separator: "\n")
  }
}
