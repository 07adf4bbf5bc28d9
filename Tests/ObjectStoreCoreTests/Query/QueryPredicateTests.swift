import Foundation
import ObjectStoreCore
import Testing

/// Queries written as Foundation's predicates.
@Suite struct QueryPredicateTests {
  /// The query is what the text says, finds what that finds, and of values in memory what Foundation itself finds.
  private func expectSame(
    _ predicate: Predicate<Quake>, _ text: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let query = try Query(predicate)
    #expect(try query == Query<Quake>(text), sourceLocation: location)
    let found = try Quake.store().objects(Quake.self).filter(query).array
    #expect(try found == Quake.five.filter { try predicate.evaluate($0) }, sourceLocation: location)
    #expect(try found == Quake.five.filter { try query.matches($0) }, sourceLocation: location)
    #expect(try Query<Quake>(query.predicateFormat) == query, sourceLocation: location)
  }

  @Test func valuesAndLogic() throws {
    let least = 2.5
    try expectSame(#Predicate { $0.magnitude > 5 && $0.code == "us1" }, "magnitude > 5.0 AND code == 'us1'")
    try expectSame(#Predicate { $0.magnitude >= least || !($0.code != "ak2") }, "magnitude >= 2.5 OR NOT code != 'ak2'")
    try expectSame(#Predicate { $0.magnitude * 2 - 1 < 5 }, "magnitude * 2.0 - 1.0 < 5.0")
    try expectSame(#Predicate { $0.magnitude / 2 > -$0.magnitude }, "magnitude / 2.0 > -magnitude")
    let from = Date(timeIntervalSinceReferenceDate: 200), to = Date(timeIntervalSinceReferenceDate: 400)
    #expect(
      try Query<Quake>(#Predicate { $0.time >= from && $0.time < to }) == Query("time >= %@ AND time < %@", from, to))
    #expect(try Query<Quake>(#Predicate { (from..<to).contains($0.time) }) == Query("time BETWEEN %@", from..<to))
    try expectSame(#Predicate { (2.5...5.5).contains($0.magnitude) }, "magnitude BETWEEN {2.5, 5.5}")
    let codes = ["us1", "nc5"]
    try expectSame(#Predicate { codes.contains($0.code) }, "code IN {'us1', 'nc5'}")
    try expectSame(
      #Predicate {
        if $0.magnitude > 5 { return $0.code == "us1" } else { return $0.code == "ak2" }
      },
      "(magnitude > 5.0 AND code == 'us1') OR (NOT magnitude > 5.0 AND code == 'ak2')")
    try expectSame(#Predicate { _ in true }, "TRUEPREDICATE")
  }

  @Test func textsAndTheirMethods() throws {
    try expectSame(#Predicate { $0.place.name.contains("li") }, "place.name CONTAINS 'li'")
    try expectSame(#Predicate { $0.place.name.starts(with: "Al") }, "place.name BEGINSWITH 'Al'")
    try expectSame(#Predicate { $0.code.count == 3 && !$0.code.isEmpty }, "length(code) == 3 AND NOT code == ''")
    try expectSame(
      #Predicate { $0.place.name.localizedStandardContains("ALÁSKA") }, "place.name CONTAINS[cd] 'ALÁSKA'")
  }

  @Test func optionals() throws {
    try expectSame(#Predicate { $0.felt == nil }, "felt == nil")
    try expectSame(#Predicate { $0.felt == 3 }, "felt == 3")
    let nothing: Int? = nil
    try expectSame(#Predicate { $0.felt != nothing }, "felt != nil")
    try expectSame(#Predicate { $0.origin?.name == "Napa" }, "origin.name == 'Napa'")
    try expectSame(#Predicate { $0.origin?.name != "Napa" }, "origin.name != 'Napa'")
    try expectSame(#Predicate { ($0.felt ?? 0) > 2 }, "TERNARY(felt != nil, felt, 0) > 2")
    try expectSame(
      #Predicate {
        if let felt = $0.felt { return felt != 3 } else { return false }
      }, "felt != nil AND felt != 3")
    try expectSame(
      #Predicate {
        if let origin = $0.origin { return origin.name == "Napa" } else { return $0.magnitude > 6 }
      }, "(origin != nil AND origin.name == 'Napa') OR (NOT origin != nil AND magnitude > 6.0)")
    try expectSame(
      #Predicate { $0.origin?.name.contains("a") == true }, "origin != nil AND origin.name CONTAINS 'a'")
    try expectSame(
      #Predicate { $0.origin?.name.contains("N") == false }, "origin != nil AND NOT origin.name CONTAINS 'N'")
    try expectSame(
      #Predicate { $0.origin?.name.contains("N") ?? true },
      "(origin != nil AND origin.name CONTAINS 'N') OR NOT origin != nil")
  }

  @Test func collections() throws {
    let store = try Project.store()
    func expect(_ predicate: Predicate<Task>, _ text: String, at location: SourceLocation = #_sourceLocation) throws {
      let query = try Query(predicate)
      #expect(try query == Query<Task>(text), sourceLocation: location)
      let all = try store.objects(Task.self).array
      let found = try store.objects(Task.self).filter(query).array
      #expect(try found == all.filter { try predicate.evaluate($0) }, sourceLocation: location)
      #expect(!found.isEmpty, sourceLocation: location)
    }
    try expect(#Predicate { $0.labels.contains("bug") }, "labels CONTAINS 'bug'")
    try expect(#Predicate { $0.ratings.count == 2 }, "ratings.@count == 2")
    try expect(
      #Predicate { $0.ratings.isEmpty && $0.priority % 2 == 1 }, "ratings.@count == 0 AND modulus:by:(priority, 2) == 1"
    )
    try expect(#Predicate { $0.priority / 2 == 3 }, "priority / 2 == 3")
    try expect(
      #Predicate { $0.ratings.contains { $0 > 2 } }, "ANY ratings > 2")
    try expect(
      #Predicate { $0.ratings.contains { $0 > 2 && $0 < 4 } }, "SUBQUERY(ratings, $t, $t > 2 AND $t < 4).@count > 0")
    try expect(
      #Predicate { task in task.ratings.contains { $0 > task.priority } }, "ANY ratings > priority")
    try expect(
      #Predicate { task in task.ratings.contains { rating in !task.ratings.contains { $0 < rating } } },
      "SUBQUERY(ratings, $t, NOT ANY ratings < $t).@count > 0")
    try expect(
      #Predicate { !$0.ratings.isEmpty && $0.ratings.allSatisfy { $0 > 2 } },
      "NOT ratings.@count == 0 AND ALL ratings > 2")
    try expect(
      #Predicate { $0.ratings.filter { $0 > 1 }.count == 2 }, "SUBQUERY(ratings, $t, $t > 1).@count == 2")
    try expect(
      #Predicate { $0.assignee?.localizedStandardContains("ALI") ?? false },
      "assignee != nil AND assignee CONTAINS[cd] 'ALI'")
  }

  /// A store counts the Unicode scalars of a text, and Foundation its characters.
  @Test func countsOfTextsAreOfScalars() throws {
    let quake = Quake("e\u{301}", 1)
    let one = #Predicate<Quake> { $0.code.count == 1 }
    #expect(try one.evaluate(quake) && !Query(one).matches(quake))
    #expect(try Query(#Predicate<Quake> { $0.code.count == 2 }).matches(quake))
  }

  @Test func whatHasNoCounterpartIsNamed() throws {
    let cast = #expect(throws: QueryError.self) { try Query(#Predicate<Quake> { ($0.code as Any) is String }) }
    #expect(cast?.message.contains("TypeCheck") == true)
    let computed = #expect(throws: QueryError.self) { try Query(#Predicate<Quake> { $0.doubled > 3 }) }
    #expect(computed?.code == "unknown-key-path")
    let value = #expect(throws: QueryError.self) {
      let odd = Odd()
      return try Query(#Predicate<Quake> { _ in odd == odd })
    }
    #expect(value?.message.contains("Odd") == true)
    let store = try Quake.store()
    #expect(try store.objects(Quake.self).filter(#Predicate { $0.magnitude > 5 }).count == 2)
  }
}

extension Quake {
  fileprivate var doubled: Double { magnitude * 2 }
}

private struct Odd: Equatable, Codable, Sendable {}
