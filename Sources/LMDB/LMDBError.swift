import Glibc

/// The errors of the storage engine: one case for each LMDB code, system errors by `errno`, and the errors found by
/// this layer.
///
/// They describe files, pages and transactions, not objects; `Storage` translates them for users.
package enum LMDBError: Error, Sendable, Hashable {
  // LMDB's codes, in its order. "Not found" is not among them: looking something up returns nil.

  /// The key, or the key and value, already exists, or is out of order for an appending write.
  case keyExists
  /// A page that a tree refers to is not in this snapshot.
  case pageNotFound
  /// LMDB found a page of the wrong kind.
  case corrupted
  /// An earlier failure made the environment unusable.
  case panic
  /// The file was written by another version of LMDB's format.
  case versionMismatch
  /// The file is not an LMDB file.
  case invalid
  /// The map is full and could not be grown.
  case mapFull(size: Int)
  /// The environment has its full number of named databases.
  case databasesFull(maximum: Int)
  /// All reader slots are in use.
  case readersFull(maximum: Int)
  /// The process has no free thread-local keys.
  case threadKeysFull
  /// The transaction has too many changed pages.
  case transactionFull
  /// A cursor's stack is too deep: the tree is damaged.
  case cursorFull
  /// A page lacks space that it must have: the tree is damaged.
  case pageFull
  /// Another process grew the file past this process's map, which could not follow.
  case mapResized
  /// The operation does not fit the database's kind, or the database changed its kind.
  case incompatible(String)
  /// A reader slot was used in a way LMDB did not expect.
  case badReaderSlot
  /// The transaction failed earlier and can only be aborted.
  case badTransaction
  /// A key is empty, too long or of the wrong width, or a duplicate is too long.
  case badValueSize(Int)
  /// The database handle does not belong to this environment or transaction.
  case badDatabase
  /// A code this version of LMDB does not have.
  case unknownCode(Int32)

  // The system.

  /// A system error: `errno`, the operation, and the file.
  case system(Int32, doing: String, path: String)

  // Errors found by this layer.

  /// There is no store at the path.
  case notFound(path: String)
  /// The path is not a store of this format.
  case notAStore(path: String, why: String)
  /// Creating found something at the path already.
  case alreadyExists(path: String)
  /// The file ends before a page that it refers to.
  case truncated(path: String, pages: Int, needed: Int)
  /// A page does not match its tree.
  case damaged(path: String, page: Int, what: String)
  /// Another process may use the same file with locks of its own, so that commits would get lost. The second value says
  /// how that can be.
  case locksApart(path: String, why: String)
  /// A compaction has put another file in the place of this one: open it again.
  case superseded
  /// The file at the path has the mark of a compaction that was cut off before it put another in its place.
  case compactionUnfinished
  /// The environment was opened before a `fork` and belongs to the parent process.
  case forked
  /// Another process or thread did not finish in time.
  case busy
  /// The writer lock was not available in time; `WriterHolder` holds it, if known.
  case writerBusy(WriterHolder?)
  /// The caller cancelled the wait.
  case cancelled
  /// This thread is inside a write transaction already.
  case nestedWrite
  /// A write transaction was used, ended or dropped on a thread that did not begin it.
  case wrongThread
  /// The transaction, or that of the cursor, has ended.
  case transactionEnded
  /// The cursor is at no entry.
  case noPosition
  /// The environment is open for reading only.
  case readOnly
}

extension LMDBError {
  /// The error for a code LMDB returned. Positive codes are the system's.
  static func code(_ code: Int32, doing: String, path: String) -> LMDBError {
    switch code {
    case -30799: .keyExists
    case -30797: .pageNotFound
    case -30796: .corrupted
    case -30795: .panic
    case -30794: .versionMismatch
    case -30793: .invalid
    case -30792: .mapFull(size: 0)
    case -30791: .databasesFull(maximum: 0)
    case -30790: .readersFull(maximum: 0)
    case -30789: .threadKeysFull
    case -30788: .transactionFull
    case -30787: .cursorFull
    case -30786: .pageFull
    case -30785: .mapResized
    case -30784: .incompatible(doing)
    case -30783: .badReaderSlot
    case -30782: .badTransaction
    case -30781: .badValueSize(0)
    case -30780: .badDatabase
    case 1...: .system(code, doing: doing, path: path)
    default: .unknownCode(code)
    }
  }

  /// The error for the current `errno`.
  static func lastSystemError(_ doing: String, _ path: String) -> LMDBError {
    .system(errno, doing: doing, path: path)
  }

  /// Whether the cause is something wrong in the file.
  package var isDamage: Bool {
    switch self {
    case .pageNotFound, .corrupted, .cursorFull, .pageFull, .truncated, .damaged, .incompatible: true
    default: false
    }
  }
}

extension LMDBError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .keyExists: "the key is there already, or out of order"
    case .pageNotFound: "a page the file refers to is not in it: the file is damaged"
    case .corrupted: "a page of the wrong kind: the file is damaged"
    case .panic:
      "a commit failed while it was written, and this process still reads the state before it; the store opens again by "
        + "itself once these snapshots have ended"
    case .versionMismatch: "the file was written by another version of LMDB"
    case .invalid: "the file is not an LMDB file"
    case .mapFull(let size): "the store has reached the largest size it may have here (\(size) bytes)"
    case .databasesFull(let maximum): "the store has its full number of databases (\(maximum))"
    case .readersFull(let maximum): "all \(maximum) reader slots are taken; end some read transactions"
    case .threadKeysFull: "the process has no thread-local keys left"
    case .transactionFull: "the transaction changed too many pages; commit more often"
    case .cursorFull: "a tree is deeper than any tree can be: the file is damaged"
    case .pageFull: "a page has no room where it must have some: the file is damaged"
    case .mapResized: "another process grew the store past what this one can map; open it again"
    case .incompatible(let what): "a database is not of the kind that it should be, so the file is damaged: \(what)"
    case .badReaderSlot: "a reader slot is in use by something else"
    case .badTransaction: "the transaction failed earlier and can only be aborted"
    case .badValueSize(0): "an empty key, or a key or value of a size that is not allowed here"
    case .badValueSize(let count): "a key or value of \(count) bytes is not allowed here"
    case .badDatabase: "the database handle is not known to this transaction"
    case .unknownCode(let code): "LMDB returned the unknown code \(code)"
    case .system(let code, let doing, let path): "\(doing) \(path): \(String(cString: strerror(code)))"
    case .notFound(let path): "there is no store at \(path)"
    case .notAStore(let path, let why): "\(path) is not a store: \(why)"
    case .alreadyExists(let path): "something is at \(path) already"
    case .truncated(let path, let pages, let needed):
      "\(path) is cut short: it has \(pages) pages and refers to page \(needed)"
    case .damaged(let path, let page, let what): "\(path) is damaged: page \(page): \(what)"
    case .locksApart(let path, let why): "\(path) may be written by others who do not see its locks: \(why)"
    case .superseded: "the store was compacted by somebody else; open it again"
    case .compactionUnfinished: "a compaction of the store was cut off; open it for writing once"
    case .forked: "the store was opened before a fork; open it again in the child process"
    case .busy: "somebody else is at work and did not finish in time"
    case .writerBusy(let holder):
      holder.map { "process \($0.processID) is writing and did not finish in time" }
        ?? "another writer is at work and did not finish in time"
    case .cancelled: "it was given up"
    case .nestedWrite: "this thread is inside a write transaction already"
    case .wrongThread: "a write transaction belongs to the thread that began it"
    case .transactionEnded: "the transaction has ended"
    case .noPosition: "the cursor is at no entry"
    case .readOnly: "the store is open for reading only"
    }
  }
}
