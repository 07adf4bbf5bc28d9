import Testing

@testable import Schema
@testable import Storage

/// What the catalog's records are made of comes back, and what is no text is damage.
@Suite struct RecordBytesTests {
  private func reader(_ write: (inout RecordWriter) -> Void) throws -> RecordReader {
    var writer = RecordWriter()
    write(&writer)
    return try writer.sealed().withUnsafeBytes { try RecordReader(sealed: $0) }
  }

  @Test func numbersAndTextsComeBack() throws {
    let texts = ["", "mag", "Ísafjörður", "a name longer than sixteen bytes", "😀", "\u{FFFD}", "e\u{301}", "\0"]
    var reader = try reader { writer in
      writer.put(UInt32(0x8765_4321))
      writer.put(UInt64.max - 1)
      for text in texts { writer.put(text) }
    }
    #expect(try reader.uint32() == 0x8765_4321 && reader.uint64() == UInt64.max - 1)
    for text in texts { #expect(try Array(reader.text().utf8) == Array(text.utf8)) }
    #expect(reader.isAtEnd)
    #expect(throws: RecordDamage.self) { try reader.uint32() }
    #expect(throws: RecordDamage.self) { try reader.uint64() }
    #expect(throws: RecordDamage.self) { try reader.text() }
  }

  /// Older programs kept the forms of each structure at the end of the record of the schema.
  @Test func aSchemaOfAnOlderProgramIsRead() throws {
    var schema = CatalogSchema()
    schema.schema = Schema(
      entities: [
        Entity(name: "A", properties: [Property(name: "a", type: .scalar(.int), originalNames: ["b"])])
      ])
    schema.entities = [CatalogSchema.EntityRecord(number: 1)]
    func decoded(_ bytes: [UInt8]) throws -> CatalogSchema {
      try bytes.withUnsafeBytes { try CatalogSchema(record: $0) }
    }
    var older = RecordWriter()
    // All but the empty list of forms, and the seal.
    for byte in schema.encoded().dropLast(16) { older.put(byte) }
    older.put(each: ["A", "B"]) {
      $0.put($1)
      $0.put(each: [UInt64(1), 2]) { $0.put($1) }
    }
    #expect(try decoded(older.sealed()) == schema)
    schema.doneSteps = ["one", "two"]
    #expect(try decoded(schema.encoded()) == schema)
    schema.kept = [PropertyPlace(structure: "A", property: "a")]
    #expect(try decoded(schema.encoded()) == schema)
    schema.doneSteps = []
    #expect(try decoded(schema.encoded()) == schema)
  }

  /// Some of them as long as what they would be mended to.
  @Test(arguments: [
    [0xFF], [0x61, 0xC3], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x80, 0x61, 0x62, 0x63],
  ])
  func whatIsNoUTF8IsDamage(_ bytes: [UInt8]) throws {
    var reader = try reader { $0.put(counted: bytes) }
    #expect(throws: RecordDamage.self) { try reader.text() }
  }

  @Test func aCountBeyondTheEndIsDamage() throws {
    for count in [UInt64(2), UInt64(Int64.max), UInt64.max] {
      var reader = try reader { writer in
        writer.put(count)
        writer.put(UInt8(1))
      }
      #expect(throws: RecordDamage.self) { try reader.text() }
    }
  }
}
