internal import Values

/// The data of an entity that changes with its objects: counters, and which indexes have truncated keys.
///
/// It is a separate record of the catalog, so that a commit does not write the schema again.
struct EntityState: Equatable {
  /// The number the next object gets.
  var nextObject: UInt64 = 1
  /// The number of objects.
  var objectCount: UInt64 = 0
  /// The numbers of the indexes in which some key is truncated.
  var indexesWithLongKeys: [UInt32] = []

  init() {}

  init(record: UnsafeRawBufferPointer) throws(RecordDamage) {
    var reader = try RecordReader(sealed: record)
    nextObject = try reader.uint64()
    objectCount = try reader.uint64()
    indexesWithLongKeys = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.uint32() }
    guard reader.isAtEnd else { throw RecordDamage(what: "it is longer than its contents") }
    guard nextObject >= 1, objectCount < nextObject else {
      throw RecordDamage(what: "it counts \(amount(objectCount, "object")) below number \(nextObject)")
    }
  }

  func encoded() -> [UInt8] {
    var writer = RecordWriter()
    writer.put(nextObject)
    writer.put(objectCount)
    writer.put(each: indexesWithLongKeys) { $0.put($1) }
    return writer.sealed()
  }
}
