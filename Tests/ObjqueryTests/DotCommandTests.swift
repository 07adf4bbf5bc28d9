import Foundation
import Testing

/// Dot commands that change how results look and where they go, as a user runs them.
@Suite struct DotCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let file = try workshop.file("t.jsonl", "{\"a\":1,\"s\":\"some words that go on\"}\n{\"a\":2,\"s\":null}\n")
    let outcome = try Command.run(["import", "--quiet", store, file, "Thing", "--key", "a"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func ask(_ words: String...) throws -> Command.Outcome { try Command.run([store] + words) }

  @Test func headersAndNil() throws {
    #expect(try ask("--csv", ".headers off", "Thing").output == "1,some words that go on\n2,\n")
    #expect(try ask("--csv", ".headers off", ".headers on", "Thing LIMIT 1").output == "a,s\n1,some words that go on\n")
    #expect(try ask("--csv", ".headers off", ".nullvalue none", "Thing").output == "1,some words that go on\n2,none\n")
    #expect(try ask("--csv", ".nullvalue x", ".nullvalue", ".headers off", "Thing OFFSET 1").output == "2,\n")
    #expect(try ask(".headers maybe").errors.contains("on or off"))
    #expect(try ask(".headers").errors.contains("usage: .headers on|off"))
  }

  @Test func widthIsHeeded() throws {
    let narrow = try ask("--mode", "table", ".width 20", "Thing").output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 20 } && narrow.contains("…"), "\(narrow)")
    #expect(try ask("--mode", "table", ".width 20", ".width", "Thing").output.contains("some words that go on"))
    #expect(try ask(".width -1").status == 1)
  }

  @Test func resultsGoToFiles() throws {
    let path = workshop.path
    let outcome = try ask(
      ".once \(path)/one", "COUNT Thing", "COUNT Thing WHERE a == 1", ".output \(path)/two", "COUNT Thing WHERE a == 3",
      "Thing SELECT a", ".output", "Thing LIMIT 1 SELECT a")
    #expect(outcome.status == 0 && outcome.output == "1\n{\"a\":1}\n", "\(outcome)")
    #expect(try workshop.text("one") == "2\n")
    #expect(try workshop.text("two") == "0\n{\"a\":1}\n{\"a\":2}\n")
    for command in [".once", ".output"] {
      #expect(try ask("\(command) \(path)/none/x").errors.contains("cannot write"))
      #expect(try ask("--safe", "\(command) \(path)/safe").errors.contains("--safe"))
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/safe"))
  }

  @Test func whatIsInAFileIsNotWrittenOverByItself() throws {
    let path = workshop.path + "/kept"
    try "what was there".write(toFile: path, atomically: true, encoding: .utf8)
    for command in [".once", ".output"] {
      let refused = try ask("\(command) \(path)", "COUNT Thing")
      #expect(refused.status == 1 && refused.errors.contains("--overwrite"), "\(refused)")
      #expect(try workshop.text("kept") == "what was there")
    }
    for command in [".once", ".output"] {
      let replaced = try ask("\(command) --overwrite \(path)", "COUNT Thing")
      #expect(replaced.status == 0 && replaced.output.isEmpty, "\(replaced)")
      #expect(try workshop.text("kept") == "2\n")
    }
    try "".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try ask(".once \(path)", "COUNT Thing").status == 0)
    #expect(try ask(".once --overwrite", "COUNT Thing").status == 1)
  }

  @Test func parametersAreKeptAndForgotten() throws {
    let outcome = try ask(
      ".param set a=1", "COUNT Thing WHERE a == $a", ".param set d:date=2018-02-07", ".param list", ".param unset a",
      ".param list")
    #expect(outcome.output == "1\n$a = 1\n$d:date = 2018-02-07\n$d:date = 2018-02-07\n", "\(outcome)")
    #expect(try ask(".param unset b").errors.contains("no parameter 'b'"))
    #expect(try ask(".param set b:many=1").errors.contains("not a type"))
    #expect(try ask(".param").status == 1)
  }

  @Test func figuresOfTheStore() throws {
    let stats = try ask(".stats").output
    for word in [
      "file  ", "used  ", "free  ", "map", "version", "readers", "writer", "2 objects", "index a: ",
      "2 entries, unique",
    ] { #expect(stats.contains(word), "\(word) in \(stats)") }
    #expect(try ask("--csv", ".types").output.hasPrefix("entity,objects,bytes\nThing,2,"))
    #expect(try ask("--csv", ".indexes").output.hasPrefix("entity,index,kind,entries,bytes\nThing,a,unique,2,"))
  }

  @Test func everyCommandHasItsHelp() throws {
    let all = try ask(".help").output
    let names = all.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(".") }
      .map { String($0.prefix { $0 != " " }) }
    #expect(names.count > 20 && names.contains(".dump") && names.contains(".export"))
    for name in names {
      let help = try ask(".help \(name)")
      #expect(help.status == 0 && help.output.hasPrefix(name), "\(name): \(help)")
    }
  }
}
