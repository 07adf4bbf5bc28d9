import Foundation
import Testing

/// What the compiler has to do for typed queries. The time differs from machine to machine, so the tests count the
/// scopes, which are the compiler's attempts to choose an overload or a type.
@Suite struct TypeCheckingTests {
  /// Queries of eight clauses of every kind: `Fixtures/EightClauses.swift.txt`. With a factor for every clause there
  /// would be thousands of scopes.
  @Test func eightClausesTakeFewAttempts() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let queries = try fixture("EightClauses")
    #expect(queries.split(separator: "\n").filter { $0.hasPrefix("func ") }.count == 18)
    let told = try refusals(of: queries, over: 250, compiler)
    #expect(told.isEmpty, "\(told)")
  }

  /// A property is found without a choice. Otherwise the compiler would weigh all operators of an expression again
  /// for each property in it, which doubles the time.
  @Test func propertiesTakeNoAttempts() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let query = """
      import ObjectStore

      func properties() -> Query<Quake> {
        Query {
          first(
            $0.magnitude, $0.depth, $0.location.latitude, $0.location.longitude, $0.magnitude, $0.depth, $0.magnitude,
            $0.depth, $0.location.latitude, $0.location.longitude, $0.magnitude, $0.depth)
        }
      }
      """
    let told = try refusals(of: query, over: 25, compiler)
    #expect(told.isEmpty, "\(told)")
  }

  /// That the compiler counts as the tests above suppose.
  @Test func manyAttemptsAreRefused() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let told = try refusals(of: try fixture("EightClauses"), over: 25, compiler)
    #expect(told.filter { $0.contains("unable to type-check") }.count >= 18, "\(told)")
  }

  private func fixture(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return try String(contentsOf: folder.appending(path: "\(name).swift.txt"), encoding: .utf8)
  }

  /// The errors in a source beside the models, when an expression may take so many scopes.
  private func refusals(of source: String, over scopes: Int, _ compiler: Compiler) throws -> [String] {
    let options = ["-diagnostic-style", "llvm", "-Xfrontend", "-solver-scope-threshold=\(scopes)"]
    let text = try compiler.problems(of: [try fixture("TypedQueryModels"), source], options: options)
    // The models, whose members macros write, may take more.
    return text.split(separator: "\n").map(String.init).filter { line in
      line.contains("error: ") && !line.contains("File0.swift:") && !line.contains("macro expansion")
        && !line.hasPrefix("@__swiftmacro")
    }
  }
}
