import Schema
import Storage
import Testing
import Values

/// Columns of decimal numbers: as integers over a power of ten, or as bytes where these do not fit 64 bits.
@Suite struct DecimalColumnTests {
  private static let long = "123456789012345678901234567890"

  private static func number(_ text: String) throws -> DecimalValue { try #require(DecimalValue(text)) }

  /// Rows with so many different numbers of 32 digits, and the bytes of their cluster.
  private static func cluster(distinct: Int) throws -> (StoredEntity, [UInt8]) {
    let entity = ClusterFixture.entity([.decimal])
    var rows: [Int: [Value]] = [:]
    for row in 0..<200 { rows[row] = [.decimal(try number("\(long).\(row % distinct)1"))] }
    return (entity, Array(try ClusterFixture.builder(rows, of: entity).encode(transaction: 1).bytes))
  }

  @Test(arguments: [1, 3, 200]) func numbersComeBack(_ distinct: Int) throws {
    let (entity, bytes) = try Self.cluster(distinct: distinct)
    let column = try ClusterMemory(bytes).view(entity).column(0)
    for row in 0..<200 {
      #expect(try column.value(at: row) == .decimal(try Self.number("\(Self.long).\(row % distinct)1")))
    }
  }

  /// All alike, by dictionary, one after another.
  @Test(arguments: [1, 3, 200]) func bytesThatAreNoNumberAreDamage(_ distinct: Int) throws {
    let (entity, sound) = try Self.cluster(distinct: distinct)
    let written = try Self.number("\(Self.long).01").withBytes { Array($0) }
    let place = try #require(
      sound.indices.dropLast(written.count - 1).first { sound[$0..<$0 + written.count].elementsEqual(written) })
    // Two digits, the power of ten, and the end.
    for (offset, byte) in [(3, 0xFE), (0, 0x12), (written.count - 1, 0x42), (2, 1)] as [(Int, UInt8)] {
      var bytes = sound
      bytes[place + offset] = byte
      Checksums.mend(&bytes)
      let fresh = StoredEntity(number: entity.number, entity: entity.entity, columns: entity.columns, indexes: [])
      #expect {
        let column = try ClusterMemory(bytes).view(fresh).column(0)
        for slot in 0..<200 { _ = try column.value(at: slot) }
      } throws: { error in
        guard case .corrupted(let location)? = error as? StoreError else { return false }
        return location.contains("decimal number")
      }
    }
  }
}
