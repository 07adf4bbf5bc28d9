import CDecoding
import Glibc

/// Opens a file that is imported, as UTF-8 text that can be read twice. What can't be, such as a pipe, and what is
/// compressed or in another encoding, is first written to a temporary file that has no name.
enum SourceFile {
  /// - Parameter encoding: The encoding of the text, as iconv calls it; nil for UTF-8, or UTF-16 with a byte order mark.
  static func open(_ path: String, encoding: String?) throws(ByteWindow.Failure) -> CInt {
    var descriptor = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    do throws(ByteWindow.Failure) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
      guard status.st_mode & S_IFMT != S_IFDIR else { throw ByteWindow.Failure(path: path, reason: "it is a folder") }
      if status.st_mode & S_IFMT != S_IFREG { try replace(&descriptor, path, "read", copy) }
      var start = try head(descriptor, path)
      // A compressed file may be compressed again.
      for _ in 0..<4 {
        if start.starts(with: [0x1F, 0x8B]) {
          try replace(&descriptor, path, "gzip", cdec_gzip)
        } else if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
          try replace(&descriptor, path, "zstd", cdec_zstd)
        } else {
          break
        }
        start = try head(descriptor, path)
      }
      let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      if let encoding = encoding ?? (isUTF16 ? "UTF-16" : nil), !isUTF8(encoding) {
        var offset = 0
        try replace(&descriptor, path, encoding, { cdec_text($0, $1, encoding, &offset) }, offset: { offset })
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func isUTF8(_ encoding: String) -> Bool { ["utf-8", "utf8"].contains(encoding.lowercased()) }

  /// The first bytes of a file.
  private static func head(_ descriptor: CInt, _ path: String) throws(ByteWindow.Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw failure(path, errno) }
    return Array(bytes.prefix(count))
  }

  /// Goes on with a temporary file that `body` has filled.
  private static func replace(
    _ descriptor: inout CInt, _ path: String, _ form: String, _ body: (CInt, CInt) -> cdec_outcome,
    offset: () -> Int = { 0 }
  ) throws(ByteWindow.Failure) {
    guard let file = tmpfile() else { throw failure(path, errno) }
    defer { fclose(file) }
    // A pipe has no beginning to return to.
    _ = lseek(descriptor, 0, SEEK_SET)
    let outcome = body(descriptor, fileno(file))
    switch outcome {
    case cdec_done: break
    case cdec_unreadable: throw failure(path, errno)
    case cdec_unwritable:
      throw ByteWindow.Failure(
        path: path, reason: "it cannot be unpacked to a temporary file: \(String(cString: strerror(errno)))")
    case cdec_damaged where form == "gzip" || form == "zstd":
      throw ByteWindow.Failure(path: path, reason: "its \(form) data is damaged")
    case cdec_damaged:
      throw ByteWindow.Failure(path: path, reason: "byte \(offset()) is no text in \(form)")
    case cdec_cut: throw ByteWindow.Failure(path: path, reason: "its \(form) data ends too early")
    case cdec_unknown:
      throw ByteWindow.Failure(
        path: path, reason: "there is no encoding '\(form)'; 'iconv --list' shows all, such as latin1 or utf-16le")
    default: throw ByteWindow.Failure(path: path, reason: "there is not enough memory")
    }
    let next = dup(fileno(file))
    guard next >= 0, lseek(next, 0, SEEK_SET) == 0 else { throw failure(path, errno) }
    close(descriptor)
    descriptor = next
  }

  private static func copy(_ source: CInt, _ target: CInt) -> cdec_outcome {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { bytes.deallocate() }
    while true {
      let count = read(source, bytes, 1 << 16)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return cdec_unreadable }
      if count == 0 { return cdec_done }
      var written = 0
      while written < count {
        let part = write(target, bytes + written, count - written)
        if part < 0, errno == EINTR { continue }
        guard part >= 0 else { return cdec_unwritable }
        written += part
      }
    }
  }

  private static func failure(_ path: String, _ code: CInt) -> ByteWindow.Failure {
    ByteWindow.Failure(path: path, reason: ByteWindow.reason(code))
  }
}
