@testable import QueryEngine

extension PlannerOptions {
  /// What the queries of all tests left and how many objects ranges had, in the store that was asked last.
  static let commonSamples = SelectivityCache()

  /// As a store plans a query to run it: with what was found out for others.
  static func remembering(_ samples: SelectivityCache = commonSamples) -> PlannerOptions {
    var options = PlannerOptions()
    options.namesRejected = false
    options.samples = samples
    return options
  }
}
