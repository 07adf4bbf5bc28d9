package import Schema

/// An index as a file has it: the declared index, its stable number, and the columns it is over.
///
/// It knows neither keys nor objects; see `IndexReader` for reading it. Unchanging, and one object however often it is handed on.
package final class StoredIndex: Hashable, Sendable {
  /// The stable number, unique within the file and never reused.
  package let number: UInt32
  /// What was declared.
  package let index: Index
  /// Positions in `StoredEntity.columns`, the most significant first.
  package let columns: [Int]
  /// The types of those columns.
  package let types: [ScalarType]
  /// Whether every object is in it, under the keys that this program makes. One that is not may not be read.
  package let isComplete: Bool
  /// What it is called in plans and commands: `magnitude+time`.
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

  /// Whether its keys are of folded text.
  package var isFolded: Bool { index.kind == .folded }

  /// Whether it has the places of trigrams, and not objects under keys.
  package var isTrigram: Bool { index.kind == .trigram }

  /// Whether it has the objects that link to an object, under that object's number.
  package var isInverse: Bool { index.kind == .inverse }

  /// Whether no two objects may share a value other than nil.
  package var isUnique: Bool { index.kind == .unique }
}
