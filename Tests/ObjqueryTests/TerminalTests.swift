import Foundation
import Testing

/// Statements typed at a terminal.
@Suite struct TerminalTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func store(_ count: Int = 40) throws -> String {
    let store = workshop.path + "/quakes"
    let rows = (0..<count).map { "{\"mag\":\($0),\"place\":\"p\($0)\"}" }.joined(separator: "\n")
    let outcome = try Command.run(["import", "--quiet", store, try workshop.file("q.jsonl", rows), "Quake"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return store
  }

  @Test func aSession() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Qu\t\n")
    #expect(terminal.wait(for: "40\r\n"), "Tab completes the entity")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake WHERE mag > 37 AND\n")
    #expect(terminal.wait(for: "...> "), "a statement spans lines")
    terminal.type("mag < 39 SELECT place\n")
    #expect(terminal.wait(for: "│ p38   │") && terminal.wait(for: "1 object\r\n"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("nonsense\u{3}")
    #expect(terminal.wait(for: "^C") && terminal.wait(for: "quakes> "), "Ctrl-C drops the line")
    terminal.type("COUNT Quake WHERE magn > 1\n")
    #expect(terminal.wait(for: "error[unknown-property]") && terminal.wait(for: "^^^^"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type(".use Quake\n")
    #expect(terminal.wait(for: "quakes:Quake> "))
    terminal.type("place == 'é'\n")
    #expect(terminal.wait(for: "0 objects") && terminal.wait(for: "quakes:Quake> "), "UTF-8 is read in every locale")
    terminal.type("\u{4}")
    #expect(terminal.status() == 0, "Ctrl-D leaves, and errors on the way are no failure")
    let history = try String(contentsOfFile: workshop.path + "/state/objquery/history", encoding: .utf8)
    #expect(history.contains("COUNT") && !history.contains("nonsense"))
  }

  @Test func transactionsAndQuestions() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "quakes*> "), "the prompt shows the transaction")
    terminal.type("DELETE Quake\n")
    #expect(terminal.wait(for: "Delete all 40 objects of Quake? [y/N] "))
    terminal.type("n\n")
    #expect(terminal.wait(for: "nothing was changed") && terminal.wait(for: "quakes*> "))
    terminal.type("DELETE Quake\n")
    #expect(terminal.wait(for: "[y/N] "))
    terminal.type("y\n")
    #expect(terminal.wait(for: "40 objects deleted") && terminal.wait(for: "quakes*> "))
    terminal.type("COUNT Nothing\n")
    #expect(terminal.wait(for: "error[unknown-entity]") && terminal.wait(for: "quakes*> "), "a mistake does not end it")
    terminal.type("ROLLBACK\n")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Quake\n")
    #expect(terminal.wait(for: "40\r\n") && terminal.wait(for: "quakes> "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "quakes*> "))
    terminal.type("\u{4}")
    #expect(terminal.wait(for: "the transaction was still open"))
    #expect(terminal.status() == 0)
  }

  @Test func changesOfTheSchemaAreShownAndAskedFor() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("ALTER Quake DROP PROPERTY place\n")
    #expect(terminal.wait(for: "- Quake.place: String, 40 values\r\n"))
    #expect(terminal.wait(for: "Change the schema? What is marked with '-' is lost. [y/N] "))
    terminal.type("n\n")
    #expect(terminal.wait(for: "nothing was changed") && terminal.wait(for: "quakes> "))
    terminal.type("ALTER Quake RENAME pl\t TO town\n")
    #expect(terminal.wait(for: "~ Quake.place is now town\r\n") && terminal.wait(for: "Change the schema? [y/N] "))
    terminal.type("y\n")
    #expect(terminal.wait(for: "done\r\n") && terminal.wait(for: "quakes> "))
    terminal.type("COUNT Quake WHERE town == 'p3'\n")
    #expect(terminal.wait(for: "1\r\n") && terminal.wait(for: "quakes> "))
    terminal.type("\u{4}")
    #expect(terminal.status() == 0)
  }

  @Test func tallResultsGoThroughThePager() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake\n")
    #expect(terminal.wait(for: "│  39 │ p39   │") && terminal.wait(for: "40 objects"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)
  }

  @Test func longResultsAreShownInPart() throws {
    let store = try store(1_100)
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake\n")
    #expect(terminal.wait(for: "│   19 │ p19   │\r\n… 1,060 more (.all, or LIMIT)"))
    #expect(terminal.wait(for: "\r\n│ 1080 │ p1080 │") && terminal.wait(for: "p1099 │"))
    #expect(terminal.wait(for: "1,100 objects") && terminal.wait(for: "quakes> "))
    terminal.type("Quake WHERE mag < 1000 SORT BY mag DESC SELECT mag\n")
    #expect(terminal.wait(for: "│ 980 │\r\n… 960 more (.all, or LIMIT)\r\n│  19 │"))
    terminal.type(".maxrows 3\n")
    terminal.type("Quake SECTIONS BY mag / 1000\n")
    #expect(terminal.wait(for: "… 1,097 more (.all, or LIMIT)") && terminal.wait(for: "1,100 objects"))
    terminal.type(".all\n")
    #expect(terminal.wait(for: "p600") && terminal.wait(for: "1,100 objects"))
    terminal.type(".mode line\nQuake\n")
    #expect(terminal.wait(for: "\r\n… 1,097 more (.all, or LIMIT)\r\n"))
    terminal.type(".mode csv\nQuake\n")
    #expect(terminal.wait(for: "500,p500"), "formats for programs are never shown in part")
    terminal.type(".maxrows 0\n.mode box\nQuake\n")
    #expect(terminal.wait(for: "│ 500 │ p500"))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)

    let direct = try Terminal([store, "--max-rows", "2", "-c", "Quake"], state: workshop.path + "/state")
    #expect(direct.wait(for: "… 1,098 more (--max-rows 0, or LIMIT)") && direct.wait(for: "p1099"))
    let piped = try Command.run([store, "--box", "--max-rows", "2", "-c", "Quake"])
    #expect(piped.output.contains("p500") && !piped.output.contains("more"), "pipes get all rows")
  }

  @Test func nilIsDimmed() throws {
    let store = try store()
    let terminal = try Terminal([store], state: workshop.path + "/state", environment: ["NO_COLOR": ""])
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake LIMIT 1 SELECT nil AS none, 'nil' AS word\n")
    #expect(terminal.wait(for: "│ \u{1B}[2mnil\u{1B}[0m  │ \"nil\" │"))
  }

  @Test func thePagerGetsWhatIsTallerThanTheScreen() throws {
    let pager = ["PAGER": "sed 's/^/paged: /'"]
    let terminal = try Terminal([try store()], state: workshop.path + "/state", environment: pager)
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake LIMIT 3\n")
    #expect(terminal.wait(for: "┌") && terminal.wait(for: "3 objects"), "there is room for it")
    terminal.type("Quake\n")
    #expect(
      terminal.wait(for: "paged: ┌") && terminal.wait(for: "paged: │  39 │") && terminal.wait(for: "40 objects"))
    terminal.type(".pager 'tr p q'\nQuake\n")
    #expect(terminal.wait(for: "│  39 │ q39   │"))
    terminal.type(".pager off\nQuake\n")
    #expect(terminal.wait(for: "│  39 │ p39   │"))
    terminal.type(".pager on\n.pager\n")
    #expect(terminal.wait(for: "sed 's/^/paged: /'"))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)
  }

  @Test func controlCEndsTheOutput() throws {
    let terminal = try Terminal([try store(6_000), "--max-rows", "0"], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake\n")
    #expect(terminal.wait(for: "p5 "))
    // More than a terminal takes is waiting to be read.
    terminal.interrupt()
    #expect(terminal.wait(for: "\r\n└─────┴────────────┘\r\ninterrupted\r\n"), "the table is closed")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Quake\n")
    #expect(terminal.wait(for: "6000\r\n"))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)
  }
}
