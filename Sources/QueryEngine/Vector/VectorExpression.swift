internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// An expression ready to be evaluated for whole clusters, one vector at a time.
///
/// Every expression has one. A node without a kernel fills its own vector row by row, and the nodes above it do not
/// notice. It is compiled once for a query and does not change, so that several threads may evaluate it, each with a
/// scratch of its own.
final class VectorExpression: @unchecked Sendable {
  /// How a vector is computed.
  indirect enum Node {
    case constant(Value)
    /// A column of single values.
    case column(Int)
    /// The IDs of the objects themselves.
    case objectID
    /// Values of linked objects that were read for all of them at once.
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
    /// TERNARY.
    case choice(BoundPredicate, Filter, VectorExpression, VectorExpression)
    /// How many elements the collection of a column has.
    case elementCount(Int)
    /// How many structs the list of a column has, which the column says itself.
    case structCount(Int)
    /// Anything else, row by row.
    case rows(BoundExpression)
  }

  /// An operator with its right operand.
  struct Step {
    let operation: BinaryOperator
    let operand: VectorExpression
  }

  /// What it evaluates.
  let expression: BoundExpression
  /// The form of its vectors. Where all slots are nil, the form may be any.
  let form: VectorForm
  let node: Node
  /// The column of strings that alone decides what it is, if there is one: it can be evaluated once for each entry of a
  /// dictionary.
  let codedColumn: Int?
  /// Whether it reads nothing but the cluster.
  let isLocal: Bool

  /// Compiles an expression over the entity of a compiler. `now` must have been replaced.
  init(_ expression: BoundExpression, _ compiler: FilterCompiler) throws {
    self.expression = expression
    node = try Node(expression, compiler)
    form = expression.isRanked ? .integers : VectorForm(expression.type)
    isLocal = !expression.goesThroughLinks
    codedColumn = expression.onlyStringColumn(of: compiler.entity)
  }
}

extension VectorExpression.Node {
  fileprivate init(_ expression: BoundExpression, _ compiler: FilterCompiler) throws {
    let rows = Self.rows(expression.prepared)
    func compiled(_ operand: BoundExpression) throws -> VectorExpression { try VectorExpression(operand, compiler) }
    switch expression {
    case .constant(let value): self = .constant(value)
    case .object(let reference): self = .constant(.int(Int64(bitPattern: reference.number.rawValue)))
    case .own: self = .objectID
    case .gathered(let gathering): self = .gathered(gathering)
    case .column(let column, let type):
      let isSingle =
        compiler.entity.columns.indices.contains(column)
        && compiler.entity.columns[column].collectionKind == nil
      self = isSingle && VectorForm(type) != .values ? .column(column) : rows
    case .negate(let operand):
      let operand = try compiled(operand)
      self = operand.form.isNumeric ? .negate(operand) : rows
    case .complement(let operand):
      let operand = try compiled(operand)
      self = operand.form == .integers ? .complement(operand) : rows
    case .arithmetic(let first, let steps):
      let first = try compiled(first)
      let compiledSteps = try steps.map {
        VectorExpression.Step(operation: $0.operation, operand: try compiled($0.operand))
      }
      let isNumeric =
        first.form.isNumeric
        && zip(steps, compiledSteps).allSatisfy { $0.type != .number && $0.type != .null && $1.operand.form.isNumeric }
      self = isNumeric ? .arithmetic(first, compiledSteps) : rows
    case .call(let function, let operands): self = Self.kernel(function, try operands.map(compiled)) ?? rows
    case .ternary(let condition, let yes, let no):
      // A nil fits everything; else both must be of one type, which alone says what their numbers are.
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

  /// A function with a kernel for its operands; nil where they are evaluated row by row.
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
    }
  }
}

extension BoundExpression {
  /// Whether a vector has not its values, but their positions in order.
  var isRanked: Bool { if case .gathered(let gathering) = self { gathering.isRanked } else { false } }

  /// Whether it reads nothing but its own cluster.
  var isLocal: Bool { !goesThroughLinks }

  /// The form of its vectors.
  var vectorForm: VectorForm { isRanked ? .integers : VectorForm(type) }

  /// Whether it is nil for every object.
  var isNil: Bool { constant?.isNull ?? false }

  /// The only column that it reads, if that holds strings and everything else in it is constant.
  fileprivate func onlyStringColumn(of entity: StoredEntity) -> Int? {
    guard !goesThroughLinks else { return nil }
    var columns: Set<Int> = []
    collectColumns(into: &columns)
    guard columns.count == 1, let column = columns.first, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil, entity.columns[column].scalarType == .string
    else { return nil }
    return column
  }
}
