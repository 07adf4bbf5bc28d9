import Foundation
import Testing

/// The names that `import ObjectStore` brings into a file: `Fixtures/ExportedNames.txt` lists them, so that a new one
/// is a decision.
@Suite struct ExportedNamesTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  /// The modules that are exported whole.
  private static let own = ["ObjectStore", "ObjectStoreCore", "SortDescriptors"]

  @Test func theyAreTheListedOnes() throws {
    let exports = try Self.exports()
    #expect(Set(exports.filter { !$0.contains(".") }) == ["ObjectStoreCore", "SortDescriptors"])
    var names = Set(exports.filter { $0.contains(".") }.map(Self.name))
    for module in Self.own { names.formUnion(try Self.declared(in: module)) }
    let text = names.sorted().map { "\($0)\n" }.joined()
    let golden = Self.root.appending(path: "Tests/ObjectStoreTests/Fixtures/ExportedNames.txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: golden, encoding: .utf8) == text, "UPDATE_GOLDENS=1 writes the list anew")
  }

  /// Of the lower layers, what is exported by name is found, and nothing else.
  @Test func otherNamesAreNotFound() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let exported = Set(try Self.exports().filter { $0.contains(".") }.map(Self.name))
    var hidden: Set<String> = []
    for module in ["Values", "Diagnostics", "Schema", "PredicateLanguage", "Storage", "QueryEngine"] {
      hidden.formUnion(try Self.declared(in: module).subtracting(exported))
    }
    #expect(
      hidden.isSuperset(of: ["SyntaxRewriter", "StatementParser", "JSONText", "SchemaUnion", "DiagnosticRenderer"]))
    let names = exported.sorted() + hidden.sorted()
    let source =
      "import ObjectStore\n"
      + names.enumerated().map { "typealias Name\($0) = \($1)\n" }.joined()
    let text = try compiler.problems(of: [source])
    let missing = text.matches(of: /error: cannot find type '(\w+)' in scope/).map { String($0.1) }
    #expect(Set(missing) == hidden)
  }

  /// What files named `Exports.swift` export: `Module.Name`, or `Module` whole.
  private static func exports() throws -> [String] {
    try ["ObjectStore", "ObjectStoreCore"].flatMap { module in
      let file = root.appending(path: "Sources/\(module)/Exports.swift")
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("@_exported") }
        .compactMap { $0.split(separator: " ").last.map(String.init) }
    }
  }

  private static func name(_ export: String) -> String { String(export.drop { $0 != "." }.dropFirst()) }

  /// The names that the files of a module declare for all to use.
  private static func declared(in module: String) throws -> Set<String> {
    let folder = root.appending(path: "Sources/\(module)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    let declaration =
      /public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias|macro|func|let|var) (\w+)/
    return try files.reduce(into: []) { names, file in
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        if let match = line.prefixMatch(of: declaration) { names.insert(String(match.1)) }
      }
    }
  }
}
