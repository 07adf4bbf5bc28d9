internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension PlannerRule {
  /// Turns a comparison of monotone arithmetic on a column with a constant into an interval of the column:
  /// `magnitude * 2 + 1 > 11` into `magnitude > 5`, which indexes, kernels and zone maps can evaluate.
  static let invertArithmetic = PlannerRule(name: "invert arithmetic", concerns: { !$0.isPlain }) {
    predicate, context in
    predicate.mapComparisons { CalendarQuestion($0)?.predicate ?? inverted($0, context.entity) ?? .comparison($0) }
  }

  private static func inverted(_ comparison: BoundComparison, _ entity: StoredEntity) -> BoundPredicate? {
    guard comparison.right.count == 1, comparison.shape == nil, comparison.left.column == nil,
      let constant = comparison.right[0].constant, Arithmetic.number(constant) != nil,
      let chain = MonotoneArithmetic(comparison.left), entity.columns.indices.contains(chain.column),
      entity.columns[chain.column].collectionKind == nil
    else { return nil }
    let isFloat = entity.columns[chain.column].scalarType == .float
    func within(_ relation: Comparator) -> BoundPredicate {
      guard let (low, high) = ColumnInterval.of(relation, constant, .double).flatMap(ClosedRanges.doubles),
        let (lower, upper) = chain.interval(low, high),
        let interval = isFloat ? floats(lower, upper) : ValueInterval(lower: end(lower), upper: end(upper))
      else { return .constant(false) }
      return .test(
        SargablePredicate(
          column: chain.column, question: .interval(interval),
          syntax: comparison.comparator == .notEqual ? comparison.equalSyntax : comparison.syntax))
    }
    switch comparison.comparator.family {
    case .relation(.notEqual): return .not(within(.equal))
    case .relation: return within(comparison.comparator)
    case .string, .range, .membership, .place, .fullText: return nil
    }
  }

  private static func end(_ number: Double) -> ValueInterval.Bound { .included(.double(number == 0 ? 0 : number)) }

  /// The interval of Floats between two Doubles, both included; nil if it is empty.
  private static func floats(_ lower: Double, _ upper: Double) -> ValueInterval? {
    var low = Float(lower)
    if Double(low) < lower { low = low.nextUp }
    var high = Float(upper)
    if Double(high) > upper { high = high.nextDown }
    guard low <= high else { return nil }
    return ValueInterval(
      lower: .included(.float(low == 0 ? 0 : low)), upper: .included(.float(high == 0 ? 0 : high)))
  }
}

/// A chain of `+`, `-`, `*`, `/` with constants around one column of Doubles or Floats. Rounding preserves order, so
/// the chain is monotone: with rising values of the column it rises throughout, or falls. So `magnitude * 2 + 1 > 11`
/// is an interval of the column. Its bounds are found by binary search instead of algebra, because the result of the
/// chain is rounded at every step.
struct MonotoneArithmetic {
  let column: Int
  private let rises: Bool
  private let value: (Double) -> Double

  /// nil for any other expression.
  init?(_ expression: BoundExpression) {
    switch expression {
    case .column(let column, .double), .column(let column, .float):
      self.init(column: column, rises: true) { $0 }
    case .negate(let operand):
      guard let inner = MonotoneArithmetic(operand) else { return nil }
      self.init(column: inner.column, rises: !inner.rises) { -inner.value($0) }
    case .arithmetic(let first, let steps):
      guard steps.allSatisfy({ $0.type != .number }) else { return nil }
      var rest = steps[...]
      var chain: MonotoneArithmetic
      if let inner = MonotoneArithmetic(first) {
        chain = inner
      } else if let constant = Self.number(first), let step = rest.popFirst(),
        let inner = MonotoneArithmetic(step.operand), let begun = inner.after(constant, step.operation)
      {
        chain = begun
      } else {
        return nil
      }
      for step in rest {
        guard let constant = Self.number(step.operand), let next = chain.before(step.operation, constant)
        else { return nil }
        chain = next
      }
      self = chain
    case .constant, .column, .computed, .now, .element, .own, .object, .complement, .call, .ternary, .reduced, .item,
      .entry, .property, .assembled, .gathered:
      return nil
    }
  }

  init(column: Int, rises: Bool, _ value: @escaping (Double) -> Double) {
    self.column = column
    self.rises = rises
    self.value = value
  }

  /// The value of a finite constant number.
  private static func number(_ expression: BoundExpression) -> Double? {
    expression.constant.flatMap(Arithmetic.number).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The chain as the left operand. Multiplication by 0 is excluded: it turns infinity into NaN, which has no order.
  private func before(_ operation: BinaryOperator, _ constant: Double) -> MonotoneArithmetic? {
    let value = value
    switch operation {
    case .add: return MonotoneArithmetic(column: column, rises: rises) { value($0) + constant }
    case .subtract: return MonotoneArithmetic(column: column, rises: rises) { value($0) - constant }
    case .multiply where constant != 0:
      return MonotoneArithmetic(column: column, rises: rises == (constant > 0)) { value($0) * constant }
    case .divide where constant != 0:
      return MonotoneArithmetic(column: column, rises: rises == (constant > 0)) { value($0) / constant }
    case .multiply, .divide, .power, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: return nil
    }
  }

  /// The chain as the right operand.
  private func after(_ constant: Double, _ operation: BinaryOperator) -> MonotoneArithmetic? {
    let value = value
    switch operation {
    case .add, .multiply: return before(operation, constant)
    case .subtract: return MonotoneArithmetic(column: column, rises: !rises) { constant - value($0) }
    case .divide, .power, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: return nil
    }
  }

  /// The column's values for which the chain's result is within bounds, both included; nil if there are none.
  func interval(_ lower: Double, _ upper: Double) -> (lower: Double, upper: Double)? {
    let first = Self.least { rises ? value($0) >= lower : value($0) <= upper }
    let beyond = Self.least { rises ? value($0) > upper : value($0) < lower }
    guard let first else { return nil }
    guard let beyond else { return (Self.number(first), .infinity) }
    return first < beyond ? (Self.number(first), Self.number(beyond - 1)) : nil
  }

  /// The rank of the smallest number that satisfies a monotone condition; nil if none does.
  private static func least(_ holds: (Double) -> Bool) -> Int64? {
    var low = place(-.infinity)
    var high = place(.infinity)
    guard holds(.infinity) else { return nil }
    while low < high {
      // The mean without adding both, since the sum would overflow near infinity.
      let middle = (low >> 1) + (high >> 1) + (low & high & 1)
      if holds(number(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The rank of a Double in their order; both zeros have the same rank.
  private static func place(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.magnitude.bitPattern)
    return number < 0 ? -bits : bits
  }

  private static func number(_ place: Int64) -> Double {
    let number = Double(bitPattern: place.magnitude)
    return place < 0 ? -number : number
  }
}
