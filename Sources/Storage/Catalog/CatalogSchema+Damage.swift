internal import Schema

// An index that is damaged is noted in the catalog as incomplete: no query reads it, and no write changes it, until it is
// built anew under another number.

extension CatalogSchema {
  /// Notes that the indexes with these databases are damaged; returns whether that was not noted before.
  mutating func setAside(_ databases: Set<String>) -> Bool {
    if databases.isEmpty { return false }
    var isNews = false
    forEachIndex { index in
      guard index.isComplete, databases.contains("i\(index.number)") else { return }
      index.isComplete = false
      isNews = true
    }
    return isNews
  }

  /// Has the next plan for the schema build these indexes anew.
  mutating func build(_ numbers: Set<UInt32>) {
    forEachIndex { if numbers.contains($0.number) { $0.isToBeBuilt = true } }
  }

  /// The numbers of the damaged indexes.
  var damagedIndexes: Set<UInt32> { Set(entities.flatMap(\.indexes).filter { !$0.isComplete }.map(\.number)) }

  /// The numbers of those without which nothing can be written.
  var indexesNeededDamaged: Set<UInt32> {
    Set(entities.flatMap(\.indexes).filter { !$0.isComplete && $0.index.kind.isNeededByWrites }.map(\.number))
  }

  private mutating func forEachIndex(_ body: (inout IndexRecord) -> Void) {
    for entity in entities.indices {
      for index in entities[entity].indexes.indices { body(&entities[entity].indexes[index]) }
    }
  }
}
