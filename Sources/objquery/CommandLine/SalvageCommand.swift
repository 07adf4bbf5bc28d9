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
    failure: "something is lost, or the last changes may be", unopened: "there is no new store")

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
      } catch let error as StoreError where error != .cancelled {
        throw CommandFailure(description: Self.message(of: error), status: .unopened, code: "store-not-saved")
      }
      let output = Output()
      if !console.isQuiet || !report.losses.isEmpty || !report.notes.isEmpty {
        do {
          try output.result { try $0.write(report.text(namesLosses: !console.isQuiet) + "\n") }
        } catch is OutputClosed where !report.isWhole {}
      }
      if !report.isWhole { throw CommandFailure(description: report.failure(store), code: "damaged") }
    }
  }

  /// Why nothing could be saved. What is said of a damaged store elsewhere is to salvage it.
  private static func message(of error: StoreError) -> String {
    guard case .corrupted(let location) = error else { return Console.message(of: error) }
    return "the store is damaged: \(location); without it nothing can be saved: restore a copy"
  }
}

extension SalvageReport {
  /// Why the new store is not all of the damaged one.
  func failure(_ store: String) -> String {
    losses.isEmpty
      ? "the last changes of \(store) may be missing: see the notes" : "not all of \(store) could be saved"
  }

  /// The number of objects saved of each entity, then notes, then everything lost or only how much.
  func text(namesLosses: Bool) -> String {
    var lines = entities.map { entity in
      let of = entity.counted.flatMap { $0 > entity.saved ? " of \(grouped($0))" : nil } ?? ""
      return of.isEmpty
        ? "\(entity.name): \(counted(entity.saved, "object")) saved"
        : "\(entity.name): \(grouped(entity.saved))\(of) objects saved"
    }
    lines += notes.map { "note: \($0)" }
    if namesLosses {
      lines += losses.map { "lost: \($0)" }
    } else if !losses.isEmpty {
      lines.append("lost: \(counted(losses.count, "part")), named without --quiet")
    }
    return lines.joined(separator: "\n")
  }
}
