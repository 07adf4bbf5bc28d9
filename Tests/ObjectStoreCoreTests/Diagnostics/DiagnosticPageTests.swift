import Diagnostics
import Foundation
import ObjectStoreCore
import TestFixes
import Testing

/// The page of the documentation that has every diagnostic: written by running the examples, with `UPDATE_GOLDENS=1`.
@Suite struct DiagnosticPageTests {
  static let path = URL(filePath: #filePath).appending(path: "../../../../Sources/PredicateLanguage").standardized
    .appending(path: "PredicateLanguage.docc/Diagnostics.md")

  @Test func everyExampleGivesItsDiagnostic() throws {
    let examples = try DiagnosticExamples()
    for code in DiagnosticCode.allCases where !DiagnosticExamples.ofTheCommand.contains(code) {
      let codes = examples.failure(of: code)?.diagnostics.map(\.code) ?? []
      #expect(codes.contains(code), "\(code) is not what its example gives, but \(codes)")
    }
  }

  @Test func thePageIsAsTheExamplesAre() throws {
    let page = try Self.page()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: Self.path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try page.write(to: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.path, encoding: .utf8) == page)
  }

  @Test func namesAreStable() {
    #expect(DiagnosticCode.unknownProperty.name == "unknown-property")
    #expect(DiagnosticCode.invalidJSON.name == "invalid-json")
    #expect(DiagnosticCode.notAStruct.name == "not-a-struct")
    #expect(Set(DiagnosticCode.allCases.map(\.name)).count == DiagnosticCode.allCases.count)
    for code in DiagnosticCode.allCases { #expect(DiagnosticCode(name: code.name) == code) }
    #expect(DiagnosticCode(name: "nothing") == nil)
  }

  /// Every fix of the catalogue's examples mends the example.
  @Test func fixesMend() throws {
    let examples = try DiagnosticExamples()
    for code in DiagnosticCode.allCases {
      guard let error = examples.failure(of: code), let fixed = error.fixedSource else { continue }
      #expect(fixed != error.source, "\(code)")
      #expect(FixMeaning.faults(of: error).isEmpty, "\(code)")
    }
  }

  private static func page() throws -> String {
    let examples = try DiagnosticExamples()
    var text = """
      # Diagnostics

      Everything that can be said of a text: what it means, how it looks, and what to do.

      ## Overview

      The name in brackets is stable, in the words for people and in the JSON for programs. A fix can be made by a
      program: it says which part of the text becomes what. At most \(DiagnosticError.most) diagnostics are told of
      one text, in its order. This page is written by running its examples, which are of these models:

      ```swift
      \(DiagnosticExamples.schema)
      ```

      | code | meaning |
      | --- | --- |

      """
    for code in DiagnosticCode.allCases { text += "| `\(code.name)` | \(code.meaning) |\n" }
    for code in DiagnosticCode.allCases {
      text += "\n## \(code.name)\n\n\(code.meaning)\n\n"
      if DiagnosticExamples.ofTheCommand.contains(code), case .described(let words) = code.example {
        text += "Given by the command for \(words).\n\n\(code.remedy)\n"
        continue
      }
      if case .described(let words) = code.example { text += "Given by \(words):\n\n" }
      if case .predicate(_, let arguments) = code.example, !arguments.isEmpty {
        text += "With the argument\(arguments.count == 1 ? "" : "s") `\(arguments.joined(separator: "`, `"))`:\n\n"
      }
      let renderer = DiagnosticRenderer(width: 100)
      let shown = examples.failure(of: code).map(renderer.text) ?? "nothing is wrong"
      text += "```\n\(shown)\n```\n\n\(code.remedy)\n"
    }
    return text
  }
}
