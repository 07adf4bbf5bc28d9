import Foundation
import Testing

/// A real week of the USGS feed, and what is known of it by other means.
@Suite struct WeekOfEarthquakesTests {
  static let feed = Command.data("usgs-all-week.geojson")

  static let answers: [(String, String)] = [
    ("COUNT Quake", "1707"),
    ("COUNT Quake WHERE mag > 5", "35"),
    ("COUNT Quake WHERE mag >= 4.5", "85"),
    ("COUNT Quake WHERE place CONTAINS[c] 'alaska'", "313"),
    ("COUNT Quake WHERE NOT mag > 1", "735"),
    ("COUNT Quake WHERE felt == nil", "1580"),
    ("COUNT Quake WHERE felt > 10", "25"),
    ("COUNT Quake WHERE time BETWEEN {2018-02-04@00:00:00, 2018-02-05@00:00:00}", "301"),
    ("COUNT Quake WHERE mag > 2.5 AND place ENDSWITH ', CA'", "13"),
    ("COUNT Quake WHERE type != 'earthquake'", "28"),
    ("COUNT Quake WHERE net IN {'ci', 'nc'}", "756"),
    ("COUNT Quake WHERE location.altitude < 0", "43"),
  ]

  @Test(.enabled(if: feed != nil, "SKIPPED: usgs-all-week.geojson is not here"))
  func answersAreRight() throws {
    let scratch = try Scratch()
    let store = scratch.path("quakes")
    let imported = try Command.run(
      ["import", store, try #require(Self.feed), "Quake", "--key", "id", "--index", "mag,time"]
        + ["--date", "time:ms", "--date", "updated:ms"])
    #expect(imported.status == 0, "\(imported.errors)")

    for (statement, answer) in Self.answers {
      let outcome = try Command.run([store, "-c", statement])
      #expect(outcome.output == answer + "\n", "\(statement): \(outcome.errors)")
      #expect(outcome.status == 0)
    }
    let strongest = try Command.run(
      ["--csv", store, "-c", "Quake SORT BY mag DESC LIMIT 1 SELECT id, mag, place"])
    #expect(strongest.output == "id,mag,place\nus1000chhc,6.4,\"22km NNE of Hualian, Taiwan\"\n")
    #expect(try Command.run(["check", store]).status == 0)

    let misspelt = try Command.run([store, "-c", "COUNT Quake WHERE magn > 5"])
    #expect(misspelt.status == 1)
    #expect(misspelt.output.isEmpty)
    #expect(misspelt.errors.contains("error[unknown-property]"))
    #expect(misspelt.errors.contains("  COUNT Quake WHERE magn > 5\n                    ^^^^\n"))
    #expect(misspelt.errors.contains("did you mean 'mag'?"))
  }
}
