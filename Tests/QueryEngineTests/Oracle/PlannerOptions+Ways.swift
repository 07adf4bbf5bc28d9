import Storage

@testable import QueryEngine

extension PlannerOptions {
  /// Every way to evaluate expressions, each cluster by cluster from the tree, and from the table on one, two and three
  /// threads.
  static func everyWay(links: LinkAccess = .cheapest) -> [PlannerOptions] {
    let scans: [(TableAccess, ScanThreads)] = [
      (.never, .one), (.always, .one), (.always, .always(2)), (.always, .always(3)),
    ]
    return ExpressionAccess.allCases.flatMap { evaluation in
      scans.map { tables, threads in
        var options = PlannerOptions(links: links, evaluation: evaluation)
        options.tables = tables
        options.threads = threads
        return options
      }
    }
  }

  /// What it tells of an answer that was found so.
  var way: String { "evaluation \(evaluation), links \(links), tables \(tables), threads \(threads)" }
}
