import Foundation
import Testing

/// What the compiler says of wrong uses of the macros: `Fixtures/Misuse.swift.txt` is compiled, and each line must be
/// told what its comment says.
@Suite struct MisuseTests {
  @Test func isToldAtItsPlace() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let fixture = folder.appendingPathComponent("Fixtures/Misuse.swift.txt")
    let source = try String(contentsOf: fixture, encoding: .utf8)
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let output = try compiler.diagnostics(of: source)
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let comment = line.range(of: "  // ") else { continue }
      let expected = String(line[comment.upperBound...])
      let told = output.filter { $0.line == index + 1 }.map(\.message)
      #expect(told.contains { $0.contains(expected) }, "line \(index + 1): told \(told)")
    }
  }

  /// Of models with an error, which are used all over a program, the compiler reports that error alone.
  @Test func itsUsesAreNoErrors() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: folder.appending(path: "Fixtures/RefusedInUse.swift.txt"), encoding: .utf8)
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let errors = try compiler.picture(of: source).split(separator: "\n").filter { $0.contains(": error: ") }
    var left = errors
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let comment = line.range(of: "  // ") else { continue }
      let own = left.filter { $0.hasPrefix("main.swift:\(index + 1):") }
      #expect(own.contains { $0.contains(line[comment.upperBound...]) }, "line \(index + 1): \(own)")
      left.removeAll { own.contains($0) }
    }
    #expect(left.isEmpty)
  }
}
