import ObjectStoreCore

/// The records of a file with links to objects that were not there yet, and what became of them: a few numbers each,
/// since the records themselves are read again.
struct PendingLinks {
  /// The positions of the records in the file, ascending.
  private var records: [Int] = []
  /// Where each record's objects begin in `numbers`.
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

  /// Notes those of another, which come after these.
  mutating func append(_ other: PendingLinks) {
    for index in 0..<other.count { add(record: other.record(index), other.objects(index)) }
  }

  /// The position in the file of the record at a place.
  func record(_ index: Int) -> Int { records[index] }

  /// What became of the record at a place: objects within before that around them.
  func objects(_ index: Int) -> ArraySlice<ObjectNumber> {
    numbers[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : numbers.count)]
  }
}

/// The numbers that objects have in the data, by entity, and those they were given here.
final class GivenNumbers {
  /// The entities whose objects come with this import.
  private let entities: Set<String>
  private var known: [String: [ObjectNumber: ObjectNumber]] = [:]
  /// Whether all objects are there.
  var isComplete = false

  init(entities: Set<String>) { self.entities = entities }

  func add(_ entity: String, _ numbers: [ObjectNumber: ObjectNumber]) {
    known[entity, default: [:]].merge(numbers) { $1 }
  }

  /// The object that a number in the data means; nil when it is not known yet, or there is none.
  ///
  /// Numbers mean objects of the data where these have any, else those of the store.
  func meaning(_ entity: String, _ number: ObjectNumber) -> ObjectNumber? {
    if let known = known[entity] { return known[number] }
    return isComplete || !entities.contains(entity) ? number : nil
  }
}
