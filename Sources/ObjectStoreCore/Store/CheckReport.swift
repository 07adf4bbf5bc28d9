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
