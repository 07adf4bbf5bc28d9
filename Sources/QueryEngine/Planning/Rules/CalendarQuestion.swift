internal import PredicateLanguage
internal import Values

/// A comparison of the year of a date, or of the start of its period, with constants, as intervals of the date:
/// `year(time) == 2017` is an interval of a year, which indexes, kernels and zone maps can evaluate. Years and periods
/// rise with their dates.
struct CalendarQuestion {
  private let comparison: BoundComparison
  private let comparator: Comparator
  private let constants: [Value]
  /// The year, or the start of the period in seconds, by the seconds of the date; infinite outside the calendar.
  private let chain: MonotoneArithmetic

  /// A longer list stays a list.
  private static let mostConstants = 64

  /// nil for any other comparison.
  init?(_ comparison: BoundComparison) {
    guard comparison.shape == nil else { return nil }
    self.comparison = comparison
    if let chain = MonotoneArithmetic(calendar: comparison.left) {
      self.chain = chain
      comparator = comparison.comparator
      constants = comparison.right.compactMap(\.constant)
      guard constants.count == comparison.right.count else { return nil }
    } else if comparison.right.count == 1, let chain = MonotoneArithmetic(calendar: comparison.right[0]),
      let constant = comparison.left.constant, let mirrored = comparison.comparator.mirrored
    {
      self.chain = chain
      comparator = mirrored
      constants = [constant]
    } else {
      return nil
    }
    // nil is found outside the calendar, too.
    guard constants.count <= Self.mostConstants, constants.allSatisfy(Self.isComparable) else { return nil }
  }

  private static func isComparable(_ constant: Value) -> Bool {
    switch constant {
    case .int, .float, .double, .decimal, .date: true
    case .null, .bool, .string, .uuid, .data, .list, .embedded, .object: false
    }
  }

  /// The intervals; nil for an operator that compares by no order.
  var predicate: BoundPredicate? {
    switch comparator.family {
    case .relation(.notEqual): return constants.first.map { .not(within(.equal, $0, comparison.equalSyntax)) }
    case .relation: return constants.first.map { within(comparator, $0, comparison.syntax) }
    case .range:
      guard constants.count == 2 else { return nil }
      guard let low = interval(.greaterOrEqual, constants[0]), let high = interval(.lessOrEqual, constants[1]) else {
        return .constant(false)
      }
      let both = low.intersection(high)
      return both.isEmpty ? .constant(false) : test(both, comparison.syntax)
    case .membership:
      return constants.isEmpty ? .constant(false) : .or(constants.map { within(.equal, $0, equality(with: $0)) })
    case .string, .place, .fullText: return nil
    }
  }

  private func within(_ comparator: Comparator, _ constant: Value, _ syntax: PredicateSyntax) -> BoundPredicate {
    interval(comparator, constant).map { test($0, syntax) } ?? .constant(false)
  }

  private func test(_ interval: ValueInterval, _ syntax: PredicateSyntax) -> BoundPredicate {
    .test(SargablePredicate(column: chain.column, question: .interval(interval), syntax: syntax))
  }

  /// The syntax of `x == 5` for one member of the query's `x IN {5, 6}`.
  private func equality(with constant: Value) -> PredicateSyntax {
    guard case .comparison(var inner) = comparison.syntax.kind else { return comparison.syntax }
    inner.comparator = .equal
    inner.rightQuantifier = nil
    inner.right = ExpressionSyntax(.literal(constant))
    return PredicateSyntax(.comparison(inner))
  }

  /// The dates for which the comparison holds; nil if it holds for none.
  private func interval(_ comparator: Comparator, _ constant: Value) -> ValueInterval? {
    let type: ExpressionType = if case .date = constant { .date } else { .double }
    // Outside the calendar the function is nil, which the infinite ends leave out.
    guard let (low, high) = ColumnInterval.of(comparator, constant, type).flatMap(ClosedRanges.doubles),
      let (lower, upper) = chain.interval(
        max(low, -.greatestFiniteMagnitude), min(high, .greatestFiniteMagnitude))
    else { return nil }
    func end(_ seconds: Double) -> ValueInterval.Bound {
      .included(.date(Instant(seconds: seconds == 0 ? 0 : seconds)))
    }
    return ValueInterval(lower: end(lower), upper: end(upper))
  }
}

extension MonotoneArithmetic {
  /// The year of a column of dates, or the start of a period in seconds; nil for any other expression.
  init?(calendar expression: BoundExpression) {
    guard case .call(let function, let operands) = expression, case .column(let column, .date)? = operands.first else {
      return nil
    }
    let value: (Instant) -> Double?
    switch function {
    case .year:
      value = { instant in
        Int(exactly: instant.secondsSince1970.rounded(.down)).flatMap(CivilDate.init(secondsSince1970:))
          .map { Double($0.year) }
      }
    case .bucket:
      guard case .string(let name)? = operands.last?.constant, let period = CalendarPeriod(name: name) else {
        return nil
      }
      value = { period.start(of: $0)?.seconds }
    // Any other function is evaluated as it is.
    default: return nil
    }
    self.init(column: column, rises: true) { value(Instant(seconds: $0)) ?? ($0 < 0 ? -.infinity : .infinity) }
  }
}
