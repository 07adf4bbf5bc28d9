import Foundation
import Glibc
import ObjectStoreCore
import Testing

/// A disk that does not take the page that makes a commit the newest, after it has taken all others.
@Suite struct FailedCommitTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("store")
  }

  /// Has every such write fail until the file is opened again: LMDB writes the page through a descriptor of its own, which
  /// syncs.
  private static func failCommits(of path: String) throws {
    var found: [Int32] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = Int32(name),
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        target == path + "/data.mdb", fcntl(descriptor, F_GETFL) & O_DSYNC != 0
      else { continue }
      found.append(descriptor)
    }
    #expect(found.count == 1)
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    for descriptor in found {
      let placed = dup2(full, descriptor)
      #expect(placed == descriptor)
    }
  }

  /// A thousand quakes.
  private func filled() throws -> Store {
    let store = try Store(path, models: Quake.self)
    try store.write { tx in for number in 0..<1_000 { _ = try tx.add(Quake("q\(number)", Double(number % 10))) } }
    return store
  }

  private static func failToAdd(_ code: String, to store: Store, at path: String) throws {
    try failCommits(of: path)
    do {
      _ = try store.write { tx in try tx.add(Quake(code, 1)) }
      Issue.record("the commit did not fail")
    } catch let error as StoreError {
      guard case .full = error else { throw error }
    }
  }

  @Test func theNextReadOpensTheFileAgain() throws {
    let store = try filled()
    let loud = try store.objects(Quake.self).filter("magnitude > 5")
    #expect(try loud.count == 400)
    try Self.failToAdd("lost", to: store, at: path)
    #expect(try loud.count == 400)
    #expect(try store.objects(Quake.self).filter("code == 'lost'").count == 0)
    #expect(try store.objects(Quake.self).filter("code == 'q7'").first?.magnitude == 7)
    try store.write { tx in _ = try tx.add(Quake("next", 9)) }
    #expect(try loud.count == 401)
    #expect(try store.check().isWhole)
  }

  @Test func theNextWriteOpensTheFileAgain() throws {
    let store = try filled()
    for round in 0..<3 {
      try Self.failToAdd("lost \(round)", to: store, at: path)
      try store.write { tx in _ = try tx.add(Quake("kept \(round)", 1)) }
    }
    try Self.failToAdd("lost", to: store, at: path)
    let compaction = try store.compact()
    #expect(compaction.bytesAfter <= compaction.bytesBefore)
    #expect(try store.objects(Quake.self).count == 1_003)
    #expect(try store.check().isWhole)
  }

  /// The failed commit is in no process, whatever LMDB has left of it in its page.
  @Test func whoOpensTheFileFindsTheCommitBefore() throws {
    let store = try filled()
    for round in 1...2 {
      try Self.failToAdd("lost", to: store, at: path)
      let copy = folder.path("copy \(round)")
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: path + "/data.mdb", toPath: copy + "/data.mdb")
      let other = try Store(copy, models: Quake.self)
      #expect(try other.objects(Quake.self).count == 999 + round)
      #expect(try other.check().isWhole)
      // Commits take turns between two pages.
      try store.write { tx in _ = try tx.add(Quake("kept \(round)", 1)) }
    }
  }

  /// A process can't have a file open twice, and its readers need the pages: they go on, and end first.
  @Test func itWaitsForTheEndOfSnapshots() throws {
    let store = try filled()
    try store.snapshot { snapshot in
      try Self.failToAdd("lost", to: store, at: path)
      #expect(try snapshot.objects(Quake.self).filter("magnitude > 5").count == 400)
      #expect(throws: StoreError.self) { try store.write { tx in _ = try tx.add(Quake("early", 1)) } }
      do {
        _ = try store.objects(Quake.self).count
        Issue.record("a read went on beside a snapshot of the file before")
      } catch { #expect("\(error)".contains("opens again by itself"), "\(error)") }
    }
    #expect(try store.objects(Quake.self).count == 1_000)
  }

  @Test func threadsThatReadMeanwhileMeetNoOtherError() async throws {
    let store = try filled()
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 {
            do { #expect(try store.objects(Quake.self).filter("magnitude > 5").count == 400) } catch {
              #expect("\(error)".contains("opens again by itself"), "\(error)")
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<5 {
          try Self.failToAdd("lost", to: store, at: path)
          // The others have snapshots meanwhile.
          var isOpen = false
          for _ in 0..<100_000 where !isOpen { isOpen = (try? store.objects(Quake.self).count) != nil }
          #expect(isOpen)
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.objects(Quake.self).filter("magnitude > 5").count == 400)
    #expect(try store.check().isWhole)
  }
}
