internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// An expression compiled for evaluation on whole clusters, one vector at a time.
///
/// Every expression can be compiled. A node without a kernel fills its vector row by row, and the nodes above it stay
/// vectorised. An expression is compiled once for a query and is immutable, so several threads may evaluate it, each
/// with its own context.
final class VectorExpression: Sendable {
  /// The operation that computes a vector.
  indirect enum Node: Sendable {
    case constant(Value)
    /// A column of single values.
    case column(Int)
    /// The IDs of the objects themselves.
    case objectID
    /// Values of linked objects, gathered for all of them at once.
    case gathered(LinkedColumn)
    case negate(VectorExpression)
    case complement(VectorExpression)
    case arithmetic(VectorExpression, [Step])
    /// A function of numbers or dates.
    case call(ScalarFunction, [VectorExpression])
    case transform(StringTransform, VectorExpression)
    case length(VectorExpression)
    /// Strings joined to one.
    case joined(VectorExpression, [VectorExpression])
    /// The start of a period of the calendar.
    case periodStart(CalendarPeriod, VectorExpression)
    /// The first value that is not nil. All have the expression's form.
    case firstOf(VectorExpression, [VectorExpression])
    /// TERNARY.
    case choice(BoundPredicate, any Filter, VectorExpression, VectorExpression)
    /// The number of elements of the collection in a column.
    case elementCount(Int)
    /// The number of structs of a list, which the column stores.
    case structCount(Int)
    /// Anything else, row by row.
    case rows(BoundExpression)
  }

  /// An operator with its right operand.
  struct Step {
    let operation: BinaryOperator
    let operand: VectorExpression
    /// Whether the result is a Decimal.
    let isDecimal: Bool
  }

  /// The compiled expression.
  let expression: BoundExpression
  /// The form of its vectors; a vector of nils may have any form.
  let form: VectorForm
  let node: Node
  /// The string column that the value depends on, if it depends on nothing else. The expression can then be evaluated
  /// once for each dictionary entry.
  let codedColumn: Int?
  /// The column, if the expression is one whose stored form may be read without a vector.
  let storedColumn: Int?
  /// Whether the expression reads only the cluster.
  let isLocal: Bool
  /// Whether values without a form of their own are replaced by their `KeyBytes`.
  let hasKeyBytes: Bool

  /// Compiles an expression over the compiler's entity. `now()` must have been replaced.
  ///
  /// - Parameter isKey: Whether it is a key of SORT, GROUP BY or DISTINCT: then its vectors have the form `keyForm`.
  init(_ expression: BoundExpression, _ compiler: FilterCompiler, isKey: Bool = false) throws {
    self.expression = expression
    form = isKey ? expression.keyForm : expression.vectorForm
    hasKeyBytes = form != expression.vectorForm
    node = try Node(expression, compiler, isKey: isKey)
    isLocal = !expression.goesThroughLinks
    let isDirect = compiler.evaluation == .cheapest
    codedColumn =
      compiler.evaluation == .rows ? nil : expression.onlyStringColumn(of: compiler.entity, hasKeyBytes: hasKeyBytes)
    storedColumn = if isDirect, case .column(let column) = node { column } else { nil }
  }
}

extension VectorExpression.Node {
  fileprivate init(_ expression: BoundExpression, _ compiler: FilterCompiler, isKey: Bool) throws {
    let rows = Self.rows(expression.prepared)
    func compiled(_ operand: BoundExpression) throws -> VectorExpression { try VectorExpression(operand, compiler) }
    if compiler.evaluation == .rows, !expression.isConstant, !expression.isGathered {
      self = rows
      return
    }
    switch expression {
    case .constant(let value): self = .constant(value)
    case .object(let reference): self = .constant(.int(Int64(bitPattern: reference.number.rawValue)))
    case .own: self = .objectID
    case .gathered(let gathering): self = .gathered(gathering)
    case .column(let column, let type):
      let isSingle =
        compiler.entity.columns.indices.contains(column)
        && compiler.entity.columns[column].collectionKind == nil
      let hasVector = VectorForm(type) != .values || type == .decimal || isKey && KeyBytes.exist(for: type)
      self = isSingle && hasVector ? .column(column) : rows
    case .negate(let operand):
      let operand = try compiled(operand)
      self = operand.form.isNumeric || operand.expression.type == .decimal ? .negate(operand) : rows
    case .complement(let operand):
      let operand = try compiled(operand)
      self = operand.form == .integers ? .complement(operand) : rows
    case .arithmetic(let first, let steps):
      let first = try compiled(first)
      let compiledSteps = try steps.map {
        VectorExpression.Step(
          operation: $0.operation, operand: try compiled($0.operand), isDecimal: $0.type == .decimal)
      }
      let isNumeric =
        first.form.isNumeric
        && zip(steps, compiledSteps).allSatisfy { $0.type != .number && $0.type != .null && $1.operand.form.isNumeric }
      let types = [first.expression.type] + steps.map(\.type) + compiledSteps.map(\.operand.expression.type)
      let isExact = types.allSatisfy { $0 == .decimal || $0 == .int }
      self = isNumeric || isExact ? .arithmetic(first, compiledSteps) : rows
    case .call(let function, let operands): self = Self.kernel(function, try operands.map(compiled)) ?? rows
    case .ternary(let condition, let yes, let no):
      // nil fits any type; otherwise both results must have the same type, which determines the form.
      let isOne = yes.type == no.type || yes.isNil || no.isNil
      guard isOne, VectorForm(expression.type) != .values else {
        self = rows
        return
      }
      self = .choice(condition.prepared, try compiler.compileInner(condition), try compiled(yes), try compiled(no))
    case .reduced(.count, .positions(of: .column(let column, _))): self = .structCount(column)
    case .reduced(.count, .column(let column, _)), .reduced(.count, .keys(let column)): self = .elementCount(column)
    case .computed, .now, .element, .reduced, .item, .entry, .property, .assembled: self = rows
    }
  }

  /// The node for a function with a kernel for its operands; nil if it must be evaluated row by row.
  private static func kernel(_ function: ScalarFunction, _ operands: [VectorExpression]) -> Self? {
    guard let first = operands.first else { return nil }
    switch function.family {
    case .rounding, .real, .arithmetic, .bits, .distance:
      return operands.allSatisfy { $0.form.isNumeric } ? .call(function, operands) : nil
    case .calendar: return first.expression.type == .date ? .call(function, operands) : nil
    case .length: return first.form == .strings ? .length(first) : nil
    case .joined:
      return operands.allSatisfy { $0.form == .strings } ? .joined(first, Array(operands.dropFirst())) : nil
    case .string: return first.form == .strings ? .transform(.function(function), first) : nil
    case .part, .replaced:
      guard first.form == .strings, let transform = transform(operands.dropFirst().map(\.expression.constant)) else {
        return nil
      }
      return .transform(transform, first)
    case .bucket:
      guard case .string(let name)? = operands.last?.expression.constant, let period = CalendarPeriod(name: name),
        first.expression.type == .date
      else { return nil }
      return .periodStart(period, first)
    case .first:
      // nil fits any form.
      let forms = Set(operands.filter { !$0.expression.isNil }.map(\.form))
      guard forms.count == 1, forms.first != .values else { return nil }
      return .firstOf(first, Array(operands.dropFirst()))
    case .folding(let folding): return first.form == .strings ? .transform(.folded(folding), first) : nil
    }
  }
}

extension VectorExpression.Node {
  /// The transform of strings for the other arguments of `substring` or `replace`; nil unless they are constants, and
  /// for a replacement that may make strings longer, which is an error where it makes them too long.
  private static func transform(_ arguments: [Value?]) -> StringTransform? {
    switch (arguments.first, arguments.last) {
    case (.int(let start)??, _) where arguments.count == 1: .part(TextPart(start: start, length: nil))
    case (.int(let start)??, .int(let length)??): .part(TextPart(start: start, length: length))
    case (.string(let from)??, .string(let to)??):
      TextReplacement(from, by: to).neverGrows ? .replaced(TextReplacement(from, by: to)) : nil
    default: nil
    }
  }
}

extension BoundExpression {
  /// Whether vectors of the expression hold ranks instead of values.
  var isRanked: Bool { if case .gathered(let gathering) = self { gathering.isRanked } else { false } }

  /// Whether it is read for whole clusters by following links.
  fileprivate var isGathered: Bool { if case .gathered = self { true } else { false } }

  /// The form of its vectors.
  var vectorForm: VectorForm { isRanked ? .integers : VectorForm(type) }

  /// Whether it is nil for every object.
  var isNil: Bool { constant?.isNull ?? false }

  /// The only column that the expression reads, if it is a column of strings, or of what is kept as the bytes of its key.
  fileprivate func onlyStringColumn(of entity: StoredEntity, hasKeyBytes: Bool) -> Int? {
    guard !goesThroughLinks else { return nil }
    var columns: Set<Int> = []
    collectColumns(into: &columns)
    guard columns.count == 1, let column = columns.first, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil
    else { return nil }
    let type = entity.columns[column].scalarType
    return type == .string || hasKeyBytes && self.column != nil && type.isKeptAsBytes ? column : nil
  }
}
