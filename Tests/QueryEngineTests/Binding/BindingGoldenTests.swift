import PredicateLanguage
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
