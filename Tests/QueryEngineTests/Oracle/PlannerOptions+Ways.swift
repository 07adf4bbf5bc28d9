import Storage

@testable import QueryEngine

extension PlannerOptions {
  /// Every way to evaluate expressions, each on one, two and three threads.
  static func everyWay(links: LinkAccess = .cheapest) -> [PlannerOptions] {
    ExpressionAccess.allCases.flatMap { evaluation in
      [ScanThreads.one, .always(2), .always(3)].map { threads in
        var options = PlannerOptions(links: links, evaluation: evaluation)
        options.threads = threads
        return options
      }
    }
  }

  /// What it tells of an answer that was found so.
  var way: String { "evaluation \(evaluation), links \(links), threads \(threads)" }
}
