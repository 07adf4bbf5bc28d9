import CSimdjson
import Foundation
import ObjectStoreCore
import Testing

@testable import objquery

/// A folder that goes with the test.
final class Workshop {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "objquery-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  func file(_ name: String, _ text: String) throws -> String { try file(name, bytes: Array(text.utf8)) }

  func file(_ name: String, bytes: [UInt8]) throws -> String {
    let full = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: full))
    return full
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}

/// Everything a reader gives, a line each: what a person can compare.
func transcript(_ reader: some RecordReader) throws -> [String] {
  var lines: [String] = []
  while true {
    switch try reader.next() {
    case .record(let fields, let line):
      let shown = fields.map { "\(reader.name(ofPath: $0.path))=\(show($0))" }
      lines.append("\(line): \(shown.joined(separator: " "))")
    case .bad(let line, let reason): lines.append("\(line): BAD \(reason)")
    case .end: return lines
    case .damaged(let line, let offset, let reason): return lines + ["\(line): DAMAGED \(reason) @\(offset)"]
    }
  }
}

private func show(_ field: Field) -> String {
  switch field.kind.rawValue {
  case 0: "nil"
  case 1: field.integer != 0 ? "true" : "false"
  case 2: "\(field.integer)"
  case 3: "\(field.real)"
  case 4: "'\(field.string)'"
  case 5: "{"
  case 6: field.string
  case 7: "<\(field.string)>"
  default: "\"\(field.string)\""
  }
}

/// The sample data beside the package, or nil where it is not.
func sample(_ name: String, file: String = #filePath) -> String? {
  let path = URL(fileURLWithPath: file).deletingLastPathComponent().path + "/../../../shared/data/" + name
  guard FileManager.default.fileExists(atPath: path) else {
    print("SKIPPED: \(name) is not there")
    return nil
  }
  return URL(fileURLWithPath: path).standardizedFileURL.path
}
