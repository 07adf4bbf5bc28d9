import Foundation
import Testing

/// Lists of structs, as the command takes them in and gives them out.
@Suite struct StructListCommandTests {
  let workshop: Workshop
  let store: String
  let schema: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    schema = try workshop.file(
      "schema.swift",
      """
      @Model struct Place { var city: String; var longitude: Double; var latitude: Double }
      @Model struct Stop { var name: String; var minutes: Int?; var place: Place?; var at: Date?; var seats: Int = 4 }
      @Model struct Trip { @Attribute(.unique) var code: String; var stops: [Stop] = []; var limit: Int = 5 }
      @Model struct Tour { var name: String; var trips: List<Trip> }

      """)
    let outcome = try load(
      "Trip",
      """
      {"code":"a","stops":[{"name":"x","minutes":6,"place":{"city":"Ulm","longitude":10,"latitude":48.4}},{"name":"y","minutes":null}],"limit":5}
      {"code":"b","stops":[{"name":"x","minutes":3,"at":"2020-01-01T00:00:00Z","seats":1},{"name":"z \\"q\\"","minutes":9}],"limit":3}
      {"code":"c","stops":[]}
      {"code":"d","stops":null}

      """)
    #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
  }

  private func load(_ entity: String, _ text: String, name: String? = nil) throws -> Command.Outcome {
    let file = try workshop.file(name ?? "\(entity).jsonl", text)
    return try Command.run(["import", store, file, entity, "--schema", schema])
  }

  private func ask(_ statement: String, mode: String = "jsonl", at path: String? = nil) throws -> String {
    let outcome = try Command.run(["-m", mode, path ?? store, "-c", statement])
    #expect(outcome.status == 0, "\(statement): \(outcome.errors)")
    return outcome.output
  }

  @Test func theyAreShownAsTheyWere() throws {
    #expect(
      try ask("Trip WHERE code IN {'a', 'c', 'd'}") == """
        {"code":"a","stops":[{"name":"x","minutes":6,"place":{"city":"Ulm","longitude":10.0,"latitude":48.4},"at":null,"seats":4},{"name":"y","minutes":null,"place":null,"at":null,"seats":4}],"limit":5}
        {"code":"c","stops":[],"limit":5}
        {"code":"d","stops":[],"limit":5}

        """)
    #expect(
      try ask("Trip WHERE code == 'a' SELECT stops.name, stops[1], stops.@count") == """
        {"stops.name":["x","y"],"stops[1]":{"name":"y","minutes":null,"place":null,"at":null,"seats":4},"stops.@count":2}

        """)
    for mode in ["json", "csv", "tsv", "table", "box", "line", "markdown"] {
      let text = try ask("Trip WHERE code == 'a'", mode: mode)
      #expect(text.contains("Ulm") && text.contains("stops") && !text.contains("stops.name"), "\(mode): \(text)")
    }
    #expect(try ask(".schema").contains("var stops: [Stop] = []"))
    #expect(
      try ask("UPDATE Trip SET stops = [{\"name\": \"n\"}] WHERE code == 'c'; Trip WHERE code == 'c' SELECT stops.name")
        .hasSuffix("{\"stops.name\":[\"n\"]}\n"))
  }

  @Test func whatDoesNotFitIsLeftOutAndTold() throws {
    let outcome = try load(
      "Trip",
      """
      {"code":"e","stops":[{"minutes":3}]}
      {"code":"f","stops":[{"name":"x"},{"name":"x","minutes":"q"}]}
      {"code":"g","stops":{"name":"x"}}
      {"code":"h","stops":[5]}

      """, name: "bad.jsonl")
    let more = try load(
      "Trip",
      """
      {"code":"i","stops":[{"name":"x","place":{"city":"Ulm"}}]}
      {"code":"j","stops":[{"name":"x","place":7}]}
      {"code":"k","stops":[{"name":"x","extra":{"a":1}}]}

      """, name: "more.jsonl")
    for reason in [
      "stops[0].name has no value", "stops[1].minutes: 'q' is not a whole number",
      "stops: an object where a list", "stops[0]: a struct is an object",
      "stops[0].place.longitude has no value", "place: expected an object", "no such property: stops.extra",
    ] {
      let told = outcome.errors + more.errors
      #expect(told.contains(reason), "\(reason): \(told)")
    }
    #expect(try ask("COUNT Trip") == "5\n")
  }

  @Test func aDumpMakesTheSameStore() throws {
    #expect(try load("Tour", "{\"name\":\"P\",\"trips\":[\"b\",\"a\"]}\n").status == 0)
    let (first, second) = (workshop.path + "/first", workshop.path + "/second")
    let copy = workshop.path + "/copy"
    _ = try ask(".dump \(first)")
    #expect(try Command.run(["import", copy, first]).status == 0)
    _ = try ask(".dump \(second)", at: copy)
    for name in ["schema.swift", "Trip.jsonl", "Tour.jsonl"] {
      #expect(
        try String(contentsOfFile: "\(first)/\(name)", encoding: .utf8)
          == String(contentsOfFile: "\(second)/\(name)", encoding: .utf8))
    }
    // Through a cell of a table too.
    let csv = workshop.path + "/trips.csv"
    _ = try ask(".export \(csv) Trip")
    let other = workshop.path + "/other"
    #expect(try Command.run(["import", other, csv, "Trip", "--schema", schema]).status == 0)
    #expect(try ask("Trip", at: other) == ask("Trip"))
    #expect(try Command.run(["check", copy]).status == 0)
  }
}
