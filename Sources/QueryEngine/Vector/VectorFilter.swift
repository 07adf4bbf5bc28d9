internal import CKernels
internal import PredicateLanguage
internal import Storage
internal import Values

/// A comparison of any expressions, evaluated a cluster at a time. Comparisons of a column with constants have their
/// own kernels; this filter handles all others.
final class VectorFilter: Filter {
  /// The expression on the left.
  private let left: VectorExpression
  /// The operands on the right that are evaluated as vectors, if they are not constants.
  private let right: [VectorExpression]
  private let comparison: BoundComparison
  private let question: Question
  /// Whether the comparison holds if every column is nil; known only if it reads a single string column.
  private let holdsForNil: Bool
  private let codedColumn: Int?
  /// The two columns of strings that it reads, one on each side, if it reads nothing else.
  private let codedPair: (left: Int, right: Int)?
  /// The folding of strings on both sides before they are compared.
  private let folding: StringTransform?

  /// The predicate on the vector on the left.
  private enum Question: Sendable {
    /// The number lies within bounds, or the opposite.
    case number(NumberBounds, isNegated: Bool)
    /// The number is one of several, or nil if nil is one of them.
    case numbers([NumberBounds], takesNil: Bool)
    /// The string passes, or the opposite.
    case string(StringFilter, isNegated: Bool)
    /// The string is one of several, or nil if nil is one of them.
    case strings(StringFilter, takesNil: Bool)
    /// The value is one of several, with the equality of DISTINCT.
    case members(Set<Value>)
    /// A string operator on values that are not stored as strings.
    case test(TextTest)
    /// A comparison with another vector.
    case operand(Comparator)
    /// The value lies between two other vectors.
    case between
    /// The value equals one of several other vectors.
    case among
    /// A longitude, with the latitude on the right, in a shape.
    case place(GeoShape)
  }

  private static var lacksOperand: StoreError { .unsupported("a comparison that lacks an operand") }

  /// With more numbers than this a hash lookup is faster.
  private static let mostBounds = 32

  /// Compiles a comparison.
  init(_ comparison: BoundComparison, _ compiler: FilterCompiler) throws {
    self.comparison = comparison
    left = try VectorExpression(comparison.left, compiler)
    question = try Self.question(comparison, left.form)
    switch question {
    case .number, .numbers, .string, .strings, .members, .test: right = []
    case .operand, .between, .among, .place:
      right = try comparison.right.map { try VectorExpression($0.asWritten(for: comparison.left.type), compiler) }
    }
    // LIKE folds its pattern together with its wildcards.
    let foldsFirst = left.form == .strings && !comparison.folding.isNone && comparison.comparator != .like
    folding = foldsFirst && !right.isEmpty ? .folded(comparison.folding) : nil
    let operands = [left] + right
    let columns = Set(operands.compactMap(\.codedColumn))
    let readsStrings = operands.allSatisfy { $0.codedColumn != nil || $0.expression.isConstant }
    codedColumn = readsStrings && columns.count == 1 ? columns.first : nil
    if case .operand = question, readsStrings, columns.count == 2, let one = left.codedColumn,
      let other = right.first?.codedColumn
    {
      codedPair = (one, other)
    } else {
      codedPair = nil
    }
    holdsForNil = try codedColumn != nil && comparison.holds(for: NoRow())
  }

  private static func question(_ comparison: BoundComparison, _ form: VectorForm) throws -> Question {
    let constants = comparison.right.compactMap(\.constant)
    let areConstant = constants.count == comparison.right.count
    switch comparison.comparator.family {
    case .place: return comparison.shape.map { .place($0) } ?? .among
    case .range: return .between
    case .membership:
      guard areConstant else { return .among }
      let takesNil = constants.contains(where: \.isNull)
      let others = constants.filter { !$0.isNull }
      if form == .strings {
        let bytes = others.map(StringFilter.bytes)
        if comparison.folding.isNone {
          return .strings(StringFilter(column: 0, question: .oneOf(TextSet(bytes))), takesNil: takesNil)
        }
        let folded = TextSet(bytes.map { comparison.folding.fold($0) })
        return .strings(
          StringFilter(column: 0, question: .foldedOneOf(folded, comparison.folding)), takesNil: takesNil)
      }
      if form.isNumeric, others.count <= mostBounds {
        return .numbers(others.map { NumberBounds(.equal, $0) }, takesNil: takesNil)
      }
      // NaN equals nothing.
      return .members(Set(constants.filter { $0.isNull || ValueOrder.isComparable($0) }.map(DistinctKey.of)))
    case .relation, .string, .fullText:
      let isNegated = comparison.comparator == .notEqual
      if let constant = constants.first, areConstant, !constant.isNull {
        if form.isNumeric {
          return .number(NumberBounds(isNegated ? .equal : comparison.comparator, constant), isNegated: isNegated)
        }
        if form == .strings, let test = try comparison.stringTest(constant) {
          return .string(StringFilter(column: 0, question: .test(test)), isNegated: isNegated)
        }
      }
      if let test = comparison.test { return .test(test) }
      return .operand(comparison.comparator)
    }
  }

  var usesRows: Bool { left.usesRows || right.contains(where: \.usesRows) }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    ([left] + right).flatMap { $0.expression.linkSteps(of: entity) }
  }

  var isLocal: Bool { left.isLocal && right.allSatisfy(\.isLocal) }

  /// Sampling would follow links, which costs more than the estimate is worth.
  var estimate: Double? { comparison.operands.contains(where: \.followsLinksByRow) ? 0.3 : nil }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    try mask(.cluster(cluster), candidates, context)
  }

  private func mask(_ input: VectorInput, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    if candidates.isEmpty { return .none }
    return try context.withVector { vector in
      try left.evaluate(into: vector, input, context, wanted: candidates)
      let there = candidates.andNot(vector.nulls)
      if let folding { try vector.apply(folding, wanted: there) }
      switch question {
      case .number(let bounds, let isNegated):
        let found = bounds.mask(vector) & there
        return isNegated ? candidates.andNot(found) : found
      case .numbers(let bounds, let takesNil):
        return bounds.reduce(Mask.none) { $0 | $1.mask(vector) } & there
          | (takesNil ? candidates & vector.nulls : .none)
      case .string(let texts, let isNegated):
        let found = texts.mask(vector, there)
        return isNegated ? candidates.andNot(found) : found
      case .strings(let texts, let takesNil):
        return texts.mask(vector, there) | (takesNil ? candidates & vector.nulls : .none)
      case .members(let members):
        return slots(of: candidates) {
          members.contains(DistinctKey.of(vector.value(at: $0, of: left.expression.type)))
        }
      case .test(let test): return slots(of: there) { test.matches(vector.value(at: $0, of: left.expression.type)) }
      case .operand(let comparator):
        guard let operand = right.first else { throw Self.lacksOperand }
        return try compared(vector, comparator, operand, input, candidates, context)
      case .between:
        guard right.count == 2 else { throw Self.lacksOperand }
        // A comparison with nil is false, even if both sides are nil.
        let low = try compared(vector, .greaterOrEqual, right[0], input, there, context)
        return try compared(vector, .lessOrEqual, right[1], input, low, context)
      case .among:
        var left = candidates
        for operand in right where !left.isEmpty {
          left = left.andNot(try compared(vector, .equal, operand, input, left, context))
        }
        return candidates.andNot(left)
      case .place(let shape): return try within(shape, vector, input, there, context)
      }
    }
  }

  private func compared(
    _ vector: Vector, _ comparator: Comparator, _ operand: VectorExpression, _ input: VectorInput, _ slots: Mask,
    _ context: ExecutionContext
  ) throws -> Mask {
    try context.withVector { other in
      try operand.evaluate(into: other, input, context, wanted: slots)
      if let folding { try other.apply(folding, wanted: slots) }
      return vector.compared(
        comparator, with: other, folding: folding == nil ? comparison.folding : .none,
        types: (left.expression.type, operand.expression.type),
        in: slots)
    }
  }

  private func within(
    _ shape: GeoShape, _ longitudes: Vector, _ input: VectorInput, _ slots: Mask, _ context: ExecutionContext
  ) throws -> Mask {
    guard let latitude = right.first else { throw Self.lacksOperand }
    return try context.withVector { latitudes in
      try latitude.evaluate(into: latitudes, input, context, wanted: slots)
      longitudes.convertToDoubles()
      latitudes.convertToDoubles()
      return self.slots(of: slots.andNot(latitudes.nulls)) { slot in
        GeoPoint(longitude: longitudes.doubles[slot], latitude: latitudes.doubles[slot])
          .map { shape.contains($0) } ?? false
      }
    }
  }

  @inline(__always)
  private func slots(of slots: Mask, _ holds: (Int) -> Bool) -> Mask {
    var found = Mask.none
    slots.forEach { slot in if holds(slot) { found[slot] = true } }
    return found
  }

  // MARK: Dictionaries

  func prepare(_ scan: TableFilterScan) throws {
    if let codedPair { return try prepare(scan, codedPair) }
    guard let codedColumn else { return }
    try scan.prepare(codedColumn)
    guard let table = scan.column(codedColumn), !table.dictionaries.isEmpty,
      CodeAnswers.pay(for: table.dictionaries.count, clusters: scan.rowCount)
    else { return }
    let context = ExecutionContext(nil, nil, CancellationCheck())
    scan.keep(
      try CodeAnswers(table.dictionaries) {
        try mask(.dictionary($0), Mask(firstCount: min($0.count, Mask.slotCount)), context)
      }, of: self)
  }

  private func prepare(_ scan: TableFilterScan, _ columns: (left: Int, right: Int)) throws {
    try scan.prepare(columns.left)
    try scan.prepare(columns.right)
    guard let one = scan.column(columns.left), let other = scan.column(columns.right), let operand = right.first
    else { return }
    let context = ExecutionContext(nil, nil, CancellationCheck())
    let answers = try PairAnswers(one, other, clusters: scan.rowCount) { entries, others in
      let others = try operand.values(ofDictionary: others, context)
      return try left.values(ofDictionary: entries, context).map { value in
        others.map { Comparison.holds(comparison.comparator, value, $0, folding: comparison.folding) }
      }
    }
    if let answers { scan.keep(answers, of: self) }
  }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    if let codedPair, let answers: PairAnswers = rows.scan.finding(of: self) {
      return try rows.narrow(codedPair.left, codedPair.right, self, context) { answers.mask($0, $1, $2) }
    }
    guard let codedColumn, let answers: CodeAnswers = rows.scan.finding(of: self) else {
      return try narrowByMasks(rows, context)
    }
    try rows.narrow(codedColumn, self, context) { column, candidates in
      guard column.pointee.layout == .codes else { return nil }
      let found = answers.mask(column, candidates)
      return holdsForNil ? found | candidates & column.pointee.nulls : found
    }
  }
}

extension BoundExpression {
  /// A constant Double that is compared with Decimals as the Decimal that it is written as; all else as it is.
  fileprivate func asWritten(for type: ExpressionType) -> BoundExpression {
    guard type == .decimal else { return self }
    return switch constant {
    case .double(let number): DecimalValue(shortest: number).map { .constant(.decimal($0)) } ?? self
    case .float(let number): DecimalValue(shortest: number).map { .constant(.decimal($0)) } ?? self
    case .null, .bool, .int, .decimal, .string, .date, .uuid, .data, .list, .embedded, .object, nil: self
    }
  }
}

extension BoundComparison {
  /// The test of a string against a constant; for `!=` that of `==`.
  fileprivate func stringTest(_ constant: Value) throws -> TextTest? {
    if let test { return test }
    guard case .string(let text) = constant else { return nil }
    return try TextTest(comparator == .notEqual ? .equal : comparator, text, folding: folding)
  }
}

extension StringFilter {
  /// Those of some slots, not nil, whose string passes.
  fileprivate func mask(_ vector: Vector, _ slots: Mask) -> Mask {
    // A vector of nils may have any form.
    guard vector.form == .strings, !slots.isEmpty else { return .none }
    switch vector.strings.layout {
    case .same(let text): return holds(for: text) ? slots : .none
    case .coded(let codes, let count, let entries): return inDictionary(codes, entries, count, slots)
    case .block(let block): return inBlock(block, slots)
    }
  }
}

/// The numbers that satisfy a relation to a constant.
struct NumberBounds {
  private let integers: (lower: Int64, upper: Int64)?
  private let doubles: (lower: Double, upper: Double)?

  init(_ relation: Comparator, _ constant: Value) {
    // Dates are compared by their seconds, which vectors store.
    let number: Value = if case .date(let instant) = constant { .double(instant.seconds) } else { constant }
    integers = ColumnInterval.of(relation, number, .int).flatMap(ClosedRanges.integers)
    doubles = ColumnInterval.of(relation, number, .double).flatMap(ClosedRanges.doubles)
  }

  /// The slots within the bounds; undefined for nil.
  func mask(_ vector: Vector) -> Mask {
    if vector.isInteger {
      guard let (lower, upper) = integers else { return .none }
      return Mask.filled { os_between_i64(vector.integers, Mask.slotCount, lower, upper, $0) }
    }
    guard let (lower, upper) = doubles else { return .none }
    return Mask.filled { os_between_f64(vector.doubles, Mask.slotCount, lower, upper, $0) }
  }
}
