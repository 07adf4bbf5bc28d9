import CDecoding

/// How a file is compressed, by the ending of its name.
enum FileCompression {
  case gzip, zstd

  private static let endings: KeyValuePairs<String, FileCompression> = [
    ".gz": .gzip, ".zst": .zstd, ".zstd": .zstd,
  ]

  /// The compression that a file's name asks for, and the name without its ending; nil for any other name.
  static func named(_ path: String) -> (compression: FileCompression, rest: String)? {
    let name = path.lowercased()
    return endings.first { name.hasSuffix($0.key) }.map { ($0.value, String(path.dropLast($0.key.count))) }
  }

  /// The name of a file without the ending of its compression.
  static func plainName(of path: String) -> String { named(path)?.rest ?? path }
}

/// Compresses what is written to a file. The file is whole after the last bytes.
final class FileCompressor {
  private let encoder: OpaquePointer

  init(_ compression: FileCompression) throws {
    let encoder =
      switch compression {
      case .gzip: cdec_gzip_encoder()
      case .zstd: cdec_zstd_encoder()
      }
    guard let encoder else { throw CommandFailure(description: "there is not enough memory to compress") }
    self.encoder = encoder
  }

  deinit { cdec_destroy(encoder) }

  /// Compresses bytes and writes them to a file. Returns false when writing fails; see `errno`.
  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, isLast: Bool) throws -> Bool {
    let outcome = cdec_encode(encoder, descriptor, bytes.baseAddress, bytes.count, isLast)
    guard outcome == cdec_done || outcome == cdec_unwritable else {
      throw CommandFailure(description: "there is not enough memory to compress")
    }
    return outcome == cdec_done
  }
}
