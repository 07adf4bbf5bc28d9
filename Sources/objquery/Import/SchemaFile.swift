import Glibc
import ObjectStoreCore
internal import Schema

/// A schema file: Swift source that declares models.
enum SchemaFile {
  /// The schema a file declares.
  static func read(_ path: String) throws -> Schema {
    try SchemaText.parse(TextFile.read(path), name: path)
  }
}

/// Reads a whole file as text, for scripts and schemas.
enum TextFile {
  /// The most a script may be, so that a device that never ends does not fill the memory.
  private static let limit = 64 << 20

  /// The text of a file; `-` is standard input.
  static func read(_ path: String) throws -> String {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path, errno)
      }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[0..<count])
      guard bytes.count <= limit else {
        throw CommandFailure(description: "\(path) is longer than \(limit >> 20) MiB")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(description: "\(path) is not UTF-8 text")
    }
    return text
  }

  private static func failure(_ path: String, _ code: CInt) -> CommandFailure {
    let reason = code == ENOENT ? "there is no such file" : String(cString: strerror(code))
    return CommandFailure(description: "cannot read \(path): \(reason)", code: "unreadable-file")
  }
}
