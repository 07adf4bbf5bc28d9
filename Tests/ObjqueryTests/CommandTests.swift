import Foundation
import Testing

/// The command run as a user runs it: exit statuses, what goes where, and every way to say what to run.
@Suite struct CommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let file = try workshop.file(
      "things.jsonl",
      """
      {"code":"a","n":1,"x":1.5,"t":"2018-02-07T01:02:03Z","ok":true,"at":{"lon":1,"lat":2},"note":"plain"}
      {"code":"b","n":2,"x":null,"t":"2018-02-08T01:02:03.25Z","ok":false,"at":null,"note":"it's \\"so\\"\\n"}
      {"code":"c","n":3,"x":"nan","t":"2018-02-09","ok":true,"at":{"lon":-1,"lat":0.5},"note":null}
      """)
    let outcome = try Command.run(["import", "--quiet", store, file, "Thing", "--key", "code", "--index", "n,ok+n"])
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
  }

  private func ask(_ words: String..., input: String = "") throws -> Command.Outcome {
    try Command.run([store] + words, input: input)
  }

  // MARK: Exit statuses

  @Test func statusesOfSuccessAndFailure() throws {
    #expect(try ask("COUNT Thing").status == 0)
    #expect(try ask("-c", "COUNT Thing WHERE nn > 1").status == 1)
    #expect(try Command.run(["--nonsense"]).status == 64)
    #expect(try Command.run(["import", store]).status == 64)
    #expect(try Command.run(["import", store, "f", "9"]).status == 64)
    #expect(try Command.run(["--help"]).status == 0)
    #expect(try Command.run(["--version"]).output.contains("."))
    #expect(try Command.run(["--generate-completion-script", "bash"]).output.contains("objquery"))
  }

  @Test func aStoreThatCannotBeOpenedIsTwo() throws {
    let text = try workshop.file("text", "not a store")
    for path in [workshop.path + "/none", text, workshop.path] {
      for words in [[path, "-c", "COUNT Thing"], ["check", path], ["schema", path]] {
        let outcome = try Command.run(words)
        #expect(outcome.status == 2, "\(words): \(outcome)")
        #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("error:"))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: workshop.path + "/none"))
    #expect(try Command.run([workshop.path + "/new", "--create", "-c", ".types"]).status == 0)
    let data = try workshop.file("d.csv", "a\n1\n")
    let nowhere = try Command.run(["import", workshop.path + "/none/new", data, "Thing"])
    #expect(nowhere.status == 2 && nowhere.errors.contains("'\(workshop.path)/none' is no folder"), "\(nowhere)")
    #expect(try Command.run(["import", text, data, "Thing"]).status == 2)
  }

  @Test func whereNoStoreCanBeMadeIsToldByTheFolder() throws {
    let data = try workshop.file("d.csv", "a\n1\n")
    for parent in [workshop.path + "/none", "/proc"] {
      let outcome = try Command.run(["import", "--quiet", parent + "/s", data, "Thing"])
      #expect(outcome.status == 2 && outcome.errors.contains("'\(parent)'"), "\(outcome)")
      #expect(!outcome.errors.contains(".new-"), "\(outcome)")
    }
  }

  @Test func aRefusedSchemaIsNoUnopenedStore() throws {
    let data = try workshop.file("d.csv", "a\n1\n")
    let outcome = try Command.run(["import", workshop.path + "/twice", data, "Thing", "--index", "a+a"])
    #expect(outcome.status == 1 && outcome.errors.contains("twice"), "\(outcome)")
  }

  @Test func anErrorsFileThatCannotBeWritten() throws {
    let data = try workshop.file("d.csv", "a\n1\n")
    let file = workshop.path + "/none/errors"
    let outcome = try Command.run(["import", workshop.path + "/e", data, "Thing", "--errors", file])
    #expect(outcome.status == 1 && outcome.errors.contains("cannot write \(file)"), "\(outcome)")
  }

  @Test func valuesMayBeginWithADash() throws {
    #expect(try ask("-c", "COUNT Thing WHERE at.lon == %@", "--arg", "-1").output == "1\n")
    #expect(try ask("-c", "-- how many?\nCOUNT Thing").output == "3\n")
    for option in ["--limit", "--timeout"] {
      let outcome = try ask("-c", "Thing", option, "-1")
      #expect(outcome.status == 64 && outcome.errors.contains("\(option) must"), "\(outcome)")
    }
  }

  @Test func errorsGoToStandardErrorInBothForms() throws {
    let text = try ask("-c", "COUNT Thing WHERE nn > 1")
    #expect(text.output.isEmpty)
    #expect(text.errors.hasPrefix("error[unknown-property]: Thing has no property 'nn'\n  COUNT Thing WHERE nn > 1\n"))
    let json = try ask("--error-format", "json", "-c", "COUNT Thing WHERE nn > 1")
    #expect(json.errors.hasPrefix("{") && json.errors.contains("\"code\":\"unknown-property\""))
    let missing = try Command.run([workshop.path + "/none", "--error-format", "json", "-c", "COUNT Thing"])
    #expect(missing.errors.contains("\"code\":\"store-not-opened\""), "\(missing.errors)")
  }

  @Test func whatIsNotDoneWithoutBeingAskedTwice() throws {
    let outcomes = try [ask("DELETE Thing"), ask("UPDATE Thing SET n = 0 OFFSET 2"), ask("COUNT Thing")]
    try Golden.check("needs-yes", outcomes.map { $0.errors + $0.output }.joined())
  }

  /// A program takes the fixes from the JSON, changes the bytes they name, and the statement is right.
  @Test(arguments: [
    ("COUNT Thing WHERE cod != 'z' AND note IS NOT NULL", "2\n"), ("COUNT Thing WHERE n IN (1)", "1\n"),
    ("COUNT Thing WHERE ANY n > 1 XOR n == 2", "1\n"), ("COUNT Thing WHERE code IN {a, b}", "2\n"),
    ("COUNT Thing WHERE 'é' != note AND code == 'B' COLLATE NOCASE", "1\n"),
  ])
  func fixesOfTheJSONAreMadeByAProgram(_ statement: String, _ expected: String) throws {
    var statement = statement
    for _ in 0..<4 {
      let outcome = try ask("--error-format", "json", "-c", statement)
      if outcome.status == 0 {
        #expect(outcome.output == expected && outcome.errors.isEmpty, "\(statement): \(outcome)")
        return
      }
      let first = try #require(outcome.errors.split(separator: "\n").first)
      let error = try JSONDecoder().decode(ErrorOfTheCommand.self, from: Data(first.utf8))
      let fix = try #require(error.fixes.first, "\(outcome.errors)")
      var bytes = Array(statement.utf8)
      try #require(fix.range.start <= fix.range.end && fix.range.end <= bytes.count)
      bytes.replaceSubrange(fix.range.start..<fix.range.end, with: fix.replacement.utf8)
      statement = String(decoding: bytes, as: UTF8.self)
    }
    Issue.record("\(statement) is still wrong")
  }

  private struct ErrorOfTheCommand: Decodable {
    struct Fix: Decodable {
      struct Place: Decodable {
        var start: Int
        var end: Int
      }
      var range: Place
      var replacement: String
    }
    var code: String
    var fixes: [Fix]
  }

  // MARK: What is run

  @Test func statementsFromEverywhereInOrder() throws {
    let file = try workshop.file(
      "q.objq", "#!/usr/bin/env -S objquery -f\nCOUNT Thing WHERE n > 1; -- two\nCOUNT Thing")
    #expect(try ask("-c", "COUNT Thing WHERE n == 1", "-f", file, "-c", ".mode").output == "1\n2\n3\njsonl\n")
    #expect(try ask(input: "COUNT Thing;\nCOUNT Thing WHERE\n n > 2;").output == "3\n1\n")
    #expect(try ask("-f", "-", input: ".use Thing\nn > 2 SELECT n").output == "{\"n\":3}\n")
    #expect(try ask("COUNT Thing", "COUNT Thing WHERE ok").output == "3\n2\n")
    #expect(try ask("-f", workshop.path + "/none").status == 1)
    let binary = try workshop.file("x.objq", bytes: [0xFF, 0xFE])
    #expect(try ask("-f", binary).status == 1)
  }

  @Test func helpForASubcommand() throws {
    let outcome = try Command.run(["help", "import"])
    let usual = try Command.run(["import", "--help"])
    #expect(outcome.status == 0 && outcome.output == usual.output, "\(outcome)")
    #expect(try Command.run(["help"]).output.contains("USAGE"))
  }

  @Test func statementsAreEchoedWithTheirComments() throws {
    let file = try workshop.file(
      "q.objq", "-- All.\nCOUNT Thing; -- Some.\r\nCOUNT Thing\r\n  WHERE n > 1;\n.mode\n")
    let outcome = try ask("--echo", "-f", file)
    #expect(outcome.output == "3\n2\njsonl\n")
    #expect(
      outcome.errors == "\n-- All.\nCOUNT Thing;\n\n-- Some.\nCOUNT Thing\n  WHERE n > 1;\n\n.mode\n",
      "\(outcome.errors)")
  }

  @Test func bailing() throws {
    let script = "COUNT Thing;\nCOUNT Nothing;\nCOUNT Thing;"
    let bails = try ask(input: script)
    #expect(bails.output == "3\n" && bails.status == 1)
    let goesOn = try ask("--no-bail", input: script)
    #expect(goesOn.output == "3\n3\n" && goesOn.status == 1)
  }

  @Test func errorsInAFileNameItsLine() throws {
    let file = try workshop.file("q.objq", "COUNT Thing;\n\nCOUNT Thing\n  WHERE nn > 1;\n")
    let outcome = try ask("-f", file)
    #expect(outcome.errors.contains("q.objq") && outcome.errors.contains("q.objq:4:9"), "\(outcome.errors)")
  }

  @Test func aScriptThatReadsItselfEnds() throws {
    let path = workshop.path + "/loop.objq"
    _ = try workshop.file("loop.objq", ".read \(path)\n")
    #expect(try ask("-f", path).status == 1)
  }

  // MARK: Values

  @Test func parametersAndArguments() throws {
    #expect(try ask("-p", "min=2", "-c", "COUNT Thing WHERE n >= $min").output == "2\n")
    #expect(try ask("-p", "c=b", "-c", "COUNT Thing WHERE code == $c").output == "1\n")
    #expect(try ask("-p", "t=2018-02-08", "-c", "COUNT Thing WHERE t > $t").output == "2\n")
    #expect(try ask("-p", "t:date=2018-02-08", "-c", "COUNT Thing WHERE t > $t").output == "2\n")
    #expect(try ask("--arg", "2", "--arg", "3", "-c", "COUNT Thing WHERE n == %@ OR n == %@").output == "2\n")
    #expect(try ask("-p", "n:json=[1,3]", "-c", "COUNT Thing WHERE n IN $n").output == "2\n")
    #expect(try ask("-p", "c=x' OR TRUEPREDICATE OR code == 'x", "-c", "COUNT Thing WHERE code == $c").output == "0\n")
    #expect(try ask("--arg", "-1", "-c", "-- all\nCOUNT Thing WHERE n > %@").output == "3\n")
    #expect(try ask("-p", "min=many", "-c", "COUNT Thing WHERE n >= $min").status == 1)
    #expect(try ask("-c", "COUNT Thing WHERE n >= $min").status == 1)
  }

  /// Whatever a value is compared with says its type, not only a property by itself.
  @Test func parametersComparedWithExpressions() throws {
    let thing = "INSERT Thing {\"code\": \"5\", \"n\": 9, \"t\": \"2018-02-10\", \"ok\": true, \"note\": \"5\"}"
    #expect(try ask(thing).status == 0)
    func count(_ condition: String, _ options: String...) throws -> String {
      let outcome = try Command.run([store] + options + ["-c", "COUNT Thing WHERE \(condition)"], input: "")
      return outcome.status == 0 ? outcome.output : outcome.errors
    }
    #expect(try count("uppercase(code) == $x", "-p", "x=5") == "1\n")
    #expect(try count("TERNARY(n > 1, code, 'x') IN {$x}", "-p", "x=5") == "1\n")
    #expect(try count("lowercase(code) BEGINSWITH $x", "-p", "x=5") == "1\n")
    #expect(try count("$x IN code", "-p", "x=5") == "1\n")
    #expect(try count("n == $x OR code == $y", "-p", "x=9", "-p", "y=5") == "1\n")
    #expect(try count("n + $x == 10", "-p", "x=1") == "1\n")
    #expect(try count("length(code) == $x", "-p", "x=many").contains("'many' cannot be read as Int"))
    #expect(try count("uppercase(code) == $x", "-p", "x:int=5").contains("error[type-mismatch]"))
    #expect(try ask("-p", "x=b", "-c", "LET p = code == $x; COUNT Thing WHERE $p").output == "1\n")
    #expect(try ask("-p", "x=2", "-c", "LET p = n > $x OR code == '2'; COUNT Thing WHERE $p").output == "2\n")
  }

  @Test func warningsOfStatementsThatShowNoObjects() throws {
    for statement in ["COUNT Thing WHERE code LIKE '%x%'", "DELETE Thing WHERE code LIKE '%x%'"] {
      let outcome = try ask("-c", statement)
      #expect(outcome.status == 0 && outcome.errors.contains("warning[percent-in-like]"), "\(outcome.errors)")
    }
  }

  @Test func limits() throws {
    #expect(try ask("--limit", "2", "-m", "ids", "-c", "Thing").output == "a\nb\n")
    #expect(try ask("--limit", "0", "--json", "-c", "Thing").output == "[]\n")
    #expect(try ask("--timeout", "60000", "-c", "COUNT Thing").output == "3\n")
  }

  // MARK: How it is shown

  @Test(arguments: ["table", "box", "csv", "tsv", "json", "jsonl", "line", "markdown", "count", "ids", "none"])
  func modes(_ mode: String) throws {
    let outcome = try ask("--mode", mode, "-c", "Thing", "-c", "Thing WHERE n > 9", "-c", "COUNT Thing")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    try Golden.check("command-\(mode)", outcome.output)
  }

  @Test func selectingAndExplaining() throws {
    #expect(
      try ask("Thing WHERE n < 3 SELECT n AS number, at.lon").output
        == "{\"number\":1,\"at.lon\":1}\n{\"number\":2,\"at.lon\":null}\n")
    #expect(try ask("--explain", "Thing WHERE n > 2").output.contains("Thing"))
    #expect(try ask("--analyze", "Thing WHERE n > 2").output.contains("actual"))
    #expect(try ask("-c", ".explain on", "-c", "COUNT Thing").output.contains("Thing"))
    #expect(try ask("--timer", "COUNT Thing").errors.hasPrefix("time: "))
  }

  @Test func namedPredicates() throws {
    #expect(try ask("LET big = n > 1; COUNT Thing WHERE $big AND ok").output == "1\n")
  }

  // MARK: Dot commands

  @Test func dotCommands() throws {
    #expect(try ask(".types").output == "{\"entity\":\"Thing\",\"objects\":3,\"bytes\":\(try bytes())}\n")
    #expect(try ask(".indexes Thing").output.split(separator: "\n").count == 3)
    #expect(try ask(".schema Thing").output.contains("@Attribute(.unique) var code: String"))
    #expect(try ask(".schema --json").output.hasPrefix("{\"entities\":["))
    #expect(try ask(".check").output == "intact: 1 entity, 3 objects, 3 indexes\n")
    #expect(try ask(".stats").output.contains("file"))
    #expect(try ask(".help").output.contains(".import"))
    #expect(
      try ask(".nullvalue NULL", ".mode csv", ".headers off", "Thing WHERE n == 2 SELECT x, n").output == "NULL,2\n")
    #expect(try ask(".param set min=2", ".param list", "COUNT Thing WHERE n > $min").output == "$min = 2\n1\n")
    #expect(try ask(".param set min 2", "COUNT Thing WHERE n > $min").output == "1\n")
    #expect(try ask(".timer on", ".headers on").errors == "", "only statements are timed")
    #expect(try ask(".close", ".types").output == "")
    #expect(try ask(".open \(store)", "COUNT Thing").output == "3\n")
    let copy = workshop.path + "/backup"
    #expect(try ask(".backup \(copy)", ".history").output == "")
    #expect(try Command.run([copy, "COUNT Thing"]).output == "3\n")
    #expect(try Command.run(["backup", copy, copy + "2"]).status == 0)
    #expect(try Command.run(["check", copy + "2"]).output == "intact: 1 entity, 3 objects, 3 indexes\n")
    let out = workshop.path + "/out"
    #expect(try ask(".once \(out)", "COUNT Thing", "COUNT Thing WHERE n > 2").output == "1\n")
    #expect(try workshop.text("out") == "3\n")
    #expect(try ask(".output --overwrite \(out)", "COUNT Thing", ".output", "COUNT Thing WHERE n > 2").output == "1\n")
  }

  private func bytes() throws -> Int {
    let line = try ask("-m", "csv", ".types").output.split(separator: "\n").last ?? ""
    return Int(line.split(separator: ",").last ?? "") ?? -1
  }

  @Test(arguments: [
    ".nonsense", ".", ".mode nonsense", ".schema Nothing", ".schema a b c", ".use Nothing", ".headers maybe",
    ".headers", ".read", ".read /none", ".param", ".param set", ".param set x", ".param unset x",
    ".import", ".import /none Thing", ".output /none/x", ".explain maybe", ".help nonsense", ".o",
    ".backup", ".backup /none/x", ".backup /tmp", ".history x", ".mode 'x",
  ])
  func wrongDotCommands(_ command: String) throws {
    let outcome = try ask("-c", command)
    #expect(outcome.status == 1 && outcome.errors.hasPrefix("error"), "\(command): \(outcome)")
  }

  @Test func whatThereIsInsteadIsSaid() throws {
    #expect(try ask(".mode blah").errors.hasPrefix("error: there is no mode 'blah'; the modes are table box"))
    #expect(try ask(".foo").errors == "error: there is no command .foo; .help lists all\n")
    #expect(try ask(".tables").errors == "error: there is no command .tables; did you mean .types? .help lists all\n")
    #expect(try ask(".use Xyzzy").errors == "error: there is no entity 'Xyzzy'; the store has Thing\n")
  }

  @Test func aUniqueValueForManyNamesAFew() throws {
    let rows = (0..<50).map { "{\"code\":\"\($0)\"}" }.joined(separator: "\n")
    let many = workshop.path + "/many"
    _ = try Command.run(["import", "--quiet", many, try workshop.file("m.jsonl", rows), "Thing", "--key", "code"])
    let outcome = try Command.run([many, "--yes", "UPDATE Thing SET code = 'x'"])
    #expect(
      outcome.errors
        == "error: 50 objects of Thing have code \"x\" (numbers 1, 2, 3, 4, 5 and 45 more); nothing was written\n")
  }

  @Test func safety() throws {
    for statement in ["DELETE Thing", ".output x", ".once x", ".read x", ".open x", ".import x Y"] {
      let outcome = try ask("--safe", "-c", statement)
      #expect(outcome.status == 1 && outcome.errors.contains("--safe"), "\(statement): \(outcome)")
    }
    #expect(try ask("--safe", "COUNT Thing").output == "3\n")
    #expect(try ask("--readonly", "-c", "DELETE Thing").status == 1)
    #expect(try ask("COUNT Thing").output == "3\n")
  }

  @Test func deleting() throws {
    let outcome = try ask("DELETE Thing WHERE n > 1")
    #expect(outcome.output.isEmpty && outcome.errors == "2 objects deleted\n")
    #expect(try ask("COUNT Thing").output == "1\n")
  }

  @Test func aReaderThatLeavesEarlyIsNoError() throws {
    let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command = URL(fileURLWithPath: binary).deletingLastPathComponent().appendingPathComponent("objquery").path
    let script = "\"$0\" \"$1\" $(yes Thing | head -500 | sed 's/^/-c /') | head -1; echo"
    let outcome = try Command.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, command, store])
    #expect(outcome.errors.isEmpty)
  }
}
