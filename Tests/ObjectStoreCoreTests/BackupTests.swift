import ObjectStoreCore
import Testing

/// Copies of a store, made while it is used.
@Suite struct BackupTests {
  @Test func aCopyHoldsWhatTheStoreHeld() throws {
    let folder = try TemporaryFolder()
    let store = try Project.store()
    try store.write { tx in _ = try tx.delete(tx.objects(Task.self).filter("name == 'plan'")) }
    let copy = folder.path("copy")
    try store.backup(to: copy)
    // What comes after is not in it.
    try store.write { tx in _ = try tx.add(Task("later")) }
    let read = try Store(copy, models: Project.self)
    #expect(try read.check().isWhole)
    #expect(try read.objects(Project.self).objects().map(\.name) == store.objects(Project.self).objects().map(\.name))
    #expect(try read.objects(Task.self).count == store.objects(Task.self).count - 1)
    // It is a store like any other.
    try read.write { tx in _ = try tx.add(Task("more")) }
    #expect(try read.objects(Task.self).filter("name == 'more'").count == 1)
    #expect(try read.check().isWhole)
  }

  @Test func whatIsThereIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let store = try Project.store()
    let copy = folder.path("copy")
    try store.backup(to: copy)
    #expect(throws: StoreError.self) { try store.backup(to: copy) }
    #expect(throws: StoreError.self) { try store.backup(to: folder.path("none/copy")) }
    #expect(try Store(copy, models: Project.self).check().isWhole)
  }

  @Test func inAWriteItIsTheLastCommit() throws {
    let folder = try TemporaryFolder()
    let store = try Project.store()
    let before = try store.objects(Task.self).count
    try store.write { tx in
      _ = try tx.add(Task("not yet"))
      try store.backup(to: folder.path("copy"))
    }
    #expect(try Store(folder.path("copy"), models: Project.self).objects(Task.self).count == before)
  }
}
