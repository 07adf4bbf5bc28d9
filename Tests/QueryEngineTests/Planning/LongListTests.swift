import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// `IN` with many values: the index answers it as long as there are many objects for each value.
@Suite struct LongListTests {
  private static func ranges(_ values: Int, objects: Int, folded: Bool = false) throws -> Int? {
    let type = ScalarType.string
    let file = try StoreFile.inMemory(
      declaring: Schema(entities: [
        Entity(
          name: "Item", properties: [Property(name: "k", type: .scalar(type))],
          indexes: [Index(kind: folded ? .folded : .ordered, paths: ["k"])])
      ]))
    let snapshot = try file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: "Item"))
    let index = try #require(entity.indexes.first)
    let access = IndexAccess(entity: entity, index: index, hasLongKeys: false, objects: objects)
    let texts = (0..<values).map { "value \($0)" }.sorted().map { Value.string($0) }
    let test = SargablePredicate(column: 0, question: .oneOf(texts), syntax: PredicateSyntax(.constant(true)))
    return access.range(for: [BoundPredicate.test(test)])?.ranges.count
  }

  @Test(arguments: [false, true]) func asManyRangesAsAThirtySecondOfTheObjects(folded: Bool) throws {
    #expect(try Self.ranges(4_096, objects: 0, folded: folded) == 4_096)
    #expect(try Self.ranges(4_097, objects: 4_096 * 32, folded: folded) == nil)
    #expect(try Self.ranges(10_000, objects: 320_000, folded: folded) == 10_000)
    #expect(try Self.ranges(10_001, objects: 320_000, folded: folded) == nil)
  }

  /// The more values a scan compares with, the dearer it is.
  @Test func aScanCostsMoreWithMoreValues() {
    let costs = [1, 10, 10_000].map { count in
      CostModel.perObject(
        .test(
          SargablePredicate(
            column: 0, question: .oneOf((0..<count).map { .int(Int64($0)) }), syntax: PredicateSyntax(.constant(true))))
      )
    }
    #expect(costs == costs.sorted() && Set(costs).count == 3)
  }
}
