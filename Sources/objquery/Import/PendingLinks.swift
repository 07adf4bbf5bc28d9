import ObjectStoreCore

/// The records of a file with links to objects that did not exist yet, and their results: a few numbers for each, since
/// the records themselves are read again.
struct PendingLinks {
  /// The positions of the records in the file, ascending.
  private var records: [Int] = []
  /// The start of each record's objects in `numbers`.
  private var starts: [Int] = []
  private var numbers: [ObjectNumber] = []

  var isEmpty: Bool { records.isEmpty }
  var count: Int { records.count }

  /// Notes a record.
  mutating func add(record: Int, _ objects: some Sequence<ObjectNumber>) {
    records.append(record)
    starts.append(numbers.count)
    numbers.append(contentsOf: objects)
  }

  /// Appends the records of another list.
  mutating func append(_ other: PendingLinks) {
    for index in 0..<other.count { add(record: other.record(index), other.objects(index)) }
  }

  /// The position in the file of the record at an index.
  func record(_ index: Int) -> Int { records[index] }

  /// The results for the record at an index: nested objects before those around them.
  func objects(_ index: Int) -> ArraySlice<ObjectNumber> {
    numbers[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : numbers.count)]
  }
}

/// The numbers of objects in the data, by entity, with their numbers in the store.
final class GivenNumbers {
  /// The entities whose objects are part of this import.
  private let entities: Set<String>
  /// Whether other numbers are those of the store.
  private let areOfStore: Bool
  private var known: [String: [ObjectNumber: ObjectNumber]] = [:]
  /// Whether all objects are there.
  var isComplete = false

  init(entities: Set<String>, orOfStore areOfStore: Bool = false) {
    self.entities = entities
    self.areOfStore = areOfStore
  }

  func add(_ entity: String, _ numbers: [ObjectNumber: ObjectNumber]) {
    known[entity, default: [:]].merge(numbers) { $1 }
  }

  /// The object for a number in the data.
  ///
  /// Numbers refer to objects of the data if those have numbers. Others refer to objects of the store only if the user
  /// said so: in the store that the data comes from, objects had other numbers.
  func meaning(_ entity: String, _ number: ObjectNumber) -> GraphInserter.NumberMeaning {
    if let known = known[entity] { return known[number].map { .object($0) } ?? .nothing }
    if areOfStore { return isComplete || !entities.contains(entity) ? .object(number) : .nothing }
    return entities.contains(entity) ? .nothing : .foreign
  }

  /// What to do about the object of a number that was not found.
  func advice(_ entity: String) -> String {
    if known[entity] != nil || areOfStore { return "" }
    return "; no \(entity) of the data has a number of its own, \"@id\": --store-ids if it is one of this store"
  }
}
