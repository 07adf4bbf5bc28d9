import Glibc

/// Where results are written, through a buffer: standard output, a file, or a pager. It knows no formats.
final class OutputSink {
  /// Whether a person looks at it: colours, control characters written out, tables cut to the screen.
  let isTerminal: Bool
  private let descriptor: CInt
  private let ownsDescriptor: Bool
  private let name: String
  private var buffer: [UInt8] = []
  private let pager: Pager?

  private init(descriptor: CInt, name: String, isTerminal: Bool, owns: Bool, pager: Pager? = nil) {
    self.descriptor = descriptor
    self.name = name
    self.isTerminal = isTerminal
    ownsDescriptor = owns
    self.pager = pager
    buffer.reserveCapacity(1 << 16)
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Standard output.
  static func standard() -> OutputSink {
    OutputSink(descriptor: 1, name: "standard output", isTerminal: isatty(1) == 1, owns: false)
  }

  /// A file, which is emptied first.
  static func file(_ path: String) throws -> OutputSink {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    return OutputSink(descriptor: descriptor, name: path, isTerminal: false, owns: true)
  }

  /// The user's pager.
  static func pager(_ pager: Pager) -> OutputSink {
    OutputSink(descriptor: pager.input, name: "the pager", isTerminal: true, owns: false, pager: pager)
  }

  func write(_ text: String) throws {
    var text = text
    text.withUTF8 { buffer.append(contentsOf: $0) }
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Hands everything on.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes { bytes in
      var rest = bytes
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
  }

  /// Hands everything on and waits for the pager, if there is one.
  func finish() throws {
    defer { pager?.wait() }
    try flush()
  }
}
