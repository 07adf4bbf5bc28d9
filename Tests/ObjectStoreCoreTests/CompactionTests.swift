import Foundation
import ObjectStoreCore
import Testing

/// A store that is compacted while it is used, in one process.
@Suite struct CompactionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("store")
  }

  /// A store with free room: many objects were deleted.
  private func filled(_ count: Int = 20, deleting: Int = 8_000) throws -> Store {
    let store = try Store(path, models: Quake.self)
    try store.write { tx in
      for number in 0..<deleting + count { _ = try tx.add(Quake("q\(number)", Double(number % 10))) }
    }
    try store.write { tx in try tx.delete(tx.objects(Quake.self).limit(deleting)) }
    return store
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  @Test func theFileGetsSmallAndKeepsItsObjects() throws {
    let store = try filled()
    let codes = try store.objects(Quake.self).map(\.code)
    let version = try store.statistics().version
    let compaction = try store.compact()
    #expect(compaction.bytesBefore > 5 * compaction.bytesAfter, "\(compaction)")
    #expect(try store.statistics().fileBytes == compaction.bytesAfter)
    #expect(try store.statistics().version > version)
    #expect(try store.objects(Quake.self).map(\.code) == codes)
    #expect(try names() == ["data.mdb", "lock.mdb"])
    #expect(try store.check().isWhole)
    // It goes on, and IDs are not given again.
    let last = try #require(try store.objects(Quake.self).array.last?.objectID)
    let next = try store.write { tx in try tx.add(Quake("next", 1)) }
    #expect(next.number.rawValue > last.number.rawValue)
    for _ in 0..<3 { try store.compact() }
    #expect(try store.objects(Quake.self).count == codes.count + 1)
    #expect(try store.check().isWhole)
  }

  /// Whoever reads when it begins reads the old state to the end; all stores of the folder turn to the new file.
  @Test func readersGoOn() throws {
    let store = try filled()
    let other = try Store.openDynamic(path, mode: .readOnly)
    let results = try store.objects(Quake.self).filter("magnitude > 5")
    let count = try results.count
    try store.snapshot { snapshot in
      let before = snapshot.objects(Quake.self)
      try store.compact()
      try store.write { tx in try tx.delete(tx.objects(Quake.self).limit(19)) }
      try store.compact()
      #expect(try before.count == 20)
      #expect(try before.filter("magnitude > 5").count == count)
      #expect(try before.map(\.code).count == 20)
      #expect(try other.objects("Quake").count == 1)
      #expect(try Store(path, models: Quake.self).objects(Quake.self).count == 1)
    }
    #expect(try results.count == store.objects(Quake.self).filter("magnitude > 5").array.count)
    #expect(try other.statistics().fileBytes == store.statistics().fileBytes)
    #expect(try other.statistics().readers == 0)
  }

  /// What was read before can be saved afterwards, as if nothing had happened between.
  @Test func whatWasReadBeforeIsSaved() throws {
    let store = try filled()
    var quake = try #require(try store.objects(Quake.self).first)
    try store.compact()
    quake.felt = 77
    try store.write { tx in try tx.save(&quake) }
    #expect(try store.objects(Quake.self).filter("felt == 77").count == 1)
  }

  @Test func observersGoOn() async throws {
    let store = try filled()
    var changes = try store.objects(Quake.self).filter("magnitude == 3").changes().makeAsyncIterator()
    guard case .initial(let first) = try await changes.next() else {
      Issue.record("no first results")
      return
    }
    let count = try first.count
    for round in 1...3 {
      try await store.compact()
      try await store.write { tx in _ = try tx.add(Quake("new\(round)", 3)) }
      // The compaction itself is none of its changes.
      guard case .update(let results, let deletions, let insertions, let modifications, _) = try await changes.next()
      else {
        Issue.record("no update")
        return
      }
      #expect(try results.count == count + round)
      #expect(insertions == [count + round - 1] && deletions.isEmpty && modifications.isEmpty)
    }
  }

  @Test func damageIsNamedAndNothingReplaced() throws {
    try { _ = try filled(3_000, deleting: 0) }()
    let file = path + "/data.mdb"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // In the values of a cluster.
    let place = try #require(bytes.range(of: Data("q1500".utf8))).lowerBound
    bytes[place + 1] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: file))
    let store = try Store(path, models: Quake.self)
    let problem = try #require(try store.check().problems.first)
    do {
      try store.compact()
      Issue.record("a damaged store was replaced")
    } catch StoreError.corrupted(let location) {
      #expect(location.hasPrefix(problem), "\(location)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    #expect(try names() == ["data.mdb", "lock.mdb"])
  }

  @Test func whatCanNotBeCompacted() throws {
    let memory = try Quake.store()
    #expect(throws: StoreError.unsupported("a store in memory has nothing to compact")) { try memory.compact() }
    do {
      let store = try filled()
      try store.write { _ in #expect(throws: StoreError.nestedWrite) { try store.compact() } }
      let over = Cancellation()
      over.cancel()
      #expect(throws: StoreError.cancelled) { try store.compact(cancellation: over) }
    }
    #expect(try names() == ["data.mdb", "lock.mdb"])
    let reading = try Store(path, models: Quake.self, mode: .readOnly)
    #expect(throws: StoreError.readOnly(path: path)) { try reading.compact() }
    #expect(try reading.objects(Quake.self).count == 20)
  }

  @Test func aCancelledTaskLeavesTheStoreAsItWas() async throws {
    let store = try filled()
    let task = _Concurrency.Task {
      // From outside it might come when the work is done.
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.compact()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try names() == ["data.mdb", "lock.mdb"])
    #expect(try store.objects(Quake.self).count == 20)
  }

  /// Many threads read and write while the store is compacted again and again: nothing that was written is lost, and
  /// every state that is read has all of one moment.
  @Test func threadsReadAndWriteMeanwhile() async throws {
    let store = try filled(0, deleting: 10)
    let path = path
    let written = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var count = 0
          for turn in 0..<60 {
            await #expect(throws: Never.self) {
              try await store.write { tx in
                _ = try tx.add(Quake("a\(task).\(turn)", 1))
                _ = try tx.add(Quake("b\(task).\(turn)", 2))
              }
            }
            count += 2
            #expect(throws: Never.self) {
              try store.snapshot { snapshot in
                let first = try snapshot.objects(Quake.self).filter("magnitude == 1").count
                #expect(try snapshot.objects(Quake.self).filter("magnitude == 2").count == first)
              }
              #expect(try Store.openDynamic(path, mode: .readWrite).objects("Quake").count >= count)
            }
          }
          return count
        }
      }
      group.addTask {
        for _ in 0..<25 { await #expect(throws: Never.self) { try await store.compact() } }
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(written == 480)
    #expect(try store.objects(Quake.self).count == written)
    #expect(try store.check().isWhole)
    #expect(try names() == ["data.mdb", "lock.mdb"])
  }

  /// Room that is freed is used again: a store that changes all its objects over and over stays small by itself.
  @Test func aStoreThatRewritesItselfStaysSmall() throws {
    let store = try filled(2_500, deleting: 0)
    for round in 0..<100 {
      _ = try store.run("UPDATE Quake SET magnitude = \(round) + magnitude, felt = \(round * 7919)")
    }
    let compaction = try store.compact()
    let ratio = Double(compaction.bytesBefore) / Double(compaction.bytesAfter)
    print("after 100 rewritings: \(compaction.bytesBefore) bytes, compact \(compaction.bytesAfter), \(ratio) times")
    #expect(ratio < 2.5)
  }
}
