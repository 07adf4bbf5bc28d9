internal import Storage

/// What `Store.check()` found: what was looked at, and everything wrong with it.
///
/// A report does not repair anything.
public struct CheckReport: Hashable, Sendable {
  /// How many entities were looked at.
  public var entities: Int
  /// How many objects.
  public var objects: Int
  /// How many indexes, each compared with the objects both ways.
  public var indexes: Int
  /// One sentence for each thing that is wrong, naming the place; empty when the store is whole.
  public var problems: [String]

  /// A report of the given figures.
  public init(entities: Int, objects: Int, indexes: Int, problems: [String]) {
    self.entities = entities
    self.objects = objects
    self.indexes = indexes
    self.problems = problems
  }

  /// Whether nothing is wrong.
  public var isWhole: Bool { problems.isEmpty }
}

extension Store {
  /// Reads every object and every index of one version and compares them both ways.
  ///
  /// ```swift
  /// let report = try store.check()
  /// guard report.isWhole else { … }
  /// ```
  ///
  /// Takes time in proportion to the store. It changes nothing, and writers need not wait for it.
  ///
  /// - Parameter cancellation: Stops it from outside.
  /// - Returns: what was looked at and what is wrong; damage is in the report and does not throw.
  /// - Throws: `StoreError` when the store can't be read at all; `cancelled`.
  public func check(cancellation: Cancellation? = nil) throws -> CheckReport {
    let report = try file.check(wait: cancellation.wait)
    return CheckReport(
      entities: report.entities, objects: report.objects, indexes: report.indexes, problems: report.problems)
  }
}
