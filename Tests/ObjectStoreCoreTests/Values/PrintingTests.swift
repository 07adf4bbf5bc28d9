import Foundation
import ObjectStoreCore
import Testing

/// What `print` shows of an object.
@Suite struct PrintingTests {
  @Test func showsTheNameAndTheStoredProperties() {
    let quake = Quake("us\"1", 6.4, in: Place("Hualien", 121.5, 24), felt: 60)
    #expect(
      "\(quake)" == #"Quake(code: "us\"1", magnitude: 6.4, time: 2001-01-01 00:00:00 +0000, "#
        + #"place: Place(name: "Hualien", longitude: 121.5, latitude: 24.0), origin: nil, felt: 60)"#)
    #expect("\([Place("a")])" == #"[Place(name: "a", longitude: 0.0, latitude: 0.0)]"#)
  }

  @Test func showsCollectionsEnumsAndLinks() throws {
    var chore = Chore("dig", .waiting, .low)
    chore.history = [.open]
    chore.wanted = [.waiting, .done, .open]
    chore.byPerson = ["Bo": .done, "Ada": .open]
    chore.steps = [ChoreStep("a", .open)]
    #expect(
      "\(chore)" == #"Chore(name: "dig", status: waiting, rank: low, history: [open], wanted: [done, open, waiting], "#
        + #"byPerson: ["Ada": open, "Bo": done], steps: [ChoreStep(title: "a", status: open)])"#)
    let text = "\(try Offer.full)"
    #expect(text.contains(#"site: https://example.org/tents?size=3#top"#), "\(text)")
    #expect(text.contains("rival: nil, related: [])"), "\(text)")
    #expect(!text.contains("opened") && !text.contains("rivals") && !text.contains("_objectID"), "\(text)")
  }

  @Test func isTheSameOfAStoredObject() throws {
    let read = try #require(try Chore.store().objects(Chore.self).first(where: "name == 'mow'"))
    #expect("\(read)" == "\(Chore("mow", .open, .middle))")
    #expect(Mirror(reflecting: read).children.map(\.label).prefix(2) == ["name", "status"])
  }

  @Test func aDescriptionOfItsOwnWins() {
    #expect("\(Titled(title: "Hi"))" == "<Hi>")
  }
}

private struct Titled: Model, CustomStringConvertible {
  var title: String
  var objectID: ObjectID<Titled>?
  var description: String { "<\(title)>" }

  init(title: String) { self.title = title }

  static let modelDefinition = ModelDefinition(of: Titled.self, name: "Titled") { model in
    model.property("title", \Titled.title, \Titled?.?.title)
  }

  init(from row: inout RowDecoder) throws { title = try row.next() }

  func encode(into row: inout RowEncoder) { title.encode(into: &row) }
}
