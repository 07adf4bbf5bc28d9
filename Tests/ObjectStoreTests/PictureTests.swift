import Foundation
import Testing

/// All that the compiler says of a wrong use of the macros, with the places and the fixes: `Fixtures/NAME.swift.txt` and
/// `Fixtures/NAME.txt`, which `UPDATE_GOLDENS=1` writes.
@Suite struct PictureTests {
  @Test(arguments: ["QueryErrors", "StructKeys"]) func errorsAreShownAtTheirPlace(_ name: String) throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let source = try String(contentsOf: fixtures.appendingPathComponent("\(name).swift.txt"), encoding: .utf8)
    let golden = fixtures.appendingPathComponent("\(name).txt")
    let picture = try compiler.picture(of: source)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try picture.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try picture == String(contentsOf: golden, encoding: .utf8))
  }
}
