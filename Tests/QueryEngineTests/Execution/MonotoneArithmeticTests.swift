import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Chains of arithmetic as intervals of their column: the same answer as computing them.
@Suite struct MonotoneArithmeticTests {
  private static let constants: [Double] = [
    1, 2, -2, 0.1, -0.1, 3, 1e-300, 1e300, -1e300, 0x1p52, 0.7, 1e16, -7, .leastNonzeroMagnitude, 123.456,
  ]
  private static let comparators: [Comparator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  /// What a chain of steps gives; with `reversed`, the first constant is the left operand.
  private func value(_ x: Double, _ steps: [(BinaryOperator, Double)], reversed: Bool) -> Double {
    var result = x
    for (place, (operation, constant)) in steps.enumerated() {
      let isReversed = reversed && place == 0
      let found = Arithmetic.double(operation, isReversed ? constant : result, isReversed ? result : constant)
      result = found ?? .nan
    }
    return result
  }

  @Test(arguments: 0..<30) func intervalsAreExact(_ run: Int) throws {
    var random = OracleRandom(seed: UInt64(run) + 900)
    for _ in 0..<60 {
      let reversed = random.once(in: 3)
      let steps = (0..<(1 + random.below(3))).map { place -> (BinaryOperator, Double) in
        let operations: [BinaryOperator] =
          reversed && place == 0 ? [.add, .subtract, .multiply] : [.add, .subtract, .multiply, .divide]
        return (random.pick(operations), random.pick(Self.constants))
      }
      let column = BoundExpression.column(0, .double)
      var expression: BoundExpression
      let rest: [BoundExpression.Step]
      if reversed {
        expression = .constant(.double(steps[0].1))
        rest =
          [.init(operation: steps[0].0, operand: column, type: .double)]
          + steps.dropFirst().map { .init(operation: $0.0, operand: .constant(.double($0.1)), type: .double) }
      } else {
        expression = column
        rest = steps.map { .init(operation: $0.0, operand: .constant(.double($0.1)), type: .double) }
      }
      expression = .arithmetic(expression, rest)
      let chain = try #require(MonotoneArithmetic(expression))
      let some = random.pick([0, 1, 5.5, -3, 1e300, -1e-300, 6.4, .infinity, -.infinity, 0x1p53])
      let bounds = [value(some, steps, reversed: reversed), random.pick(Self.constants), .infinity, -.infinity]
        .filter { !$0.isNaN }
      for lower in bounds {
        for upper in bounds where lower <= upper {
          let found = chain.interval(lower, upper)
          var asked = [some, 0, -0.0, .infinity, -.infinity, 1, -1, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
          for edge in [found?.lower, found?.upper].compactMap({ $0 }) { asked += [edge, edge.nextUp, edge.nextDown] }
          for x in asked {
            let result = value(x, steps, reversed: reversed)
            let isWithin = found.map { x >= $0.lower && x <= $0.upper } ?? false
            #expect(
              isWithin == (result >= lower && result <= upper),
              "\(x) gives \(result) for \(lower)...\(upper): \(steps), reversed \(reversed)")
          }
        }
      }
    }
  }

  @Test func whatIsNoChainIsLeftAlone() {
    let column = BoundExpression.column(0, .double)
    func chain(_ operation: BinaryOperator, _ operand: BoundExpression) -> BoundExpression {
      .arithmetic(column, [.init(operation: operation, operand: operand, type: .double)])
    }
    for none in [
      chain(.multiply, .constant(.double(0))), chain(.divide, .constant(.int(0))), chain(.power, .constant(.int(2))),
      chain(.add, .constant(.double(.infinity))), chain(.add, column), chain(.add, .constant(.null)),
      .arithmetic(.constant(.int(1)), [.init(operation: .divide, operand: column, type: .double)]),
      .column(0, .int), .column(0, .date), .constant(.int(3)),
    ] {
      #expect(MonotoneArithmetic(none) == nil)
    }
  }

  /// The same through the language, over columns of every kind of number, with nil and NaN among them.
  @Test(arguments: [ScalarType.double, .float, .int]) func answersAreThoseOfRows(_ type: ScalarType) throws {
    let numbers: [Double] = [0, -0.0, 1, 5, 5.000000000000001, 4.999999999999999, -5, 1e300, -1e300, 2.5, 6.4, 0.1]
    let values: [Value] =
      numbers.map {
        switch type {
        case .float: .float(Float($0))
        case .int: .int(Int64(max(-1e6, min(1e6, $0))))
        default: .double($0)
        }
      } + [.null] + (type == .int ? [] : [type == .float ? .float(.nan) : .double(.nan)])
    let store = try TestStore(type, values)
    let chains: [(String, (Value) -> Value)] = [
      ("x * 2 + 1", { Arithmetic.apply(.add, Arithmetic.apply(.multiply, $0, .int(2)), .int(1)) }),
      ("1 - x", { Arithmetic.apply(.subtract, .int(1), $0) }),
      ("-(x / 3)", { Arithmetic.negate(Arithmetic.apply(.divide, $0, .int(3))) }),
      ("(x + 0.1) * -2.5", { Arithmetic.apply(.multiply, Arithmetic.apply(.add, $0, .double(0.1)), .double(-2.5)) }),
    ]
    for (text, compute) in chains {
      for constant in ["11", "0", "-4.0", "1e300", "-12.75", "0.1"] {
        let right: Value = Int64(constant).map(Value.int) ?? .double(Double(constant) ?? 0)
        for comparator in Self.comparators {
          let expected = values.indices.filter {
            Comparison.holds(comparator, compute(values[$0]), right, folding: .none)
          }
          let found = try store.rows("\(text) \(comparator.rawValue) \(constant)")
          #expect(found == expected, "\(text) \(comparator.rawValue) \(constant)")
        }
      }
    }
  }
}
