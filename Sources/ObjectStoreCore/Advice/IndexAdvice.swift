internal import PredicateLanguage

/// The indexes worth having for some statements, what they gain and what they cost, and the indexes that none of the
/// statements uses. Costs are the planner's estimates, in nanoseconds.
package struct IndexAdvice: Sendable {
  /// An index worth having.
  package struct Advised: Sendable {
    package let entity: String
    package let index: Index
    /// The positions in `statements` of those that would cost more without it.
    package let serves: [Int]
    /// What these statements cost together now, and with all advised indexes.
    package let before: Double
    package let after: Double
    /// Its estimated size.
    package let bytes: Int
    /// The number of entries for each object.
    package let entries: Double
    /// Its size as a fraction of that of the objects and their other indexes: about how much more an insert writes.
    package let share: Double

    /// The statement that creates it.
    package var statement: String { StatementSyntax.schema(.createIndex(index.syntax(on: entity))).description }
  }

  /// A statement with what it costs now and with the advised indexes.
  package struct Statement: Sendable {
    package let source: String
    /// How often it runs, relative to the others.
    package let count: Int
    package let before: Double
    package let after: Double
  }

  /// A statement that could not be planned.
  package struct LeftOut: Sendable {
    package let source: String
    package let reason: String

    package init(source: String, reason: String) {
      self.source = source
      self.reason = reason
    }
  }

  /// An index that none of the statements uses.
  package struct Unused: Sendable {
    package let entity: String
    package let index: Index
    package let bytes: Int
    /// The statement that removes it.
    package let statement: String

    init(_ index: Index, of entity: Entity, bytes: Int) {
      self.entity = entity.name
      self.index = index
      self.bytes = bytes
      // Where several indexes are over the same properties, the statement says which is meant.
      let isOnly = entity.indexes.count { $0.paths == index.paths } == 1
      let syntax = index.syntax(on: entity.name, namesKind: !isOnly)
      statement = StatementSyntax.schema(.dropIndex(syntax)).description
    }
  }

  /// An entity of which only a part of the objects was looked at.
  package struct Sampled: Sendable {
    package let entity: String
    package let objects: Int
    package let all: Int
  }

  /// The advised indexes, the most useful first.
  package internal(set) var advised: [Advised] = []
  /// The statements that were planned.
  package internal(set) var statements: [Statement] = []
  /// The statements that were not.
  package internal(set) var leftOut: [LeftOut] = []
  /// The indexes that none of the statements uses. A unique index is never among them: it also keeps values unique.
  package internal(set) var unused: [Unused] = []
  /// The entities of whose objects only a part was looked at.
  package internal(set) var sampled: [Sampled] = []
  /// The number of indexes that may help and were not tried, since there were too many.
  package internal(set) var untried = 0
}

extension Index {
  /// The index as written in a statement.
  ///
  /// - Parameter namesKind: Whether the kind is written where it is the usual one, too.
  fileprivate func syntax(on entity: String, namesKind: Bool = false) -> IndexedPathsSyntax {
    let isUsual = kind == .ordered || kind == .unique
    return IndexedPathsSyntax(
      NameSyntax(entity), paths.map { PropertyPathSyntax($0.split(separator: ".").map { NameSyntax(String($0)) }) },
      isUnique: kind == .unique, kind: isUsual && !namesKind ? nil : NameSyntax(kind.statementWord))
  }
}
