import Storage

@testable import QueryEngine

extension PlannerOptions {
  /// Where a scan has its clusters from, and on how many threads it runs.
  struct Scan {
    var tables: TableAccess
    var threads: ScanThreads

    /// Each cluster by cluster from the tree, and from the table on one, two and three threads.
    static let forced = [
      Scan(tables: .never, threads: .one), Scan(tables: .always, threads: .one),
      Scan(tables: .always, threads: .always(2)), Scan(tables: .always, threads: .always(3)),
    ]
    /// From the table, on as many threads as the engine chooses.
    static let chosen = Scan(tables: .always, threads: .automatic)
  }

  /// Every way to evaluate expressions, each with scans of every kind.
  static func everyWay(links: LinkAccess = .cheapest, scans: [Scan] = Scan.forced) -> [PlannerOptions] {
    ExpressionAccess.allCases.flatMap { evaluation in
      scans.map { scan in
        var options = PlannerOptions(links: links, evaluation: evaluation)
        options.tables = scan.tables
        options.threads = scan.threads
        return options
      }
    }
  }

  /// What it tells of an answer that was found so.
  var way: String { "evaluation \(evaluation), links \(links), tables \(tables), threads \(threads)" }
}
