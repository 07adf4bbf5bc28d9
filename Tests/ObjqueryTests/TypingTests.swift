import Foundation
import Testing

/// What can be typed at a terminal besides statements of the language.
@Suite struct TypingTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/quakes"
    let rows = (0..<40).map { "{\"mag\":\($0),\"place\":\"p\($0)\"}" }.joined(separator: "\n")
    let outcome = try Command.run(["import", "--quiet", store, try workshop.file("q.jsonl", rows), "Quake"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func terminal(_ words: String..., environment: [String: String] = [:]) throws -> Terminal {
    let terminal = try Terminal([store] + words, state: workshop.path + "/state", environment: environment)
    #expect(terminal.wait(for: "> "))
    return terminal
  }

  private func leave(_ terminal: Terminal) {
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)
  }

  // MARK: Mistakes

  @Test func queriesOfSQLAreRead() throws {
    let sql = "SELECT place FROM Quake WHERE mag BETWEEN 3 AND 9 AND place IS NOT NULL ORDER BY mag DESC LIMIT 1"
    let meant = "Quake WHERE mag BETWEEN {3, 9} AND place != nil SORT BY mag DESC LIMIT 1 SELECT place"
    let terminal = try terminal()
    terminal.type(sql + "\n")
    #expect(terminal.wait(for: "read as: \(meant)\r\n") && terminal.wait(for: "│ p9    │"))
    terminal.type("SELECT COUNT(*) FROM Quake WHERE mag IN (1, 2)\n")
    #expect(terminal.wait(for: "read as: COUNT Quake WHERE mag IN {1, 2}\r\n2\r\n"))
    terminal.type("Quake.filter(\"mag > 38\")\n")
    #expect(terminal.wait(for: "read as: Quake WHERE mag > 38\r\n") && terminal.wait(for: "1 object"))
    terminal.type("DELETE FROM Quake WHERE mag > 3\n")
    #expect(terminal.wait(for: "fix: leave 'FROM' out"), "what changes objects is not guessed")
    leave(terminal)

    let strict = try self.terminal("--strict")
    strict.type(sql + "\n")
    #expect(strict.wait(for: "error[foreign-clause]"))
    leave(strict)

    for outcome in [try Command.run([store, "-c", sql]), try Command.run([store], input: sql)] {
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("fix: write 'Quake SELECT place'"), "\(outcome)")
    }
  }

  @Test func aFixIsOneKeyAway() throws {
    let terminal = try terminal()
    terminal.type("COUNT Quake WHERE magn > 36\n")
    #expect(terminal.wait(for: "fix: write 'mag'") && terminal.wait(for: "quakes> "))
    terminal.type("\t")
    #expect(terminal.wait(for: "COUNT Quake WHERE mag > 36"))
    terminal.type("\n")
    #expect(terminal.wait(for: "3\r\n") && terminal.wait(for: "quakes> "))
    terminal.type(".fix\n")
    #expect(terminal.wait(for: "there is no fix for the last statement"))
    terminal.type("COUNT Quake WHERE plaec == 'p1'\n")
    #expect(terminal.wait(for: "fix: write 'place'") && terminal.wait(for: "quakes> "))
    terminal.type(".fix\n")
    #expect(terminal.wait(for: "COUNT Quake WHERE place == 'p1'"))
    terminal.type("\n")
    #expect(terminal.wait(for: "1\r\n"))
    leave(terminal)
  }

  @Test func examplesAreOfTheStore() throws {
    #expect(try ask("mag > 5").contains("note: write 'Quake WHERE mag > 5', or '.use Quake' first"))
    #expect(try ask("find quakes").contains("write 'Quake WHERE mag > 5'"))
    let named = try ask("COUNT Quake WHERE mag > $least")
    #expect(named.contains("it gets a value with -p least=VALUE, or .param set least=VALUE"), "\(named)")
    #expect(try ask("COUNT Quake WHERE mag > %@").contains("values come with --arg VALUE"))
    let other = workshop.path + "/people"
    let file = try workshop.file("p.jsonl", "{\"name\":\"Ann\"}\n{\"name\":\"Bo\"}")
    #expect(try Command.run(["import", "--quiet", other, file, "Person"]).status == 0)
    let outcome = try Command.run([other, "-c", "name == 'Ann'"])
    #expect(outcome.errors.contains("write 'Person WHERE name CONTAINS 'x'', or '.use Person' first"), "\(outcome)")
  }

  private func ask(_ statement: String) throws -> String {
    let outcome = try Command.run([store, "-c", statement])
    #expect(outcome.status == 1, "\(outcome)")
    return outcome.errors
  }

  // MARK: Keys

  @Test func aPasteIsOneStatement() throws {
    let terminal = try terminal()
    terminal.type("\u{1B}[200~Quake -- of all\rWHERE mag > 36\r  AND mag < 39 SELECT place\r\u{1B}[201~")
    #expect(terminal.wait(for: "mag < 39 SELECT place"))
    terminal.type(" LIMIT 1\n")
    #expect(terminal.wait(for: "│ p37   │\r\n└───────┘\r\n1 object"), "nothing runs before Enter")
    terminal.type("\u{1B}[200~COUNT Quake;\nCOUNT Quake WHERE mag > 30;\u{1B}[201~\n")
    #expect(terminal.wait(for: "40\r\n9\r\n"), "both run")
    leave(terminal)

    let next = try self.terminal()
    // The statement before `.quit` and the two counts.
    next.type("\u{1B}[A\u{1B}[A\u{1B}[A")
    #expect(next.wait(for: "-- of all") && next.wait(for: "SELECT place LIMIT 1"))
    next.type("\n")
    #expect(next.wait(for: "│ p37   │\r\n└───────┘\r\n1 object"), "lines and comments are kept as they were")
    leave(next)
  }

  @Test func controlZSuspends() throws {
    // In a job of its own, since a process that nobody can continue is not stopped.
    let terminal = try Terminal(
      [store], state: workshop.path + "/state", under: ["/bin/bash", "-c", "set -m; \"$0\" \"$@\" & exec sleep 300"])
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Qu\u{1A}")
    let job = try #require(terminal.child)
    #expect(Terminal.isStopped(job))
    kill(job, SIGCONT)
    terminal.type("ake\n")
    #expect(terminal.wait(for: "40\r\n"), "the line is still there")
    kill(job, SIGKILL)
  }

  // MARK: Words

  @Test func wordsOfOtherShells() throws {
    let terminal = try terminal()
    terminal.type("\\dt\n")
    #expect(terminal.wait(for: "│ Quake  │      40 │"))
    terminal.type("\\d Quake\n")
    #expect(terminal.wait(for: "@Model struct Quake"))
    terminal.type("help;\n")
    #expect(terminal.wait(for: "Ask about objects by the name of their entity"))
    terminal.type("\\? timer\n")
    #expect(terminal.wait(for: ".timer on|off"))
    terminal.type("exit\n")
    #expect(terminal.status() == 0)
    for word in ["quit;", "\\q"] {
      let terminal = try self.terminal()
      terminal.type(word + "\n")
      #expect(terminal.status() == 0)
    }
    #expect(try Command.run([store, "-c", "exit"]).errors.contains("'.quit' leaves"), "a script says it clearly")
  }

  @Test func theShellOfTheSystem() throws {
    let shown = try Command.run([store, "-c", ".print 'a  b' c", "-c", ".shell echo \"x  y\" | tr x z", "-c", ".print"])
    #expect(shown.status == 0 && shown.output == "a  b c\nz  y\n\n", "\(shown)")
    let failed = try Command.run([store, "-c", ".shell exit 3"])
    #expect(failed.status == 1 && failed.errors.contains("the command ended with 3"), "\(failed)")
    for command in [".shell true", ".pager less"] {
      #expect(try Command.run([store, "--safe", "-c", command]).errors.contains("refused with --safe"))
    }
  }

  @Test func theStartFile() throws {
    let folder = workshop.path + "/config/objquery"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try workshop.file("config/objquery/rc", ".prompt 'ask %s%t $ '\n.nonsense\n.print started\n")
    let environment = ["XDG_CONFIG_HOME": workshop.path + "/config"]
    let terminal = try Terminal([store], state: workshop.path + "/state", environment: environment)
    #expect(terminal.wait(for: "rc:2: there is no command .nonsense") && terminal.wait(for: "started"))
    #expect(terminal.wait(for: "ask quakes $ "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "ask quakes* $ "))
    terminal.type("ROLLBACK\n.prompt\n")
    #expect(terminal.wait(for: "quakes> "))
    leave(terminal)
    let without = try Terminal([store, "--no-rc"], state: workshop.path + "/state", environment: environment)
    #expect(without.wait(for: "quakes> "))
    leave(without)

    _ = try workshop.file("config/objquery/rc", ".mode csv")
    #expect(
      try run(["-c", "COUNT Quake", "-c", ".mode"], environment) == "40\njsonl\n", "scripts are the same for all")
    #expect(try run(["--rc", "-c", ".mode"], environment) == "csv\n")
  }

  private func run(_ words: [String], _ environment: [String: String]) throws -> String {
    let script =
      (["env"] + environment.map { "\($0)='\($1)'" } + ["'\(try Command.binary().path)'", "'\(store)'"])
      .joined(separator: " ") + " " + words.map { "'\($0)'" }.joined(separator: " ")
    return try Command.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script]).output
  }
}
