import Diagnostics
import PredicateLanguage
import Testing

/// Scripts are cut where statements end, and nowhere else.
@Suite struct ScriptTests {
  @Test func statementsAndCommands() {
    let script = """
      #!/usr/bin/env -S objquery -f
      -- what happened in Chile
      .open quakes
      Quake WHERE place == 'a; b' /* ; */
        AND magnitude > 5; COUNT Quake;
      # a remark; with a semicolon
      .mode json  
      #size > 1
      """
    let pieces = StatementParser.split(script)
    #expect(
      pieces.map(\.text) == [
        ".open quakes", "Quake WHERE place == 'a; b' /* ; */\n  AND magnitude > 5", "COUNT Quake", ".mode json",
        "#size > 1",
      ])
    #expect(pieces.map(\.kind) == [.command, .statement, .statement, .command, .statement])
    #expect(pieces.map(\.line) == [3, 4, 5, 7, 8])
    #expect(pieces.map(\.isTerminated) == [true, true, true, true, false])
    for piece in pieces {
      let utf8 = Array(script.utf8)[piece.range.lowerBound..<piece.range.upperBound]
      #expect(String(decoding: utf8, as: UTF8.self) == piece.text)
    }
  }

  @Test(arguments: [
    "Quake", "Quake WHERE a == 1", "a == 'x'", "Quake;", ".help", "COUNT Quake", "a IN {1, 2}", "Quake LIMIT 5",
    "a == 1)", "EXPLAIN Quake", "a == nil", "CREATE INDEX ON Quake (net)", "ALTER Quake ADD felt: Int?",
    "ALTER Quake ADD regions: List<Region>", "EXPLAIN ALTER Quake ADD x: Set<Int>", "RENAME Quake TO b",
    "DROP ENTITY a",
  ])
  func complete(_ text: String) {
    #expect(StatementParser.split(text).last?.isComplete == true)
  }

  @Test(arguments: [
    "Quake WHERE", "Quake WHERE a ==", "a == 'x", "a IN {1, 2", "(a == 1", "a == 1 AND", "Quake SORT BY", "/* open",
    "a == 1 /* open", "Quake SELECT a,", "EXPLAIN", "LET x =", "`name", "a +", "CREATE INDEX ON Quake (net",
    "RENAME Quake TO", "CREATE INDEX ON Quake (net) USING", "ALTER Quake ADD x: Int =", "drop >",
    "ALTER Quake ADD felt:",
  ])
  func incomplete(_ text: String) {
    #expect(StatementParser.split(text).last?.isComplete == false)
  }

  @Test func nothing() {
    #expect(StatementParser.split("").isEmpty)
    #expect(StatementParser.split(" \n-- only a comment\n;;\n").isEmpty)
  }

  @Test func anUnclosedStringTakesTheRest() {
    let pieces = StatementParser.split("a == 'x; .mode json\n; b == 2")
    #expect(pieces.count == 1)
    #expect(pieces.first?.isComplete == false)
  }
}
