package import Schema

/// An index in a file: the declared index, its permanent number, and its columns.
///
/// It does not depend on keys or objects; see `IndexReader` for reading it. Immutable, and a class, because it is
/// passed on often.
package final class StoredIndex: Hashable, Sendable {
  /// The stable number, unique within the file and never reused.
  package let number: UInt32
  /// The declaration.
  package let index: Index
  /// Positions in `StoredEntity.columns`, the most significant first.
  package let columns: [Int]
  /// The types of the columns.
  package let types: [ScalarType]
  /// Whether the index contains every object, with keys as this program makes them. An incomplete index must not be
  /// read.
  package let isComplete: Bool
  /// Its name in plans and commands: `magnitude+time`.
  package let name: String

  package init(number: UInt32, index: Index, columns: [Int], types: [ScalarType], isComplete: Bool) {
    self.number = number
    self.index = index
    self.columns = columns
    self.types = types
    self.isComplete = isComplete
    name = index.name
  }

  package static func == (a: StoredIndex, b: StoredIndex) -> Bool {
    a === b
      || a.number == b.number && a.index == b.index && a.columns == b.columns && a.types == b.types
        && a.isComplete == b.isComplete
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(isComplete)
  }

  /// The name of the database that holds it.
  package var database: String { "i\(number)" }

  /// Whether its keys are folded strings.
  package var isFolded: Bool { index.kind == .folded }

  /// Whether its keys are the values of its columns, in their order.
  package var hasValueKeys: Bool { index.kind.isOverValues }

  /// Whether it stores the objects that link to an object, by that object's ID.
  package var isInverse: Bool { index.kind == .inverse }

  /// Whether no two objects may share a value other than nil.
  package var isUnique: Bool { index.kind == .unique }
}
