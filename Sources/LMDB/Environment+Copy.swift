import CLMDB
import CPlatform
import Glibc

extension Environment {
  /// Writes the last commit to a new store at a path where there is nothing, or an empty folder: without what is free,
  /// so it is as small as it can be. Others go on reading and writing meanwhile. It is made aside and moved to its place
  /// when it is whole and on disk.
  ///
  /// - Parameter isCancelled: Asked for every mebibyte, while the pages are checked and while they are written: once it
  ///   says yes, nothing is left of the copy, and `LMDBError.cancelled` is thrown.
  package func copy(to directory: String, isCancelled: (() -> Bool)? = nil) throws {
    // The map must stay where it is while LMDB reads it, and it does while somebody reads.
    let reader = try beginRead()
    defer { reader.end() }
    // LMDB reads every page that is in use.
    try checkEverything(isCancelled: isCancelled)
    let (parent, name) = try Self.split(directory)
    let hasEmptyFolder = try Self.isEmptyFolder(directory)
    let temporary = try Self.makeBeside(directory, in: parent, name: name)
    do {
      try copy(intoFile: temporary.path + "/data.mdb", isCancelled: isCancelled)
      try Self.sync(temporary.path + "/data.mdb")
      try Self.sync(temporary.path, isFolder: true)
      try Self.move(temporary.path, to: directory, replacingEmptyFolder: hasEmptyFolder)
    } catch {
      temporary.remove()
      throw error
    }
    temporary.keep()
    try Self.sync(parent, isFolder: true)
  }

  /// LMDB's copying cannot be stopped. So it writes into a pipe on a thread of its own, and ends when nobody reads there
  /// any more.
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

  /// Writes all that comes out of a pipe to a file; what kept it from that.
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

/// LMDB writing a compact copy to a pipe, on a thread of its own.
private final class PipedCopy: @unchecked Sendable {
  private let raw: OpaquePointer
  private let pipe: Int32
  private var thread = pthread_t()
  /// Written by the thread, read when it has ended.
  private var code: Int32 = 0

  private init(_ raw: OpaquePointer, _ pipe: Int32) {
    self.raw = raw
    self.pipe = pipe
  }

  /// Starts the thread, which closes the pipe when it has written all, or can't.
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

  /// Waits for its end; what LMDB said of the copy.
  func end() -> Int32 {
    pthread_join(thread, nil)
    return code
  }
}
