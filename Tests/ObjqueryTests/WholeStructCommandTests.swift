import Foundation
import Testing

/// Structs of linked objects, in rows and groups, as the command shows them.
@Suite struct WholeStructCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file(
      "schema.swift",
      """
      @Model struct Point { var latitude: Double; var longitude: Double }
      @Model struct Legs { var to: Link<City>?; var via: List<City> }
      @Model struct City { @Attribute(.unique) var name: String; var loc: Point; var twin: Link<City>? }
      @Model struct Trip {
        @Attribute(.unique) var code: String
        var legs: Legs?
        var lead: Link<City>?
        var near: List<City>
      }

      """)
    let cities = """
      {"name":"A","loc":{"latitude":1,"longitude":2},"twin":null}
      {"name":"B","loc":{"latitude":1,"longitude":2},"twin":"A"}

      """
    let trips = """
      {"code":"t1","legs":{"to":"A","via":["A","B"]},"lead":"A","near":["A","B"]}
      {"code":"t2","legs":null,"lead":"B","near":[]}
      {"code":"t3","legs":{"to":"B","via":[]},"lead":"B","near":["B"]}

      """
    for (entity, text) in [("City", cities), ("Trip", trips)] {
      let file = try workshop.file("\(entity).jsonl", text)
      #expect(try Command.run(["import", store, file, entity, "--schema", schema]).status == 0)
    }
  }

  private func ask(_ statement: String, mode: String = "jsonl") throws -> String {
    let outcome = try Command.run(["-m", mode, store, "-c", statement])
    #expect(outcome.status == 0, "\(statement): \(outcome.errors)")
    return outcome.output
  }

  @Test func structsAreShownAsStructs() throws {
    #expect(
      try ask("Trip WHERE code == 't1' SELECT near.loc, near[1].loc, lead.loc") == """
        {"near.loc":[{"latitude":1.0,"longitude":2.0},{"latitude":1.0,"longitude":2.0}],"near[1].loc":{"latitude":1.0,"longitude":2.0},"lead.loc":{"latitude":1.0,"longitude":2.0}}

        """)
    #expect(
      try ask("Trip SELECT code, near[0].loc", mode: "csv") == """
        code,near[0].loc.latitude,near[0].loc.longitude
        t1,1.0,2.0
        t2,,
        t3,1.0,2.0

        """)
  }

  /// Whatever they stand in, and also where the first of a list is nil.
  @Test func objectsAreShownByTheirUniqueProperty() throws {
    #expect(
      try ask("City WHERE name == 'A' SELECT @links.Trip.lead.legs AS legs, @links.Trip.legs.via.near.twin AS twins")
        == """
        {"legs":[{"to":"A","via":["A","B"]}],"twins":[null,"A"]}

        """)
    #expect(
      try ask("Trip GROUP BY legs") == """
        {"legs":{"to":"A","via":["A","B"]},"@count":1}
        {"legs":null,"@count":1}
        {"legs":{"to":"B","via":[]},"@count":1}

        """)
  }

  @Test func groupsShowWhatTheirKeysTell() throws {
    #expect(
      try ask("Trip GROUP BY lead SELECT lead.name, lead.loc, lead.twin, @count") == """
        {"lead.name":"A","lead.loc":{"latitude":1.0,"longitude":2.0},"lead.twin":null,"@count":1}
        {"lead.name":"B","lead.loc":{"latitude":1.0,"longitude":2.0},"lead.twin":"A","@count":2}

        """)
    #expect(
      try ask("Trip GROUP BY lead.loc", mode: "csv") == """
        lead.loc.latitude,lead.loc.longitude,@count
        1.0,2.0,3

        """)
  }
}
