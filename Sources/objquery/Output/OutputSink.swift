import Glibc
import ObjectStoreCore

/// Writes results through a buffer to standard output, a file or a pager. It knows no formats.
final class OutputSink {
  /// Whether the output is for a person: colours, control characters escaped, tables cut to the screen.
  let isTerminal: Bool
  /// The number of bytes, approximately, that are written at once.
  private static let large = 1 << 16
  private let descriptor: CInt
  private let ownsDescriptor: Bool
  private let name: String
  /// The bytes not yet written.
  private var text = TextBytes(capacity: 2 * large)
  private let pager: Pager?

  private init(descriptor: CInt, name: String, isTerminal: Bool, owns: Bool, pager: Pager? = nil) {
    self.descriptor = descriptor
    self.name = name
    self.isTerminal = isTerminal
    ownsDescriptor = owns
    self.pager = pager
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Standard output.
  static func standard() -> OutputSink {
    OutputSink(descriptor: 1, name: "standard output", isTerminal: isatty(1) == 1, owns: false)
  }

  /// A file, which is truncated first.
  ///
  /// - Parameter replaces: Whether a nonempty file is replaced; otherwise it is refused.
  static func file(_ path: String, replaces: Bool = true) throws -> OutputSink {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      if status.st_size > 0, !replaces {
        close(descriptor)
        throw CommandFailure(
          description: "\(path) exists and is not empty; --overwrite before its name replaces it", code: "file-exists")
      }
      ftruncate(descriptor, 0)
    }
    return OutputSink(descriptor: descriptor, name: path, isTerminal: false, owns: true)
  }

  /// A file in a temporary place; its creator moves it to its destination.
  static func aside(_ file: Aside, name: String) -> OutputSink {
    OutputSink(descriptor: file.descriptor, name: name, isTerminal: false, owns: false)
  }

  /// The user's pager.
  static func pager(_ pager: Pager) -> OutputSink {
    OutputSink(descriptor: pager.input, name: "the pager", isTerminal: true, owns: false, pager: pager)
  }

  func write(_ text: String) throws { try write { $0.append(text) } }

  /// Writes what `body` appends.
  func write(_ body: (inout TextBytes) -> Void) throws {
    body(&text)
    if text.count >= Self.large { try flush() }
  }

  /// Hands everything on.
  func flush() throws {
    defer { text.removeAll() }
    var rest = UnsafeRawBufferPointer(text.bytes())
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw OutputClosed() }
        throw CommandFailure(description: "cannot write \(name): \(String(cString: strerror(errno)))")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Flushes the buffer and syncs the file to disk.
  func sync() throws {
    try flush()
    guard fsync(descriptor) == 0 else {
      throw CommandFailure(description: "cannot write \(name): \(String(cString: strerror(errno)))")
    }
  }

  /// Flushes the buffer and waits for the pager, if there is one.
  func finish() throws {
    defer { pager?.wait() }
    try flush()
  }
}
