import Foundation
import ObjectStoreCore
import Testing

/// The modes `geojson`, `html`, `insert` and `chart`, with what reads them back.
@Suite struct DrawnOutputTests {
  let workshop: Workshop
  let store: String

  private static let schema = """
    @Model struct Spot { var longitude: Double; var latitude: Double; var altitude: Double? }
    @Model struct Quake {
      @Attribute(.unique) var id: String
      var mag: Double?; var net: String; var time: Date?; var raw: Data?; var tags: Set<String>; var location: Spot?
    }

    """

  private static let quakes = [
    #"{"id":"a","mag":1.5,"net":"us","time":"2018-02-07T01:02:03.25Z","raw":"AQI=","tags":["<b>","é"],"location":{"longitude":10.5,"latitude":-3.25,"altitude":7.0}}"#,
    #"{"id":"b \"<i>&'","mag":null,"net":"ci","time":null,"raw":null,"tags":[],"location":null}"#,
    #"{"id":"c;--","mag":3.5,"net":"us","time":"2018-02-08T00:00:00Z","raw":null,"tags":[],"location":{"longitude":-180.0,"latitude":0.0,"altitude":null}}"#,
  ]

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file("models.swift", Self.schema)
    let file = try workshop.file("quakes.jsonl", Self.quakes.joined(separator: "\n") + "\n")
    let outcome = try Command.run(["import", "--quiet", store, file, "Quake", "--schema", schema])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  /// What has no place on a chart ends at its edge.
  @Test(arguments: ["1.0 / (mag - 1.5)", "inf", "0 - inf", "1e308 * (mag * 2)"])
  func infinitiesAreDrawn(_ number: String) throws {
    for statement in ["Quake SELECT id, \(number) AS n", "Quake SELECT \(number) AS n"] {
      let outcome = try ask("-m", "chart", "-c", statement)
      #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome)")
    }
    let many = try workshop.file(
      "many.jsonl", (0..<300).map { "{\"k\":\($0),\"v\":\($0 % 2 == 0 ? "" : "-")1.7e308}\n" }.joined())
    let wide = workshop.path + "/wide"
    #expect(try Command.run(["import", "--quiet", wide, many, "V"]).status == 0)
    for statement in ["V SELECT k, v", "V SELECT v"] {
      let outcome = try Command.run([wide, "-m", "chart", "-c", statement])
      #expect(outcome.status == 0 && !outcome.output.contains("inf"), "\(outcome)")
    }
  }

  /// An object without a unique property has another number in another store.
  @Test func noLinkByNumberIsInserted() throws {
    let schema = try workshop.file("links.swift", "@Model struct A { var n: Int; var to: Link<A>? }\n")
    let file = try workshop.file("links.jsonl", "{\"@id\":1,\"n\":1}\n{\"@id\":2,\"n\":2,\"to\":{\"@id\":1}}\n")
    let links = workshop.path + "/links"
    let made = try Command.run(["import", "--quiet", links, file, "A", "--schema", schema])
    #expect(made.status == 0, "\(made)")
    let outcome = try Command.run([links, "-m", "insert", "-c", "A"])
    #expect(outcome.status == 1 && outcome.errors.contains("without a unique property"), "\(outcome)")
    #expect(
      try Command.run([links, "-m", "insert", "-c", "A WHERE to == nil"]).output == "INSERT A {\"n\":1,\"to\":null};\n")
  }

  /// The geometry takes the coordinates, and nothing else, and takes both from one struct.
  @Test func whatIsBesideTheCoordinatesStays() throws {
    let schema = try workshop.file(
      "places.swift",
      """
      @Model struct Spot { var longitude: Double?; var latitude: Double?; var label: String }
      @Model struct P { var n: Int; var home: Spot; var place: Spot }

      """)
    let lines = """
      {"n":1,"home":{"longitude":1,"latitude":2,"label":"h"},"place":{"longitude":50,"latitude":60,"label":"p"}}
      {"n":2,"home":{"longitude":1.5,"latitude":null,"label":"x"},"place":{"longitude":null,"latitude":null,"label":"y"}}

      """
    let places = workshop.path + "/places"
    let made = try Command.run([
      "import", "--quiet", places, try workshop.file("p.jsonl", lines), "P", "--schema", schema,
    ])
    #expect(made.status == 0, "\(made)")
    let output = try Command.run([places, "-m", "geojson", "-c", "P SORT BY n"]).output
    #expect(output.contains(#""coordinates":[1.0,2.0]},"properties":{"n":1,"home":{"label":"h"},"#), "\(output)")
    #expect(
      output.contains(#""geometry":null,"properties":{"n":2,"home":{"longitude":1.5,"latitude":null,"label":"x"}"#),
      "\(output)")
    let mixed = "P WHERE n == 1 SELECT place.latitude, home.longitude, home.latitude, place.longitude"
    let chosen = try Command.run([places, "-m", "geojson", "-c", mixed]).output
    #expect(chosen.contains("[50.0,60.0]") || chosen.contains("[1.0,2.0]"), "\(chosen)")
  }

  private func ask(_ words: String...) throws -> Command.Outcome { try Command.run([store] + words) }

  /// All objects of a store, as they came in.
  private func objects(of store: String) throws -> String {
    try Command.run([store, "-m", "jsonl", "-c", "Quake SORT BY id"]).output
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  @Test func placesAreFeatures() throws {
    let collection = try json(try ask("-m", "geojson", "-c", "Quake").output)
    #expect(collection["type"] as? String == "FeatureCollection")
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(features.map { $0["id"] as? String } == ["a", "b \"<i>&'", "c;--"])
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "Point" && geometry["coordinates"] as? [Double] == [10.5, -3.25, 7])
    #expect(features[1]["geometry"] is NSNull)
    #expect((features[2]["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [-180, 0])
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(Set(properties.keys) == ["mag", "net", "time", "raw", "tags"])
    // Nothing found is a collection, too.
    let none = try json(try ask("-m", "geojson", "-c", "Quake WHERE mag > 9").output)
    #expect((none["features"] as? [Any])?.isEmpty == true && none["type"] as? String == "FeatureCollection")
    let chosen = try ask("--geojson", "-c", "Quake LIMIT 1 SELECT location.longitude, location.latitude, mag")
    #expect(try json(chosen.output)["features"] is [[String: Any]], "\(chosen)")
    let nowhere = try ask("-m", "geojson", "-c", "Quake GROUP BY net SELECT net, @count")
    #expect(nowhere.status != 0 && nowhere.errors.contains("a struct with a longitude and a latitude"), "\(nowhere)")
  }

  @Test func featuresAreReadBack() throws {
    let file = workshop.path + "/out.geojson"
    #expect(try Command.run(["export", store, file, "Quake WHERE location != nil"]).status == 0)
    let copy = workshop.path + "/copy"
    let read = try Command.run(["import", "--quiet", copy, file, "Quake", "--schema", workshop.path + "/models.swift"])
    #expect(read.status == 0 && read.errors.isEmpty, "\(read)")
    #expect(try objects(of: copy) == Command.run([store, "-c", "Quake WHERE location != nil SORT BY id"]).output)
  }

  @Test func statementsAreReadBack() throws {
    let file = workshop.path + "/out.sql"
    let wrote = try Command.run(["export", store, file, "Quake"])
    #expect(wrote.status == 0, "\(wrote)")
    #expect(try workshop.text("out.sql").hasPrefix("INSERT Quake {\"id\":\"a\","))
    let copy = workshop.path + "/copy"
    let empty = try workshop.file("none.jsonl", "")
    let made = try Command.run(["import", "--quiet", copy, empty, "Quake", "--schema", workshop.path + "/models.swift"])
    #expect(made.status == 0, "\(made)")
    let ran = try Command.run([copy, "-f", file])
    #expect(ran.status == 0 && ran.errors.isEmpty == false || ran.status == 0, "\(ran)")
    #expect(try objects(of: copy) == objects(of: store))
    let part = try ask("-m", "insert", "-c", "Quake WHERE id == 'a' SELECT id, net")
    #expect(part.output == "INSERT Quake {\"id\":\"a\",\"net\":\"us\"};\n", "\(part)")
    for statement in ["Quake GROUP BY net SELECT net, @count", "Quake SELECT mag * 2 AS double"] {
      let refused = try ask("-m", "insert", "-c", statement)
      #expect(refused.status != 0 && refused.errors.contains("only objects can be inserted"), "\(refused)")
    }
  }

  @Test func pagesAreOnlyText() throws {
    let page = try ask("-m", "html", "-c", "Quake SELECT id, mag, tags").output
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(page.contains("<td>b &quot;&lt;i&gt;&amp;'</td><td class=\"nil\">nil</td>"), "\(page)")
    #expect(page.contains("<th>id</th><th class=\"number\">mag</th>"))
    #expect(!page.contains("<b>") && !page.contains("<i>"))
    #expect(try ask("-m", "html", "-c", "Quake WHERE mag > 9").output.contains("<tbody>\n</tbody>"))
    let file = workshop.path + "/out.html"
    #expect(try Command.run(["export", store, file, "Quake SELECT id, mag, tags"]).status == 0)
    #expect(try workshop.text("out.html") == page)
  }

  @Test func severalResultsAreOnePage() throws {
    let page = try ask("-m", "html", "-c", "Quake SELECT id; COUNT Quake; Quake WHERE mag > 2 SELECT id").output
    for part in ["<!DOCTYPE html>", "<title>", "</body>", "</html>"] {
      #expect(page.components(separatedBy: part).count == 2, "\(page)")
    }
    #expect(page.components(separatedBy: "<table>").count == 3 && page.hasSuffix("</table>\n</body>\n</html>\n"))
    let file = workshop.path + "/two.html"
    let outcome = try ask(
      "-m", "html", "-c",
      ".output \(file)\nQuake SELECT id;\nQuake SELECT net;\n.output\nQuake SELECT mag;\n.mode csv\nCOUNT Quake")
    #expect(try workshop.text("two.html").components(separatedBy: "</html>").count == 2)
    #expect(outcome.output.hasSuffix("</html>\n3\n"), "\(outcome)")
    // A carriage return is not one of the page.
    let returns = try workshop.file("r.jsonl", "{\"t\":\"a\\r\\nb\"}\n")
    #expect(try Command.run([returns, "-m", "html", "-c", "r"]).output.contains("<td>a&#13;\nb</td>"))
  }

  @Test func groupsAreBars() throws {
    let bars = try ask("-m", "chart", "-c", "Quake GROUP BY net SELECT net, @count SORT BY @count DESC").output
    let lines = bars.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("us  2 ████") && lines[1].hasPrefix("ci  1 ████"), "\(bars)")
    #expect(lines[0].filter { $0 == "█" }.count == 2 * lines[1].filter { $0 == "█" }.count, "\(bars)")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let days = try ask(
      "-m", "chart", "-c", "Quake GROUP BY bucket(time, 'day') SELECT bucket(time, 'day') AS day, @count")
    #expect(days.output.contains("2018-02-07T00:00:00Z  1 ") && days.output.contains("nil"), "\(days)")
  }

  @Test func onColumnIsAHistogram() throws {
    let numbers = try ask("-m", "chart", "-c", "Quake SELECT mag").output.split(separator: "\n")
    #expect(numbers.count == 21 && numbers[0].hasPrefix("1.5 ") && numbers[20].hasPrefix("nil"), "\(numbers)")
    let texts = try ask("-m", "chart", "-c", "Quake SELECT net").output
    #expect(texts.hasPrefix("us  2 ") && texts.contains("\nci  1 "), "\(texts)")
    #expect(try ask("-m", "chart", "-c", "Quake WHERE mag > 9").output == "no rows, nothing to draw\n")
    #expect(try ask("-m", "chart", "-c", "Quake WHERE mag == nil SELECT mag").output.hasPrefix("nil  1 "))
  }

  @Test func manyRowsAreASparkline() throws {
    let lines = (0..<500).map { #"{"n":\#($0),"day":\#($0)}"# }.joined(separator: "\n")
    let file = try workshop.file("many.jsonl", lines + "\n")
    let many = workshop.path + "/many"
    #expect(try Command.run(["import", "--quiet", many, file, "Day"]).status == 0)
    let drawn = try Command.run([many, "-m", "chart", "-c", "Day SELECT day, n SORT BY day"]).output
    let rows = drawn.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].count == 79 && rows[0].hasPrefix("▁") && rows[0].hasSuffix("█"), "\(drawn)")
    #expect(rows[1].contains("0 … 499"), "\(drawn)")
  }
}
