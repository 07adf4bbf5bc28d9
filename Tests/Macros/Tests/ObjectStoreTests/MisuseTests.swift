import Foundation
import Testing

/// What the compiler says of wrong uses of the macros: `Fixtures/Misuse.swift.txt` is compiled, and each line must be
/// told what its comment says.
@Suite struct MisuseTests {
  @Test func isToldAtItsPlace() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let fixture = folder.appendingPathComponent("Fixtures/Misuse.swift.txt")
    let source = try String(contentsOf: fixture, encoding: .utf8)
    guard let output = try Compiler().diagnostics(of: source) else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let comment = line.range(of: "  // ") else { continue }
      let expected = String(line[comment.upperBound...])
      let told = output.filter { $0.line == index + 1 }.map(\.message)
      #expect(told.contains { $0.contains(expected) }, "line \(index + 1): told \(told)")
    }
  }
}

/// `swiftc` with the macros and modules that were built beside the tests.
private struct Compiler {
  struct Message {
    var line: Int
    var message: String
  }

  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The errors in a source; those in macro expansions at the line of the macro. nil when there is no compiler.
  func diagnostics(of source: String) throws -> [Message]? {
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let tool = build.appendingPathComponent("ObjectStoreMacros-tool")
    guard FileManager.default.isExecutableFile(atPath: tool.path), let compiler = find("swiftc") else { return nil }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("misuse-\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    var arguments = ["-typecheck", "-swift-version", "6", "-I", build.appendingPathComponent("Modules").path]
    arguments += ["-diagnostic-style", "llvm", "-load-plugin-executable", "\(tool.path)#ObjectStoreMacros"]
    let maps =
      ["Sources/CLMDB", "Sources/CXXHash"].map { root.appendingPathComponent($0) }
      + ["CRE2.build", "CPlatform.build"].map { build.appendingPathComponent($0) }
    for map in maps {
      arguments += ["-Xcc", "-fmodule-map-file=\(map.appendingPathComponent("module.modulemap").path)"]
    }
    for name in ["CRE2", "CPlatform"] {
      arguments += ["-Xcc", "-I\(root.appendingPathComponent("Sources/\(name)/include").path)"]
    }
    let process = Process()
    process.executableURL = compiler
    process.arguments = arguments + [file.path]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return messages(String(decoding: data, as: UTF8.self), about: file.path)
  }

  private func messages(_ text: String, about path: String) -> [Message] {
    var messages: [Message] = []
    var inExpansion: [String] = []
    for line in text.split(separator: "\n") {
      // `path:line:column: error: message`, and for an error in an expansion a note where the macro was written.
      let parts = line.split(separator: ":", maxSplits: 4).map(String.init)
      guard parts.count == 5, let number = Int(parts[1]) else { continue }
      if parts[0] != path {
        if parts[3].contains("error") { inExpansion.append(parts[4]) }
      } else if parts[3].contains("note"), parts[4].contains("in expansion of macro") {
        messages += inExpansion.map { Message(line: number, message: $0) }
        inExpansion = []
      } else {
        messages.append(Message(line: number, message: parts[4]))
      }
    }
    return messages
  }

  private func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
