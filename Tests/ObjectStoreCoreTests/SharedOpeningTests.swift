import ObjectStoreCore
import Synchronization
import Testing

/// What is open is shared without being held: whoever comes while the last lets go finds it whole, or opens it anew.
@Suite struct SharedOpeningTests {
  @Test func storesOpenAndEndOnManyThreads() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    try { try Store(path, models: Quake.self).write { tx in _ = try tx.add(Quake.five) } }()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            #expect(throws: Never.self) {
              let count = try Store.openDynamic(path, mode: .readWrite).objects("Quake").count
              #expect(count == 5)
            }
          }
        }
      }
    }
  }

  @Test func aLinkIsFollowedOrItsStoreIsClosed() async throws {
    for _ in 0..<50 {
      let holder = Holder(try Project.store())
      let project = try #require(try holder.store.withLock { try $0?.objects(Project.self).first })
      let expected = try project.tasks.objects().count
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          do {
            // One task only: several would keep the store for each other.
            while true {
              #expect(try project.tasks.objects().count == expected)
              await _Concurrency.Task.yield()
            }
          } catch {
            #expect(error as? StoreError == .closed)
          }
        }
        group.addTask { holder.store.withLock { $0 = nil } }
      }
      #expect(throws: StoreError.closed) { try project.tasks.objects() }
    }
  }

  /// The only one who holds a store.
  private final class Holder: Sendable {
    let store: Mutex<Store?>

    init(_ store: Store) { self.store = Mutex(store) }
  }
}
