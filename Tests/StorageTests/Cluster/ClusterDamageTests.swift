import Schema
import Storage
import Testing
import Values

@Suite struct ClusterDamageTests {
  /// A cluster with every encoding, nils, long values and gaps.
  static func sample(_ random: inout RandomValues) throws -> (StoredEntity, EncodedCluster) {
    var sample = ClusterRoundTripTests.Sample(&random, long: true)
    while sample.rows.count < 20 { sample = ClusterRoundTripTests.Sample(&random, long: true) }
    let encoded = try ClusterFixture.builder(sample.rows, of: sample.entity).encode(transaction: 5)
    return (sample.entity, encoded)
  }

  /// Reads everything there is; damage is an error of the right kind and nothing else.
  static func readAll(_ bytes: [UInt8], like cluster: EncodedCluster, of entity: StoredEntity) -> Bool {
    let memory = ClusterMemory(EncodedCluster(bytes: bytes, outOfLine: cluster.outOfLine))
    do {
      let view = try memory.view(entity)
      for index in entity.columns.indices {
        _ = view.range(index)
        let column = try view.column(index)
        for slot in 0..<column.slotCount {
          _ = try column.value(at: slot)
          _ = try column.text(at: slot).reduce(0) { $0 &+ Int($1) }
          #expect(try column.elements(at: slot)?.count ?? 0 == column.elementCount(at: slot))
        }
      }
      let changed = try ClusterBuilder(changing: view)
      if let slot = view.present.last { try changed.set(slot, 0, .null) }
      _ = try changed.encode(transaction: 6)
      _ = try ClusterBuilder(decoding: view).encode(transaction: 6)
      return true
    } catch {
      guard case .corrupted(let location) = error as? StoreError else {
        Issue.record("not an error of damage: \(error)")
        return false
      }
      #expect(location.contains("Thing cluster 3"))
      return false
    }
  }

  @Test(arguments: 0..<40) func flippedBitsAreNoticed(_ run: Int) throws {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run) + 77))
    let (entity, encoded) = try Self.sample(&random)
    for _ in 0..<20 {
      var bytes = encoded.bytes
      let place = Int.random(in: 0..<bytes.count, using: &random.generator)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random.generator)
      let fresh = StoredEntity(
        number: entity.number, entity: entity.entity, columns: entity.columns, indexes: [])
      #expect(!Self.readAll(bytes, like: encoded, of: fresh), "byte \(place), run \(run)")
    }
  }

  @Test(arguments: 0..<40) func cutAndStretchedClustersAreNoticed(_ run: Int) throws {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run) + 4077))
    let (entity, encoded) = try Self.sample(&random)
    for _ in 0..<10 {
      let length = Int.random(in: 0..<encoded.bytes.count, using: &random.generator)
      let fresh = StoredEntity(number: entity.number, entity: entity.entity, columns: entity.columns, indexes: [])
      #expect(!Self.readAll(Array(encoded.bytes.prefix(length)), like: encoded, of: fresh))
      #expect(!Self.readAll(encoded.bytes + [0, 0, 0, 0, 0, 0, 0, 0], like: encoded, of: fresh))
    }
  }

  /// Damage under checksums that fit it: whatever it says, nothing is read that is not there.
  @Test(arguments: 0..<60) func damageWithFittingChecksumsIsHarmless(_ run: Int) throws {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run) + 977))
    let (entity, encoded) = try Self.sample(&random)
    for _ in 0..<25 {
      var bytes = encoded.bytes
      let directory = 80 + entity.columns.count * 48
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
        let isInDirectory = Bool.random(using: &random.generator)
        let place =
          isInDirectory
          ? Int.random(in: 40..<directory, using: &random.generator)
          : Int.random(in: directory..<bytes.count, using: &random.generator)
        bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, bytes[place] ^ 4].randomElement(using: &random.generator) ?? 0
      }
      Checksums.mend(&bytes)
      let fresh = StoredEntity(number: entity.number, entity: entity.entity, columns: entity.columns, indexes: [])
      _ = Self.readAll(bytes, like: encoded, of: fresh)
    }
  }

  @Test func longValuesThatAreGoneOrChangedAreNoticed() throws {
    let entity = ClusterFixture.entity([.string, .int])
    let text = String(repeating: "long ", count: 1000)
    let builder = try ClusterFixture.builder(
      [0: [.string(text), .int(1)], 9: [.string("short"), .int(2)]], of: entity)
    let memory = ClusterMemory(try builder.encode(transaction: 1))
    let key = OutOfLineKey(cluster: 3, column: 1, slot: 0)
    #expect(memory.keys == [key])
    #expect(try memory.view(entity).row(0) == [.string(text), .int(1)])
    memory.damage(key)
    #expect(throws: StoreError.self) { try memory.view(entity).row(0) }
    #expect(try memory.view(entity).row(9) == [.string("short"), .int(2)])
    let alone = ClusterMemory(Array(try builder.encode(transaction: 1).bytes))
    #expect(throws: StoreError.self) { try alone.view(entity).column(0).text(at: 0) }
  }

  @Test func clustersOfOthersAreRefused() throws {
    let entity = ClusterFixture.entity([.int])
    let memory = ClusterMemory(try ClusterFixture.builder([0: [.int(1)]], of: entity).encode(transaction: 1))
    #expect(throws: StoreError.self) { try memory.view(entity, number: 4) }
    #expect(throws: StoreError.self) { try memory.view(ClusterFixture.entity([.int], number: 8)) }
    #expect(throws: StoreError.self) { try memory.view(ClusterFixture.entity([.double])).column(0) }
  }
}
