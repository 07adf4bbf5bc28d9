import Diagnostics
import PredicateLanguage
import TestFixes
import Testing
import Values

@testable import QueryEngine

/// What the binder says of wrong queries, as people see it: `Goldens/binding.txt`.
@Suite struct BindingGoldenTests {
  @Test func everyMistakeIsNamed() throws {
    try GoldenScript.run("binding") { Declared.failure($0) }
  }

  /// Habits from other languages, and slips: `Goldens/habits.txt`.
  @Test func everyHabitIsRecognised() throws {
    try GoldenScript.run("habits") { Declared.failure($0) }
  }

  /// Every fix of both scripts leads, in a step or two, to a query that compiles, or to mistakes that have no fix.
  @Test(arguments: ["binding", "habits"])
  func everyFixMends(_ script: String) throws {
    let inputs = try GoldenScript.inputs(script)
    #expect(inputs.count > 30)
    for text in inputs {
      guard let first = Declared.error(text), first.diagnostics.count < DiagnosticError.most else { continue }
      let isWhole = first.diagnostics.allSatisfy { !$0.fixes.isEmpty }
      var error: DiagnosticError? = first
      var tries = 0
      while let fixed = error?.fixedSource, tries < 3 {
        error = Declared.error(fixed)
        tries += 1
      }
      // A mistake of the grammar may have hidden one of types, so only the same mistake is a fix that failed.
      let codes = Set(first.diagnostics.map(\.code))
      let left = error?.diagnostics ?? []
      if isWhole { #expect(codes.isDisjoint(with: left.map(\.code)), "\(text) became \(error?.source ?? "")") }
      #expect(!left.contains { !$0.fixes.isEmpty }, "\(text) became \(error?.source ?? "")")
    }
  }

  /// No fix makes another operator, direction, aggregate or function of what was written.
  @Test(arguments: ["binding", "habits", "places", "structs"])
  func noFixChangesTheMeaning(_ script: String) throws {
    for text in try GoldenScript.inputs(script) {
      let faults = Declared.error(text).map(FixMeaning.faults) ?? []
      #expect(faults.isEmpty, "\(faults.joined(separator: "; "))")
    }
  }

  @Test func argumentsAreCounted() throws {
    let store = try TestStore(Samples.quakes, rows: [])
    #expect(store.failure("magnitude > %@").contains("error[missing-argument]"))
    #expect(store.failure("magnitude > $0", Arguments([.int(1), .int(2)])).contains("error[extra-argument]"))
    #expect(
      store.failure("magnitude > %@ AND felt > $min", Arguments([.int(1)], named: ["min": .int(1)]))
        .contains("error[mixed-placeholders]"))
    #expect(
      store.failure("place == '%@'", Arguments([.string("x")])).contains("in quotes it is plain text"))
    #expect(store.failure("magnitude > $mni", Arguments([], named: ["min": .int(1)])).contains("did you mean '$min'"))
    #expect(store.failure("%K > %d", Arguments([.string("location.longitude"), .int(1)])) == "ok")
    #expect(store.failure("magnitude > %d", Arguments([.string("five")])).contains("error[type-mismatch]"))
  }

  @Test func textArgumentsTakeTheTypeOfWhatTheyMeet() throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(100))
    var arguments = Arguments([.string("5")])
    #expect(store.failure("magnitude > %@", arguments).contains("error[type-mismatch]"))
    arguments.textTakesType = true
    #expect(store.failure("magnitude > %@", arguments) == "ok")
    #expect(store.failure("isReviewed == %@", Arguments.typed("true")) == "ok")
    #expect(store.failure("felt == %@", Arguments.typed("many")).contains("cannot be read as Int"))
  }

  @Test func argumentsOfTailsCountAsUsed() throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(100))
    let rows = try store.rows("magnitude >= %@ LIMIT(%d)", [.int(0), .int(3)])
    #expect(rows == [0, 1, 2])
  }
}

extension Arguments {
  fileprivate static func typed(_ text: String) -> Arguments {
    var arguments = Arguments([.string(text)])
    arguments.textTakesType = true
    return arguments
  }
}
