import Foundation
import ObjectStore
import Testing

@Suite struct QueryMacroTests {
  @Test func aTextIsReadByTheCompiler() throws {
    let plain = #query<Quake>("magnitude > 5 AND code BEGINSWITH 'us'")
    #expect(try plain == Query("magnitude > 5 AND code BEGINSWITH 'us'"))
    let least = 5.5
    let filled = #query<Quake>("magnitude > %@ AND code != %@", least, "x")
    #expect(try filled == Query("magnitude > %@ AND code != %@", least, "x"))
    let inferred: Query<Quake> = #query("magnitude > $min")
    #expect(try inferred.bind(["min": 5]) == Query("magnitude > 5"))
  }
  /// All that the compiler says of wrong texts, with the places and the fixes: `Fixtures/QueryErrors.txt`, which
  /// `UPDATE_GOLDENS=1` writes.
  @Test func errorsAreShownAtTheirPlace() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let source = try String(contentsOf: fixtures.appendingPathComponent("QueryErrors.swift.txt"), encoding: .utf8)
    let golden = fixtures.appendingPathComponent("QueryErrors.txt")
    let picture = try compiler.picture(of: source)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try picture.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try picture == String(contentsOf: golden, encoding: .utf8))
  }
}
