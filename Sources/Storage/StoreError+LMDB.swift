internal import Glibc
internal import LMDB

extension StoreError {
  /// The error that a failure of the storage engine is for users of the store at `path`.
  init(_ error: LMDBError, path: String) {
    switch error {
    case .busy: self = .busy(by: nil)
    case .writerBusy(let holder): self = .busy(by: holder.map(StoreWriter.init))
    case .cancelled: self = .cancelled
    case .nestedWrite: self = .nestedWrite
    case .transactionEnded, .badTransaction: self = .finished
    case .forked: self = .forked(path: path)
    case .readOnly: self = .readOnly(path: path)
    case .mapFull: self = .full(path: path)
    case .readersFull: self = .readersFull(path: path)
    case .notFound(let path): self = .notFound(path: path)
    case .notAStore(let path, let why): self = .notAStore(path: path, reason: why)
    case .locksApart(let path, let why): self = .locksApart(path: path, reason: why)
    case .alreadyExists(let path): self = .io(path: path, reason: "something is there already")
    case .invalid: self = .notAStore(path: path, reason: "it is not a file of LMDB")
    case .versionMismatch: self = .notAStore(path: path, reason: "another version of LMDB wrote it")
    case .pageNotFound, .corrupted, .cursorFull, .pageFull, .truncated, .damaged, .incompatible:
      self = .corrupted(location: "\(path): \(error)")
    case .system(let code, let doing, let path): self = Self.system(code, doing: doing, path: path)
    case .databasesFull(let maximum):
      self = .unsupported(
        "a store has at most \(maximum) databases: two for each entity and one for each index and link")
    case .transactionFull: self = .unsupported("one transaction cannot change that much; write in several")
    case .wrongThread: self = .unsupported("a write transaction belongs to the thread that began it")
    case .superseded, .compactionUnfinished, .keyExists, .panic, .threadKeysFull, .mapResized,
      .badReaderSlot, .badValueSize,
      .badDatabase, .noPosition, .unknownCode:
      self = .io(path: path, reason: "\(error)")
    }
  }

  private static func system(_ code: Int32, doing: String, path: String) -> StoreError {
    switch code {
    case ENOENT, ENOTDIR: .notFound(path: path)
    case EACCES, EPERM: .permissionDenied(path: path)
    case EROFS: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    case EFBIG:
      .io(
        path: path,
        reason: "the file would be longer than this process may make one (ulimit -f); nothing was written")
    default: .io(path: path, reason: "\(doing): \(String(cString: strerror(code)))")
    }
  }

  /// Runs `body` and translates errors of the storage engine; other errors are passed on.
  @inline(__always)
  static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as LMDBError { throw StoreError(error, path: path) }
  }

  /// Runs `body`, which throws only errors of the store and of the storage engine.
  @inline(__always)
  static func only<R>(_ path: String, _ body: () throws -> R) throws(StoreError) -> R {
    do { return try body() } catch let error as StoreError { throw error } catch let error as LMDBError {
      throw StoreError(error, path: path)
    } catch { throw .io(path: path, reason: "\(error)") }
  }

  /// Runs `body`, which makes a store at a path: with a full disk there is none, so there is no commit that is intact.
  static func making<R>(_ directory: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch {
      let meant: any Error = if let error = error as? LMDBError { StoreError(error, path: directory) } else { error }
      guard case StoreError.full = meant else { throw error }
      throw StoreError.io(path: directory, reason: "there is no room to make a store; free some space and try again")
    }
  }

  /// Like `translating`, for a body that throws only errors of the storage engine.
  @inline(__always)
  static func meaning<R>(_ path: String, _ body: () throws(LMDBError) -> R) throws(StoreError) -> R {
    do { return try body() } catch { throw StoreError(error, path: path) }
  }
}
