import ArgumentParser
import ObjectStoreCore
import PredicateLanguage
import Testing

@testable import objquery

@Suite struct WordsTests {
  @Test func wordsOfADotCommand() {
    #expect(CommandWords.split(".a b  'c d' \"e\\\"f\" g\\ h ''") == [".a", "b", "c d", "e\"f", "g h", ""])
    #expect(CommandWords.split("") == [])
    #expect(CommandWords.split("a 'b") == nil)
    #expect(CommandWords.split("a \\") == nil)
  }

  @Test func commandsByTheirBeginning() throws {
    #expect(try DotCommand.named(".sch").name == ".schema")
    #expect(try DotCommand.named(".exit").name == ".quit")
    #expect(throws: CommandFailure.self) { try DotCommand.named(".o") }
    #expect(throws: CommandFailure.self) { try DotCommand.named(".") }
    #expect(throws: CommandFailure.self) { try DotCommand.named(".shcema") }
  }

  @Test func everyCommandHasHelp() throws {
    for command in DotCommand.all {
      #expect(command.name.hasPrefix(".") && !command.summary.isEmpty)
      #expect(try HelpTexts.text(command.name).contains(command.summary))
    }
    for topic in HelpTexts.topics { #expect(try !HelpTexts.text(topic).isEmpty) }
    #expect(try HelpTexts.text(nil).split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(throws: CommandFailure.self) { try HelpTexts.text("nonsense") }
  }

  @Test func importOptions() throws {
    let words = [
      "--key", "id", "--index", "a,b+c", "--date", "t:ms", "--map", "x=y", "--csv", "--upsert", "f", "Quake",
    ]
    let request = try #require(try ImportArguments.parse(words).requests().first)
    #expect(
      request.key == "id" && request.indexes.map(\.paths) == [["a"], ["b", "c"]]
        && request.dates == ["t": .milliseconds])
    #expect(request.renamed == ["x": "y"] && request.format == .csv && request.isUpsert && request.entity == "Quake")
    let wrong: [[String]] = [
      ["--date", "t", "f", "Q"], ["--date", "t:x", "f", "Q"], ["--index", "a,,b", "f", "Q"], ["--map", "x", "f", "Q"],
      ["--map", "x=", "f", "Q"], ["f", "9"], ["f", "a.b"], ["f", ""],
    ]
    for words in wrong { #expect(throws: (any Error).self, "\(words)") { try ImportArguments.parse(words).requests() } }
    #expect(throws: (any Error).self) { try ImportArguments.parse(["f"]).check() }
    // A folder needs no entity, and says itself what is in it.
    try ImportArguments.parse(["/tmp"]).check()
    #expect(throws: (any Error).self) { try ImportArguments.parse(["--key", "a", "/tmp"]).check() }
  }

  @Test func scriptsInTheOrderGiven() throws {
    let command = try ShellCommand.parse(["-c", "A", "-f", "B", "-c", "C", "store", "D", "--csv", "--arg", "1"])
    #expect(
      command.scripts.inOrder(statements: command.statements) == [.text("A"), .file("B"), .text("C"), .text("D")])
    #expect(command.store == "store" && command.looks.chosenMode == .csv)
    let wrong = [
      ["--mode", "nonsense"], ["--csv", "--mode", "json"], ["--limit", "-1"], ["--limit", "x"], ["--timeout", "0"],
      ["-p", "novalue"], ["-p", "a:money=1"], ["-p", "9=1"], ["--create", "--readonly"], ["--create", "--safe"],
    ]
    for words in wrong { #expect(throws: (any Error).self, "\(words)") { try ShellCommand.parse(words) } }
  }

  @Test func parametersTakeTheTypeOfWhatTheyMeet() throws {
    let entity = Entity(
      name: "Quake",
      properties: [
        Property(name: "mag", type: .scalar(.double)), Property(name: "code", type: .scalar(.string)),
        Property(name: "time", type: .scalar(.date)), Property(name: "felt", type: .scalar(.int)),
      ])
    func path(_ name: String) -> ExpressionSyntax { ExpressionSyntax(.path(PathSyntax(name))) }
    func parameter(_ name: String) -> ExpressionSyntax { ExpressionSyntax(.placeholder(.named(name))) }
    func comparison(_ left: ExpressionSyntax, _ right: ExpressionSyntax) -> PredicateSyntax {
      PredicateSyntax(.comparison(ComparisonSyntax(left: left, comparator: .equal, right: right)))
    }
    let predicate = PredicateSyntax(
      .and([
        comparison(path("mag"), parameter("m")), comparison(parameter("c"), path("code")),
        PredicateSyntax(.not(comparison(path("time"), parameter("t")))),
        comparison(path("felt"), ExpressionSyntax(.list([parameter("f")]))),
      ]))
    let statement = StatementSyntax.select(
      SelectSyntax(entity: NameSyntax("Quake"), filter: FilterSyntax(predicate: predicate)))
    var parameters = Parameters()
    for word in ["m=5", "c=5", "t=2018-02-07", "f:int=5", "unused=1"] { try parameters.add(word) }
    let schema = Schema(entities: [entity])
    let arguments = try parameters.arguments(for: statement, source: "", schema: schema, defaultEntity: nil)
    #expect(
      arguments.named == ["m": .int(5), "c": .string("5"), "t": .date(Instant(seconds: 539_654_400)), "f": .int(5)])
    try parameters.add("m=many")
    #expect(throws: DiagnosticError.self) {
      try parameters.arguments(for: statement, source: "", schema: schema, defaultEntity: nil)
    }
    try parameters.add("m:json=[1,2.5,\"x\",null,true]")
    let list = try parameters.arguments(for: statement, source: "", schema: schema, defaultEntity: nil).named["m"]
    #expect(list == .list([.int(1), .double(2.5), .string("x"), .null, .bool(true)]))
    try parameters.add("m:json={")
    #expect(throws: DiagnosticError.self) {
      try parameters.arguments(for: statement, source: "", schema: schema, defaultEntity: nil)
    }
  }
}
