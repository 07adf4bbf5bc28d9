import Glibc
import ObjectStoreCore
internal import Values

/// Writes results through a buffer to standard output, a file or a pager. It knows no formats.
final class OutputSink {
  /// Whether the output is for a person: colours, control characters escaped, tables cut to the screen.
  let isTerminal: Bool
  /// The number of bytes, approximately, that are written at once; a person sees the first rows while others follow.
  private var large: Int { isTerminal ? 1 << 12 : 1 << 16 }
  private var descriptor: CInt
  private let ownsDescriptor: Bool
  private var name: String
  /// The bytes not yet written.
  private var text: TextBytes
  private var pager: Pager?
  /// What ends the page that several results are part of; nil without a page.
  var pageEnd: String?
  /// For a file that is compressed, until its end is written.
  private var compressor: FileCompressor?
  /// Starts a pager when the output turns out to be taller than the screen.
  private var awaited: (rows: Int, start: () -> Pager?)?

  private init(descriptor: CInt, name: String, isTerminal: Bool, owns: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isTerminal = isTerminal
    ownsDescriptor = owns
    text = TextBytes(capacity: isTerminal ? 1 << 13 : 1 << 17)
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Standard output.
  static func standard() -> OutputSink {
    OutputSink(descriptor: 1, name: "standard output", isTerminal: isatty(1) == 1, owns: false)
  }

  /// A file, which is truncated first.
  ///
  /// - Parameters:
  ///   - name: The name in messages, if it is not the path.
  ///   - replaces: Whether a nonempty file is replaced; otherwise it is refused.
  static func file(_ path: String, name: String? = nil, replaces: Bool = true) throws -> OutputSink {
    let name = name ?? path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(description: "cannot write \(name): \(String(cString: strerror(errno)))")
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
    let sink = OutputSink(descriptor: descriptor, name: name, isTerminal: false, owns: true)
    try sink.compress()
    return sink
  }

  /// A file in a temporary place; its creator moves it to its destination.
  static func aside(_ file: Aside, name: String) throws -> OutputSink {
    let sink = OutputSink(descriptor: file.descriptor, name: name, isTerminal: false, owns: false)
    try sink.compress()
    return sink
  }

  /// Compresses the file if its name says so.
  private func compress() throws {
    compressor = try FileCompression.named(name).map { try FileCompressor($0.compression) }
  }

  /// The terminal; from the first line on through a pager, if there are more than `rows` lines.
  ///
  /// - Parameter start: Starts the pager; nil if there is none.
  static func screen(rows: Int, pager start: @escaping () -> Pager?) -> OutputSink {
    let sink = standard()
    sink.awaited = (rows, start)
    return sink
  }

  func write(_ text: String) throws { try write { $0.append(text) } }

  /// Writes what `body` appends.
  func write(_ body: (inout TextBytes) -> Void) throws {
    let before = text.count
    body(&text)
    if awaited != nil {
      var lines = 0
      for byte in text.bytes(from: before) where byte == UInt8(ascii: "\n") { lines += 1 }
      awaited?.rows -= lines
      // Few lines of many bytes are not taller than the screen, but are not kept either.
      guard let awaited, awaited.rows < 0 || text.count >= 1 << 16 else { return }
      startPager(awaited.start)
      return try flush()
    }
    if text.count >= large { try flush() }
  }

  private func startPager(_ start: () -> Pager?) {
    awaited = nil
    guard let started = start() else { return }
    pager = started
    descriptor = started.input
    name = "the pager"
  }

  /// Hands everything on; a compressor keeps the last part of it.
  func flush() throws {
    defer { text.removeAll() }
    if let compressor { return try write(with: compressor, isLast: false) }
    var rest = UnsafeRawBufferPointer(text.bytes())
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  private func write(with compressor: FileCompressor, isLast: Bool) throws {
    let isWritten = try compressor.write(UnsafeRawBufferPointer(text.bytes()), to: descriptor, isLast: isLast)
    if !isWritten { throw failure() }
  }

  /// Why writing failed.
  private func failure() -> any Error {
    if errno == EPIPE { return OutputClosed() }
    return CommandFailure(description: "cannot write \(name): \(String(cString: strerror(errno)))")
  }

  /// Flushes the buffer and syncs the file to disk.
  func sync() throws {
    try flush()
    guard fsync(descriptor) == 0 else {
      throw CommandFailure(description: "cannot write \(name): \(String(cString: strerror(errno)))")
    }
  }

  /// Ends the page that results are part of, if there is one.
  func endPage() throws {
    guard let pageEnd else { return }
    self.pageEnd = nil
    try write(pageEnd)
  }

  /// Ends a page and a compressed file, flushes the buffer, and waits for the pager, if there is one.
  func finish() throws {
    defer { pager?.wait() }
    try endPage()
    awaited = nil
    guard let compressor else { return try flush() }
    defer { text.removeAll() }
    self.compressor = nil
    try write(with: compressor, isLast: true)
  }
}
