/// The first record of the catalog: marks the file as a store, with its format and the version of its schema.
///
/// Every transaction reads it; the schema record is read only if the version has changed.
struct CatalogHeader: Equatable {
  /// The format that this program writes. A file with a higher format is refused.
  static let knownFormat: UInt32 = 0

  var format: UInt32 = knownFormat
  var schemaVersion: UInt64 = 0

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
    guard reader.isAtEnd else { throw RecordDamage(what: "it is longer than its contents") }
  }

  func encoded() -> [UInt8] {
    var writer = RecordWriter()
    for byte in Self.mark { writer.put(byte) }
    writer.put(format)
    writer.put(schemaVersion)
    return writer.sealed()
  }
}
