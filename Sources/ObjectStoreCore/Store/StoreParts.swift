internal import QueryEngine
internal import Storage
internal import Synchronization

/// What a store consists of. `Store`s of one opening share it: the one that was opened, and those in which links are
/// followed from objects that were read from it.
final class StoreParts: Sendable {
  struct State {
    var busyTimeout: Duration?
    var queryThreads: Int?
    /// There are few models: a linear search is quicker than creating the first dictionary of a process.
    var layouts: [(schema: StoredSchema, layout: ModelLayout)] = []
    var dynamicLayouts: [(schema: StoredSchema, entity: UInt32, layout: DynamicLayout)] = []
  }

  let file: StoreFile
  /// The cache of recent queries.
  let queries = QueryCache()
  let state = Mutex(State())
  let queue = WriteQueue()
  let notes: [String]
  /// The schema it was opened with; nil when it was opened with the schema of the file.
  let declared: Schema?
  let limits: Store.Limits
  /// Whether it is an earlier version of the file.
  let isPast: Bool

  init(_ file: StoreFile, notes: [String], declared: Schema?, limits: Store.Limits, isPast: Bool) {
    self.file = file
    self.notes = notes
    self.declared = declared
    self.limits = limits
    self.isPast = isPast
  }
}
