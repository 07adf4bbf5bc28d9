import CSimdjson
import Glibc

/// Reads a file from front to back through a buffer that always has readable bytes after its end.
///
/// The file is read, not mapped: a file that shrinks during the import must not end the process. It counts offsets and
/// lines, and does not interpret the bytes.
final class ByteWindow {
  /// Why a file could not be read.
  struct Failure: Error {
    var path: String
    var reason: String
  }

  let path: String
  /// The size of the file when it was opened.
  let size: Int
  private let descriptor: CInt
  private let padding = Int(csj_padding())
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var start = 0
  private var end = 0
  private var startOffset = 0
  private(set) var isAtEnd = false
  /// The line of the first byte not yet consumed, from 1.
  private(set) var line = 1

  /// A single record larger than this means a damaged file.
  static let largestRecord = 256 << 20

  /// Opens a file for reading, whatever it is compressed with.
  ///
  /// - Parameter encoding: The encoding of the text; nil for UTF-8, or UTF-16 with a byte order mark.
  init(path: String, encoding: String? = nil, chunk: Int = 1 << 20) throws(Failure) {
    let descriptor = try SourceFile.open(path, encoding: encoding)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let failure = Failure(path: path, reason: Self.reason(errno))
      close(descriptor)
      throw failure
    }
    self.path = path
    self.descriptor = descriptor
    self.size = Int(status.st_size)
    capacity = chunk
    buffer = .allocate(byteCount: chunk + padding, alignment: 64)
    try rewind()
  }

  deinit {
    buffer.deallocate()
    close(descriptor)
  }

  /// Back to the first byte after a byte order mark.
  func rewind() throws(Failure) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Failure(path: path, reason: Self.reason(errno)) }
    (start, end, startOffset, isAtEnd, line) = (0, 0, 0, false, 1)
    while end < 3, !isAtEnd { try fill() }
    let bytes = available
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { consume(3) }
  }

  /// The bytes read and not yet consumed.
  var available: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer + start, count: end - start) }

  /// The same bytes for a reader that unescapes in place.
  var mutableBytes: UnsafeMutablePointer<UInt8> { (buffer + start).assumingMemoryBound(to: UInt8.self) }

  /// The offset in the file of the first byte not yet consumed.
  var offset: Int { startOffset + start }

  /// How far the reading has come, 0…1.
  var fraction: Double { size > 0 ? min(1, Double(offset) / Double(size)) : 1 }

  /// Steps over bytes; pointers into `available` stay good until the next `fill`.
  func consume(_ count: Int, lines: Int? = nil) {
    let count = min(count, end - start)
    line += lines ?? Int(csj_count_lines((buffer + start).assumingMemoryBound(to: CChar.self), count))
    start += count
  }

  /// Reads more, keeping what is not consumed; the buffer grows when it is full.
  func fill() throws(Failure) {
    guard !isAtEnd else { return }
    if start > 0 {
      memmove(buffer, buffer + start, end - start)
      startOffset += start
      end -= start
      start = 0
    }
    if end == capacity {
      guard capacity < Self.largestRecord else {
        throw Failure(
          path: path, reason: "the record that begins on line \(line) is longer than \(Self.largestRecord >> 20) MiB")
      }
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2 + padding, alignment: 64)
      memcpy(larger, buffer, end)
      buffer.deallocate()
      buffer = larger
      capacity *= 2
    }
    while true {
      let count = read(descriptor, buffer + end, capacity - end)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(path: path, reason: Self.reason(errno))
      }
      if count == 0 { isAtEnd = true }
      end += count
      memset(buffer + end, 0, padding)
      return
    }
  }

  /// Skips white space and returns the next byte; nil at the end of the file.
  func skipWhiteSpace(and extra: UInt8 = 0x20) throws(Failure) -> UInt8? {
    while true {
      let bytes = available
      var index = 0
      while index < bytes.count {
        switch bytes[index] {
        case 0x20, 0x09, 0x0A, 0x0D, extra: index += 1
        case let byte:
          consume(index)
          return byte
        }
      }
      consume(index)
      if isAtEnd { return nil }
      try fill()
    }
  }

  static func reason(_ code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "no permission to read it"
    default: String(cString: strerror(code))
    }
  }
}
