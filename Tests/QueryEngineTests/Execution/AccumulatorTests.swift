import Schema
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Every accumulator has the same result however its values are added: one by one, in two parts that are merged, or as
/// the oracle has it.
struct AccumulatorTests {
  /// Adds values in two parts.
  private struct Parts: AccumulatorUse {
    let function: AggregateFunction
    let type: ExpressionType
    let values: [Value]
    let cut: Int

    func callAsFunction<Total: Accumulator>(_ empty: Total) -> Value {
      var (first, second) = (empty, empty)
      for value in values[..<cut] { first.add(value) }
      for value in values[cut...] { second.add(value) }
      first.merge(second)
      return first.value(function, of: type)
    }
  }

  @Test(arguments: AggregateFunction.functions + Percentile.examples + [.distinct, .distinctCount, .list])
  func partsCanBeMerged(function: AggregateFunction) throws {
    var random = OracleRandom(seed: testSeed())
    let makers: [(ExpressionType, (inout OracleRandom) -> Value)] = [
      (.int, { .int(Int64($0.below(50)) - 20) }),
      (.double, { .double($0.pick([0.1, -0.0, 0, .nan, 1e300, -1e300, 3.5, .infinity])) }),
      (.float, { .float(Float($0.below(9)) / 10) }), (.date, { .date(Instant(seconds: Double($0.below(9)))) }),
      (.decimal, { .decimal(DecimalValue(Int64($0.below(9)))) }),
      (.number, { $0.pick([.int(1), .double(2.5), .int(7)]) }),
      (.string, { .string($0.pick(["", "a", "ä", "b"])) }), (.bool, { .bool($0.once(in: 2)) }),
    ]
    for (type, make) in makers where function.type(of: type) != nil {
      for count in [0, 1, 2, 40] {
        let values = (0..<count).map { _ in random.once(in: 5) ? .null : make(&random) }
        let whole = try function.value(of: values, type: type)
        for cut in [0, count / 2, count] {
          let parts = Parts(function: function, type: type, values: values, cut: cut)
          let found = try function.accumulate(type, parts)
          #expect(OracleAggregates.agree(function.rawValue, found, whole), "\(function) of \(values) cut at \(cut)")
        }
        guard function.makesOneValue else { continue }
        // Aggregates of groups, collections and arguments share this definition.
        let oracle = OracleAggregates.reduce(
          function.rawValue, function == .count ? values : values.filter { !$0.isNull },
          type: try OracleAggregates.type(function.rawValue, [Self.oracleType(type)]) ?? .null)
        #expect(
          OracleAggregates.agree(function.rawValue, whole, oracle), "\(function) of \(values): \(whole), not \(oracle)")
      }
    }
  }

  private static func oracleType(_ type: ExpressionType) -> OracleType {
    switch type {
    case .int: OracleType(.int)
    case .float: OracleType(.float)
    case .double: OracleType(.double)
    case .decimal: OracleType(.decimal)
    case .date: OracleType(.date)
    case .string: OracleType(.string)
    case .bool: OracleType(.bool)
    case .number: .number
    case .null, .uuid, .data, .list, .structure, .object: .null
    }
  }
}

extension Percentile {
  fileprivate static let examples = [0, 0.25, 0.5, 0.9, 1].compactMap {
    Percentile($0).map(AggregateFunction.percentile)
  }
}
