import Foundation
import ObjectStore
import Testing

@Suite struct QueryMacroTests {
  @Test func aTextIsReadByTheCompiler() throws {
    let plain = #query<Quake>("magnitude > 5 AND code BEGINSWITH 'us'")
    #expect(try plain == Query("magnitude > 5 AND code BEGINSWITH 'us'"))
    let least = 5.5
    let filled = #query<Quake>("magnitude > %@ AND code != %@", least, "x")
    #expect(try filled == Query("magnitude > %@ AND code != %@", least, "x"))
    let inferred: Query<Quake> = #query("magnitude > $min")
    #expect(try inferred.bind(["min": 5]) == Query("magnitude > 5"))
  }

  @Test func aProgramMayHaveAQueryOfItsOwn() throws {
    #expect(try WithItsOwnQuery.strong == Query("magnitude > 5"))
    #expect(try WithItsOwnQuery.inferred == Query("magnitude > 5"))
  }

  /// A text that the compiler reads, one that is read when it is run, an expression and a predicate are one query.
  @Test func itIsOneOfFourWaysToSayAQuery() throws {
    func expect(
      _ checked: Query<Quake>, _ text: String, _ predicate: Predicate<Quake>,
      at location: SourceLocation = #_sourceLocation, _ expression: (QueryExpression<Quake>) -> QueryExpression<Bool>
    ) throws {
      #expect(try checked == Query(text), sourceLocation: location)
      #expect(checked == Query(expression), sourceLocation: location)
      #expect(try checked == Query(predicate), sourceLocation: location)
    }
    try expect(#query("felt == nil"), "felt == nil", #Predicate { $0.felt == nil }) { $0.felt == nil }
    try expect(
      #query("magnitude BETWEEN {2.0, 6.5}"), "magnitude BETWEEN {2.0, 6.5}",
      #Predicate { (2.0...6.5).contains($0.magnitude) }
    ) { $0.magnitude.contains(2...6.5) }
    try expect(#query("-magnitude < -5.0"), "-magnitude < -5.0", #Predicate { -$0.magnitude < -5 }) {
      -$0.magnitude < -5
    }
    try expect(
      #query("magnitude / 2.0 > 2.5 AND origin.name == 'Napa'"), "magnitude / 2.0 > 2.5 AND origin.name == 'Napa'",
      #Predicate { $0.magnitude / 2 > 2.5 && $0.origin?.name == "Napa" }
    ) { $0.magnitude / 2 > 2.5 && $0.origin.name == "Napa" }
  }
}

/// What the macro writes means the library's type, whatever the program calls its own.
private enum WithItsOwnQuery {
  struct Query<Object> {}

  static var strong: ObjectStore.Query<Quake> { #query<Quake>("magnitude > 5") }
  static var inferred: ObjectStore.Query<Quake> { #query("magnitude > 5") }
}
