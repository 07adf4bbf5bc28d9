/// The first record of the catalog: marks the file as a store, with its format, the version of its schema, and the
/// features that a program must know to use it.
///
/// Every transaction reads it; the schema record is read only if the version has changed.
struct CatalogHeader: Equatable {
  /// The format that this program writes. A file with a higher format is refused; one with a lower format is read, and
  /// its first change makes it one of this format.
  static let knownFormat: UInt32 = 2
  /// The names of the features that this program knows. They are for what only some stores have, so that earlier
  /// programs can use all others. A file with another feature is refused.
  static let knownFeatures: Set<String> = [superseded]
  /// The feature of a file whose place another takes after a compaction, which a program that writes must notice.
  static let superseded = "superseded"

  var format: UInt32 = knownFormat
  var schemaVersion: UInt64 = 0
  var features: [String] = []

  private static let mark: [UInt8] = Array("objects\n".utf8)

  init(schemaVersion: UInt64) { self.schemaVersion = schemaVersion }

  /// Checks the mark and the format first, because the rest may differ in a newer format.
  init(record: UnsafeRawBufferPointer) throws(RecordDamage) {
    guard record.count >= 12, record.prefix(8).elementsEqual(Self.mark) else {
      throw RecordDamage(what: "it does not begin with the mark of a store")
    }
    format = record.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian
    guard format <= Self.knownFormat else { return }
    var reader = try RecordReader(sealed: record)
    for _ in 0..<12 { _ = try reader.byte() }
    schemaVersion = try reader.uint64()
    // Format 0 had none.
    if format > 0 {
      features = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.text() }
    }
    guard reader.isAtEnd else { throw RecordDamage(what: "it is longer than its contents") }
  }

  /// Throws if a newer program wrote the store at `path`.
  func refuseUnknown(_ path: String) throws(StoreError) {
    guard format <= Self.knownFormat else {
      throw .newerFormat(path: path, found: Int(format), known: Int(Self.knownFormat))
    }
    if let feature = features.first(where: { !Self.knownFeatures.contains($0) }) {
      throw .unknownFeature(path: path, feature)
    }
  }

  func encoded() -> [UInt8] {
    var writer = RecordWriter()
    for byte in Self.mark { writer.put(byte) }
    writer.put(format)
    writer.put(schemaVersion)
    writer.put(each: features) { $0.put($1) }
    return writer.sealed()
  }
}
