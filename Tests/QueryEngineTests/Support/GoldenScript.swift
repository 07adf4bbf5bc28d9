import Glibc
import Testing

/// A golden script: blocks of `> input` lines, `---`, and the output, with blank lines between. `UPDATE_GOLDENS=1`
/// writes what came out instead of comparing it. Other lines between blocks are remarks, and stay.
struct GoldenScript {
  static let folder =
    #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Goldens"

  /// Runs every block of a script through `body`.
  static func run(_ name: String, _ body: (String) -> String) throws {
    let path = "\(folder)/\(name).txt"
    let script = try #require(read(path), "no golden script \(path)")
    let updates = getenv("UPDATE_GOLDENS") != nil
    var output: [String] = []
    var input: [String] = []
    var expected: [String] = []
    var isInOutput = false
    func finish() {
      if input.isEmpty { return }
      let text = input.joined(separator: "\n")
      let result = body(text)
      output += input.map { "> " + $0 } + ["---", result]
      if !updates { #expect(result == expected.joined(separator: "\n"), "\(name): \(text)") }
      (input, expected, isInOutput) = ([], [], false)
    }
    for line in script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("> "), !isInOutput {
        input.append(String(line.dropFirst(2)))
      } else if line == "---", !input.isEmpty {
        isInOutput = true
      } else if line.isEmpty {
        finish()
        output.append("")
      } else if isInOutput {
        expected.append(line)
      } else {
        output.append(line)
      }
    }
    finish()
    if updates { try write(output.joined(separator: "\n"), path) }
  }

  /// The inputs of a script, in their order.
  static func inputs(_ name: String) throws -> [String] {
    let script = try #require(read("\(folder)/\(name).txt"), "no golden script \(name)")
    var inputs: [String] = []
    var continues = false
    for line in script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("> "), continues {
        inputs[inputs.count - 1] += "\n" + line.dropFirst(2)
      } else if line.hasPrefix("> ") {
        inputs.append(String(line.dropFirst(2)))
      }
      continues = line.hasPrefix("> ")
    }
    return inputs
  }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, _ path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
