import Foundation
import ObjectStoreCore
import PredicateLanguage
import Testing

/// What the command says to those who are new to it.
@Suite struct MistakesTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let rows = "{\"code\":\"a\",\"mag\":1.5,\"felt\":2}\n{\"code\":\"b\",\"mag\":5.5,\"felt\":null}"
    let file = try workshop.file("quakes.jsonl", rows)
    let outcome = try Command.run(["import", "--quiet", store, file, "Quake", "--key", "code"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func ask(_ words: String..., input: String = "") throws -> Command.Outcome {
    try Command.run([store] + words, input: input)
  }

  @Test func aNameThatNoValueHasIsToldOfThoseThatHave() throws {
    let near = try ask("-p", "least=5", "-c", "Quake WHERE mag > $lest")
    #expect(near.status == 1 && near.errors.contains("did you mean '$least'? what has a name is $least"), "\(near)")
    let far = try ask("-p", "m=5", "-p", "since:date=2018-01-01", "-c", "Quake WHERE mag > $least")
    #expect(far.status == 1 && far.errors.contains("what has a name is $m, $since"), "\(far)")
    let none = try ask("-c", "Quake WHERE mag > $least")
    #expect(none.status == 1 && none.errors.contains("no argument has a name"), "\(none)")
    #expect(try ask("-p", "m=5", "-p", "x=1", "--count", "-c", "Quake WHERE mag > $m").output == "1\n")
  }

  @Test(arguments: [
    ("Quake LIMIT %@", "x", "type-mismatch", "argument 1 is \"x\", which is not a whole number, as LIMIT needs"),
    (
      "Quake WHERE mag > 1 OFFSET $0", "1.5", "type-mismatch",
      "argument 1 is 1.5, which is not a whole number, as OFFSET"
    ),
    ("Quake LIMIT %@", "-1", "invalid-count", "argument 1 is -1, and LIMIT takes 0 or more"),
  ])
  func aCountThatIsNone(_ statement: String, _ argument: String, _ code: String, _ message: String) throws {
    let outcome = try ask("--arg", argument, "-c", statement)
    #expect(outcome.status == 1 && outcome.errors.contains("error[\(code)]: \(message)"), "\(outcome)")
  }

  @Test func aCountByItsName() throws {
    let outcome = try ask("-p", "most=many", "-c", "Quake LIMIT $most")
    #expect(outcome.errors.contains("error[type-mismatch]: $most is \"many\", which is"), "\(outcome)")
    let second = try ask("--arg", "1", "--arg", "-2", "-c", "Quake WHERE mag > %@ LIMIT %@")
    #expect(second.errors.contains("error[invalid-count]: argument 2 is -2"), "\(second)")
  }

  /// What is wrong is told before anybody is asked whether all objects are meant.
  @Test(arguments: [
    ("UPDATE Quake SET flet = 1", "error[unknown-property]: Quake has no property 'flet'"),
    ("UPDATE Quake SET felt = 'x'", "error[type-mismatch]"),
    ("DELETE Quak", "error[unknown-entity]"), ("DELET Quake", "fix: write 'DELETE'"), ("COMIT", "fix: write 'COMMIT'"),
    ("BEGN;", "fix: write 'BEGIN'"), ("Quakes", "fix: write 'Quake'"),
    ("Quake WHERE code REGEX 'a.*'", "MATCHES takes a regular expression"),
  ])
  func aStatementThatIsWrong(_ statement: String, _ told: String) throws {
    let outcome = try ask("-c", statement)
    #expect(outcome.status == 1 && outcome.errors.contains(told), "\(outcome)")
    #expect(!outcome.errors.contains("needs-yes"), "\(outcome)")
  }

  @Test func aMissingSemicolonIsOneError() throws {
    let outcome = try ask(input: "COUNT Quake;\nCOUNT Quake\nQuake WHERE mag > 5\nCOUNT Quake\n")
    #expect(outcome.status == 1 && outcome.output == "2\n", "\(outcome)")
    #expect(
      outcome.errors == """
        error[missing-semicolon]: a ';' is missing here: 'Quake' begins another statement
          line 1, column 12
          COUNT Quake
                     ^
        fix: write ';'

        """)
  }

  @Test(arguments: ["UPDATE Quake SET mag = 1", "DELETE Quake", "INSERT Quake {\"code\": \"c\", \"mag\": 1}"])
  func analyzingChangesNothingAndSaysSo(_ statement: String) throws {
    let before = try ask("-c", "Quake").output
    let outcome = try ask("-c", "EXPLAIN ANALYZE " + statement)
    #expect(outcome.status == 0 && outcome.output.contains("\nnothing was changed: "), "\(outcome)")
    #expect(try ask("-c", "Quake").output == before)
    #expect(try !ask("-c", "EXPLAIN " + statement).output.contains("nothing was changed"))
    #expect(try !ask("-c", "EXPLAIN ANALYZE Quake").output.contains("nothing was changed"))
  }

  @Test func plansAreReadable() throws {
    let words = ["-p", "since:date=2018-02-07T01:02:03Z", "-c"]
    let file = try workshop.file("events.jsonl", "{\"time\":\"2018-02-07T00:00:00Z\",\"felt\":null}\n{\"felt\":1}")
    let events = workshop.path + "/events"
    #expect(try Command.run(["import", "--quiet", events, file, "Event"]).status == 0)
    let plan = try Command.run([events] + words + ["EXPLAIN Event WHERE time < $since AND felt != nil"]).output
    #expect(plan.contains("Filter  felt != nil AND time < date(\"2018-02-07T01:02:03Z\")"), "\(plan)")
    // What it prints can be asked.
    let again = try Command.run([events, "--count", "-c", "Event WHERE time < date(\"2018-02-07T01:02:03Z\")"])
    #expect(again.output == "1\n", "\(again)")
  }

  @Test func timesAreExplained() throws {
    #expect(try told(".help timer").contains("EXPLAIN ANALYZE"))
    #expect(try told(".help explain").contains(".help timer"))
  }

  @Test func theFunctionsAreListed() throws {
    let help = try told(".help predicates")
    for function in PredicateFunction.all { #expect(help.contains(function.name), "\(function.name) in \(help)") }
    #expect(help.contains("modulus:by:(a, b)"), "\(help)")
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(help)")
  }

  @Test func indexesAreAddedLater() throws {
    #expect(try told(".help").contains("its help tells how to add one"))
    let help = try told(".help indexes")
    let line = try #require(help.split(separator: "\n").first { $0.contains("CREATE INDEX ON") }, "\(help)")
    let statement = line.replacingOccurrences(of: "(net, time)", with: "(felt, mag)")
    let outcome = try ask("--yes", "-c", statement, "-c", "CREATE INDEX ON Quake (mag)")
    #expect(outcome.status == 0, "\(outcome)")
    let indexes = try ask("--csv", "-c", ".indexes").output
    #expect(indexes.contains("Quake,mag,ordered,2,") && indexes.contains("Quake,felt+mag,ordered,2,"), "\(indexes)")
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func orderIsExplained() throws {
    let help = try told(".help statements")
    #expect(help.contains("SORT BY sorts the groups") && help.contains("the order of insertion"), "\(help)")
    // What it says is so.
    let rows = try workshop.file("more.jsonl", #"{"code":"c","mag":1.5}"# + "\n" + #"{"code":"d","mag":0.5}"# + "\n")
    #expect(try Command.run(["import", "--quiet", store, rows, "Quake"]).status == 0)
    #expect(try ask("--ids", "-c", "Quake SORT BY mag").output == "d\na\nc\nb\n")
    #expect(try ask("--ids", "-c", "Quake SORT BY mag DESC").output == "b\na\nc\nd\n")
    for statement in ["SORT BY @count DESC GROUP BY mag", "GROUP BY mag SORT BY @count DESC"] {
      let outcome = try ask("--csv", "-c", "Quake \(statement) SELECT mag, @count")
      #expect(outcome.output == "mag,@count\n1.5,2\n5.5,1\n0.5,1\n", "\(outcome)")
    }
  }

  @Test func aFractionThatNoWholeNumberEqualsIsWarnedOf() throws {
    let outcome = try ask("-c", "COUNT Quake WHERE felt == 2.5", "-c", "COUNT Quake WHERE felt != 2.5 OR felt == 2.0")
    #expect(outcome.status == 0 && outcome.output == "0\n2\n", "\(outcome)")
    #expect(
      outcome.errors.hasPrefix("warning[never-equal]: 'felt' holds whole numbers: it never equals 2.5\n"), "\(outcome)")
  }

  private func told(_ command: String) throws -> String { try ask("-c", command).output }
}
