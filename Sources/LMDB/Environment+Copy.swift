import CLMDB
import CPlatform
import Glibc

extension Environment {
  /// Writes the last commit to a new store at a path that does not exist or is an empty folder, without free pages, so
  /// that the copy is as small as possible. Others can read and write meanwhile. The copy is made in a temporary folder
  /// and moved when it is complete and on disk.
  ///
  /// - Parameters:
  ///   - replacing: Whether a store at the path is replaced. Without it, there must be none.
  ///   - isCancelled: Called for every mebibyte, both while pages are checked and while they are written: once it returns
  ///     true, the copy is deleted and `LMDBError.cancelled` is thrown.
  ///   - verify: Called with the folder of the complete copy before it is moved; if it throws, the copy is deleted.
  package func copy(
    to directory: String, replacing: Bool = false, isCancelled: (() -> Bool)? = nil,
    verifying verify: (_ copy: String) throws -> Void = { _ in }
  ) throws {
    if isOwn(directory) { throw LMDBError.alreadyExists(path: directory) }
    // The map must not move while LMDB reads it, and it does not while there is a reader.
    let reader = try beginRead()
    defer { reader.end() }
    // LMDB reads every used page.
    try checkEverything(isCancelled: isCancelled)
    try Self.place(directory, replacing: replacing) { folder in
      try copy(intoFile: folder + "/data.mdb", isCancelled: isCancelled)
      try Self.sync(folder + "/data.mdb")
      try verify(folder)
    }
  }

  /// LMDB's copying can't be cancelled. So it writes into a pipe on its own thread, and ends when the pipe has no
  /// reader.
  private func copy(intoFile path: String, isCancelled: (() -> Bool)?) throws(LMDBError) {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .lastSystemError("making", path) }
    defer { _ = Glibc.close(file) }
    var ends: [Int32] = [-1, -1]
    let made = platform_pipe(&ends)
    guard made == 0 else { throw .system(made, doing: "making a pipe to copy to", path: path) }
    let copying: PipedCopy
    do throws(LMDBError) {
      copying = try PipedCopy.start(raw, to: ends[1], path: path)
    } catch {
      _ = Glibc.close(ends[0])
      throw error
    }
    let failure = Self.transfer(from: ends[0], to: file, path: path, isCancelled: isCancelled)
    _ = Glibc.close(ends[0])
    let code = copying.end()
    if let failure { throw failure }
    guard code == 0 else { throw error(code, "copying") }
  }

  /// Copies the contents of a pipe to a file; returns the error, if any.
  private static func transfer(
    from pipe: Int32, to file: Int32, path: String, isCancelled: (() -> Bool)?
  ) -> LMDBError? {
    let size = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4_096)
    defer { buffer.deallocate() }
    while true {
      if let isCancelled, isCancelled() { return .cancelled }
      let count = read(pipe, buffer, size)
      if count == 0 { return nil }
      if count < 0 {
        if errno == EINTR { continue }
        return .lastSystemError("copying to", path)
      }
      var written = 0
      while written < count {
        let more = Glibc.write(file, buffer + written, count - written)
        if more > 0 { written += more } else if errno != EINTR { return .lastSystemError("copying to", path) }
      }
    }
  }
}

/// Makes LMDB write a compact copy to a pipe, on its own thread.
private final class PipedCopy: @unchecked Sendable {
  private let raw: OpaquePointer
  private let pipe: Int32
  private var thread = pthread_t()
  /// Written by the thread, read after it ends.
  private var code: Int32 = 0

  private init(_ raw: OpaquePointer, _ pipe: Int32) {
    self.raw = raw
    self.pipe = pipe
  }

  /// Starts the thread, which closes the pipe when it has written everything, or failed.
  static func start(_ raw: OpaquePointer, to pipe: Int32, path: String) throws(LMDBError) -> PipedCopy {
    let copy = PipedCopy(raw, pipe)
    let context = Unmanaged.passRetained(copy)
    let failure = pthread_create(
      &copy.thread, nil,
      { context in
        context.map { Unmanaged<PipedCopy>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard failure == 0 else {
      context.release()
      _ = Glibc.close(pipe)
      throw .system(failure, doing: "starting a thread to copy to", path: path)
    }
    return copy
  }

  private func run() {
    code = mdb_env_copyfd2(raw, pipe, UInt32(MDB_CP_COMPACT))
    _ = Glibc.close(pipe)
  }

  /// Waits for the thread to end and returns LMDB's result.
  func end() -> Int32 {
    pthread_join(thread, nil)
    return code
  }
}
