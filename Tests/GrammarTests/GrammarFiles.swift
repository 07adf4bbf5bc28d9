import Glibc
import GrammarNotation
import Testing

/// The files of `Grammar`, as they are in the source tree.
enum GrammarFiles {
  static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Grammar"

  /// The grammar of a file, such as `Predicate`.
  static func grammar(_ name: String) throws -> Grammar {
    let text = try #require(read("\(folder)/\(name).ebnf"), "there is no \(name).ebnf")
    return try NotationReader.grammar(text, file: "\(name).ebnf")
  }

  /// Statements go on from predicates.
  static func statements() throws -> Grammar { try grammar("Statement") + grammar("Predicate") }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names of a folder's files in alphabetical order.
  static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
