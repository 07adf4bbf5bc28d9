internal import Storage

/// The result of `Store.check()`: the number of items checked, and all problems found.
///
/// A report does not repair anything.
public struct CheckReport: Hashable, Sendable {
  /// The number of entities checked.
  public var entities: Int
  /// The number of objects checked.
  public var objects: Int
  /// The number of indexes checked, each compared with the objects in both directions.
  public var indexes: Int
  /// One sentence for each problem, naming the place; empty when the store is intact.
  public var problems: [String]
  /// The damaged indexes, and inverses of links, as `Store.reindex` takes their names: `Town.size`.
  public var damagedIndexes: [String]
  /// Whether anything but indexes is damaged, which `Store.reindex` does not mend.
  public var hasOtherDamage: Bool

  /// A report of the given figures.
  public init(
    entities: Int, objects: Int, indexes: Int, problems: [String], damagedIndexes: [String] = [],
    hasOtherDamage: Bool = false
  ) {
    self.entities = entities
    self.objects = objects
    self.indexes = indexes
    self.problems = problems
    self.damagedIndexes = damagedIndexes
    self.hasOtherDamage = hasOtherDamage
  }

  /// Whether no problems were found.
  public var isWhole: Bool { problems.isEmpty }
}

extension Store {
  /// Reads every object and every index of one version and compares them in both directions.
  ///
  /// ```swift
  /// let report = try store.check()
  /// if !report.isWhole { print(report) }
  /// ```
  ///
  /// Takes time in proportion to the size of the store. It changes nothing and does not block writers.
  ///
  /// - Parameter cancellation: Cancels the check.
  /// - Returns: The number of items checked and the problems; damage is reported here and does not throw.
  /// - Throws: `StoreError` when the store can't be read at all; `cancelled`.
  public func check(cancellation: Cancellation? = nil) throws -> CheckReport {
    let report = try file.check(wait: cancellation.wait)
    return CheckReport(
      entities: report.entities, objects: report.objects, indexes: report.indexes, problems: report.problems,
      damagedIndexes: report.damagedIndexes, hasOtherDamage: report.hasOtherDamage)
  }
}
