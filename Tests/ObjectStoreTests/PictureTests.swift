import Foundation
import Testing

/// All that the compiler says of a wrong use of the macros, with the places and the fixes: `Fixtures/NAME.swift.txt` and
/// `Fixtures/NAME.txt`, which `UPDATE_GOLDENS=1` writes.
@Suite struct PictureTests {
  @Test(arguments: ["QueryErrors", "StructKeys", "Misuse"]) func errorsAreShownAtTheirPlace(_ name: String) throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let source = try String(contentsOf: fixtures.appendingPathComponent("\(name).swift.txt"), encoding: .utf8)
    let golden = fixtures.appendingPathComponent("\(name).txt")
    // Where what a macro wrote is kept, and where this library is, differ from machine to machine.
    let picture = try compiler.picture(of: source)
      .replacing(#/\S*/@__swiftmacro/#, with: "@__swiftmacro")
      .replacing(compiler.root.path + "/", with: "")
      .replacing(#/(Sources/\S*\.swift):\d+:\d+/#) { $0.1 }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try picture.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try picture == String(contentsOf: golden, encoding: .utf8))
  }
}
