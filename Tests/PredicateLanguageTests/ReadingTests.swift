import PredicateLanguage
import Testing

/// Queries of other languages that can mean only one thing, and those that may mean several.
@Suite struct ReadingTests {
  @Test(arguments: [
    (
      "SELECT mag, place FROM Quake WHERE mag > 5 ORDER BY mag DESC LIMIT 3",
      "Quake WHERE mag > 5 SORT BY mag DESC LIMIT 3 SELECT mag, place"
    ),
    ("select * from Quake;", "Quake"),
    ("SELECT COUNT(*) FROM Quake WHERE net = 'us'", "COUNT Quake WHERE net == \"us\""),
    ("SELECT * FROM Quake WHERE net IN ('us', 'ci')", "Quake WHERE net IN {\"us\", \"ci\"}"),
    (
      "SELECT * FROM Quake WHERE mag BETWEEN 1 AND 2 AND felt IS NULL OR net IS NOT NULL",
      "Quake WHERE (mag BETWEEN {1, 2} AND felt == nil) OR net != nil"
    ),
    ("Quake WHERE felt IS NOT NULL", "Quake WHERE felt != nil"), ("Quake WHERE felt IN (1)", "Quake WHERE felt IN {1}"),
    ("COUNT(*) Quake", "COUNT Quake"), ("SELECT mag AS m FROM Quake", "Quake SELECT mag AS m"),
    (
      "SELECT net, COUNT(*), AVG(mag) AS mean FROM Quake GROUP BY net HAVING COUNT(*) > 2 ORDER BY COUNT(*)",
      "Quake GROUP BY net HAVING @count > 2 SORT BY @count ASC SELECT net, @count, @avg.mag AS mean"
    ),
    ("SELECT COUNT(*) FROM Quake GROUP BY net", "Quake GROUP BY net SELECT @count"),
    ("SELECT COUNT(*) FROM Quake LIMIT 3", "Quake LIMIT 3 SELECT @count"),
    ("SELECT MAX(location.latitude) FROM Quake", "Quake SELECT @max.location.latitude"),
    ("SELECT DISTINCT net, type FROM Quake", "Quake DISTINCT net, type SELECT net, type"),
    ("Quake.filter(\"mag > 5\")", "Quake WHERE mag > 5"),
    ("Quake.where('net == \"us\"') ORDER BY mag", "Quake WHERE net == \"us\" SORT BY mag ASC"),
    ("EXPLAIN SELECT * FROM Quake", "EXPLAIN Quake"),
  ])
  func whatIsCertainIsRead(_ text: String, _ expected: String) throws {
    #expect(StatementParser.reading(of: text)?.description == expected)
    // Its fixes lead to the same.
    var mended = text
    for _ in 0..<8 {
      do {
        _ = try StatementParser.statement(mended)
        break
      } catch {
        mended = try #require(error.fixedSource, "\(mended)")
      }
    }
    #expect(try StatementParser.statement(mended) == StatementParser.statement(expected), "\(mended)")
  }

  @Test(arguments: [
    "Quake", "Quake WHERE mag > 5",  // nothing to read
    "SELECT COUNT(felt) FROM Quake", "SELECT COUNT(DISTINCT net) FROM Quake",  // COUNT of a property leaves nil out
    "SELECT mag FROM Quake q", "SELECT Quake.mag FROM Quake", "SELECT * FROM Quake, Station",
    "SELECT * FROM Quake JOIN Station ON a = b", "SELECT *, mag FROM Quake", "SELECT \"mag\" FROM Quake",
    "SELECT DISTINCT mag AS m FROM Quake", "SELECT 1 + COUNT(*) FROM Quake", "SELECT AVG(mag + 1) FROM Quake",
    "SELECT * FROM Quake ORDER BY 1", "SELECT * FROM Quake WHERE place LIKE '%a'",
    "SELECT * FROM Quake WHERE \"place\" = 'x'", "SELECT * FROM Quake WHERE net NOT IN ('us')",
    // NULL is neither equal to anything nor unequal, and what is unknown stays so.
    "SELECT * FROM Quake WHERE felt != 3", "SELECT * FROM Quake WHERE felt <> 3",
    "SELECT * FROM Quake WHERE NOT felt > 4",
    "SELECT * FROM Quake WHERE felt = NULL", "SELECT * FROM Quake WHERE felt IN (3, NULL)",
    "SELECT * FROM Quake WHERE felt = mag", "SELECT * FROM Quake WHERE felt >= felt",
    // A name in quotes, a pattern with other wildcards, a name after AS, a text that is searched in.
    "SELECT * FROM Quake WHERE length(\"place\") > 4", "SELECT COUNT(*) FROM Quake GROUP BY \"place\"",
    "SELECT * FROM Quake WHERE place LIKE net", "SELECT net, 0 - mag AS mag FROM Quake ORDER BY mag",
    "SELECT * FROM Quake WHERE net IN ('us')",
    "DELETE FROM Quake WHERE mag IS NULL", "BEGIN TRANSACTION", "INSERT INTO Quake {\"mag\": 1}",
    "Quake WHERE mga >> 5 AND", "Quake WERE mag > 5", "Quake WHERE place CONTIANS 'x'", "Quake WHERE 1 < mag < 5",
    "Quake.filter(\"mag > %@\")", "Quake.filter(\"mag > \")", "Quake.filter(\"mag > 5\").count", "mag > 5",
  ])
  func whatIsNotCertainIsNot(_ text: String) {
    #expect(StatementParser.reading(of: text) == nil, "\(StatementParser.reading(of: text)?.description ?? "")")
  }
}
