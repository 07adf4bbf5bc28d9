import Foundation
import Testing

/// Every example in the comment of a declaration compiles.
@Suite struct SymbolExampleTests {
  @Test func theyCompile() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let text = try compiler.problems(of: try sources(of: SymbolExample.all))
    let errors = text.split(separator: "\n").filter { $0.contains(" error: ") }
    #expect(errors.isEmpty, "\(errors.joined(separator: "\n"))")
  }

  /// That the test above compiles what it is given: an example with an error is shown at its line.
  @Test func aWrongExampleIsFound() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let source = """
      /// Counts.
      ///
      /// ```swift
      /// let count = try store.objects(Quake.self).counts
      /// ```
      func f() {}
      """
    let wrong = SymbolExample.examples(in: source, of: "Sources/ObjectStoreCore/Wrong.swift")
    let text = try compiler.problems(of: try sources(of: wrong))
    #expect(text.contains("Sources/ObjectStoreCore/Wrong.swift:4:"), "\(text)")
  }

  @Test func theyAreFound() {
    #expect(SymbolExample.all.map(\.blocks).reduce(0, +) >= 240)
    #expect(Set(SymbolExample.all.map(\.module)).isSuperset(of: ["ObjectStore", "ObjectStoreCore", "Values"]))
    let unfinished = SymbolExample.all.filter(\.isUnfinished).map(\.description)
    #expect(unfinished.isEmpty, "a reader would have to fill in: \(unfinished)")
  }

  /// A file of Swift for each module with examples, after the one of the models and values they use.
  private func sources(of examples: [SymbolExample]) throws -> [String] {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/SymbolExamples.swift.txt")
    let ambient = try String(contentsOf: fixture, encoding: .utf8)
    let models = ambient.matches(of: /@Model(?:\([^)]*\))? struct (\w+)/).map { String($0.1) }
    var files = [ambient]
    for (module, own) in Dictionary(grouping: examples, by: \.module).sorted(by: { $0.key < $1.key }) {
      let imports = Set(["Foundation", "ObjectStore", module]).sorted().map { "import \($0)\n" }.joined()
      let enums = own.enumerated().map { $1.source(named: "\(module)Example\($0)", models: models) }
      files.append(imports + enums.joined(separator: "\n"))
    }
    return files
  }
}
