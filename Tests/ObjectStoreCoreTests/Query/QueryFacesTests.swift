import Foundation
import ObjectStoreCore
import Testing

/// What a text, an expression in Swift and a predicate of Foundation can all say is one query: equal trees, equal rows.
@Suite struct QueryFacesTests {
  struct Faces: Sendable {
    let text: String
    let expression: Query<Quake>
    let predicate: Predicate<Quake>
    let count: Int

    init(
      _ text: String, _ expression: @Sendable (QueryExpression<Quake>) -> QueryExpression<Bool>,
      _ predicate: Predicate<Quake>, _ count: Int
    ) {
      self.text = text
      self.expression = Query(expression)
      self.predicate = predicate
      self.count = count
    }
  }

  static let all: [Faces] = [
    Faces("magnitude > 5.0", { $0.magnitude > 5 }, #Predicate { $0.magnitude > 5 }, 2),
    Faces("magnitude == 2.5", { $0.magnitude == 2.5 }, #Predicate { $0.magnitude == 2.5 }, 2),
    Faces("2.5 <= magnitude", { 2.5 <= $0.magnitude }, #Predicate { 2.5 <= $0.magnitude }, 4),
    Faces("felt == nil", { $0.felt == nil }, #Predicate { $0.felt == nil }, 2),
    Faces("felt != 3", { $0.felt != 3 }, #Predicate { $0.felt != 3 }, 3),
    Faces("origin.name == 'Napa'", { $0.origin.name == "Napa" }, #Predicate { $0.origin?.name == "Napa" }, 1),
    Faces(
      "place.name CONTAINS 'a' AND NOT code == 'us1'", { $0.place.name.contains("a") && !($0.code == "us1") },
      #Predicate { $0.place.name.contains("a") && !($0.code == "us1") }, 4),
    Faces(
      "code BEGINSWITH 'us' OR magnitude < 2.0", { $0.code.starts(with: "us") || $0.magnitude < 2 },
      #Predicate { $0.code.starts(with: "us") || $0.magnitude < 2 }, 3),
    Faces(
      "place.name CONTAINS[cd] 'ALÄSKA'",
      { $0.place.name.contains("ALÄSKA", options: [.caseInsensitive, .diacriticInsensitive]) },
      #Predicate { $0.place.name.localizedStandardContains("ALÄSKA") }, 2),
    Faces(
      "code IN {'us1', 'us4'}", { $0.code.in(["us1", "us4"]) }, #Predicate { ["us1", "us4"].contains($0.code) }, 2),
    Faces(
      "magnitude BETWEEN {2.0, 3.0}", { $0.magnitude.contains(2...3) },
      #Predicate { (2.0...3.0).contains($0.magnitude) },
      2),
    Faces(
      "magnitude * 2.0 + 1.0 > 6.0", { $0.magnitude * 2 + 1 > 6 }, #Predicate { $0.magnitude * 2 + 1 > 6 }, 2),
    Faces("length(code) == 3", { $0.code.count == 3 }, #Predicate { $0.code.count == 3 }, 5),
  ]

  @Test(arguments: all.indices) func areOne(_ index: Int) throws {
    let faces = Self.all[index]
    let text = try Query<Quake>(faces.text)
    let predicate = try Query(faces.predicate)
    #expect(text == faces.expression)
    #expect(text == predicate)
    let results = try Quake.store().objects(Quake.self)
    for query in [text, faces.expression, predicate] {
      #expect(try results.filter(query).count == faces.count)
      #expect(try Quake.five.count { try query.matches($0) } == faces.count)
      #expect(try Query<Quake>(query.predicateFormat) == query)
    }
  }
}
