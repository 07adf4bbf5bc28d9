import Foundation
import Testing

/// The strong earthquakes of 1965 to 2016, from CSV.
@Suite struct HalfACenturyTests {
  static let table = Command.data("earthquakes-1965-2016.csv")

  private func imported(into store: String) throws -> Command.Outcome {
    try Command.run(["import", store, try #require(Self.table), "Event", "--index", "Magnitude"])
  }

  @Test(.enabled(if: table != nil, "SKIPPED: earthquakes-1965-2016.csv is not here"))
  func answersAreRight() throws {
    let scratch = try Scratch()
    let store = scratch.path("events")
    let summary = try imported(into: store)
    #expect(summary.status == 0, "\(summary.errors)")
    #expect(summary.errors.contains("Date") && summary.errors.contains("1975-02-23T02:58:41.000Z"))

    for (statement, answer) in [
      ("COUNT Event", "23412"), ("COUNT Event WHERE Magnitude >= 8", "40"),
      ("COUNT Event WHERE Magnitude >= 8 AND Latitude > 0", "16"),
      ("COUNT Event WHERE Date ENDSWITH '2011'", "712"),
    ] {
      #expect(try Command.run([store, "-c", statement]).output == answer + "\n", "\(statement)")
    }
  }

  @Test(.enabled(if: table != nil, "SKIPPED: earthquakes-1965-2016.csv is not here"))
  func theIndexIsUsedAndTheScanRejected() throws {
    let scratch = try Scratch()
    let store = scratch.path("events")
    #expect(try imported(into: store).status == 0)
    let plan = try Command.run([store, "-c", "EXPLAIN Event WHERE Magnitude >= 8 AND Latitude > 0"]).output
    let lines = plan.split(separator: "\n")
    let filter = try #require(lines.firstIndex { $0.contains("Filter") && $0.contains("Latitude > 0") }, "\(plan)")
    let range = try #require(lines.firstIndex { $0.contains("IndexRange") && $0.contains("Magnitude") }, "\(plan)")
    #expect(filter < range)
    #expect(plan.contains("[8"))
    #expect(plan.contains("rejected") && plan.lowercased().contains("scan") && plan.contains("cost"))
  }

  /// Killed at any moment of an import, a store is whole: it opens, its check passes, and it goes on working.
  @Test(.enabled(if: table != nil, "SKIPPED: earthquakes-1965-2016.csv is not here"), arguments: [5, 40, 90, 150, 250])
  func aKilledImportLeavesAWholeStore(milliseconds: Int) throws {
    let scratch = try Scratch()
    let store = scratch.path("events")
    let binary = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      .deletingLastPathComponent().appendingPathComponent("objquery").path
    let script = """
      "$0" import --quiet "$1" "$2" Event --index Magnitude & sleep \(Double(milliseconds) / 1000); kill -9 $!; wait
      """
    _ = try Command.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, binary, store, try #require(Self.table)])
    guard FileManager.default.fileExists(atPath: store) else { return }  // killed before there was a store
    let check = try Command.run(["check", store])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(try imported(into: store).status == 0)
    #expect(try Command.run(["check", store]).status == 0)
  }
}
