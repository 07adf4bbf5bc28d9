public import Diagnostics
public import Values

/// `Quake WHERE … GROUP BY … HAVING … SORT BY … DISTINCT … OFFSET … LIMIT … SELECT …`: the clauses may be written in
/// any order, and apply in this one.
public struct SelectSyntax: Hashable, Sendable {
  /// The entity; nil for a bare predicate after `.use Quake`.
  public var entity: NameSyntax?
  /// WHERE, and tails written after its predicate.
  public var filter: FilterSyntax
  /// GROUP BY.
  public var groupBy: [ExpressionSyntax]
  /// HAVING.
  public var having: PredicateSyntax?
  /// SECTIONS BY.
  public var sectionsBy: ExpressionSyntax?
  /// Which texts SECTIONS BY takes for one.
  public var sectionOptions: SortOptions = []
  /// SORT BY.
  public var sortBy: [SortKeySyntax]
  /// DISTINCT.
  public var distinct: [ExpressionSyntax]
  /// OFFSET.
  public var offset: ExpressionSyntax?
  /// LIMIT.
  public var limit: ExpressionSyntax?
  /// SELECT; nil for whole objects.
  public var select: [SelectItemSyntax]?

  /// Creates a statement of the given clauses.
  public init(
    entity: NameSyntax?, filter: FilterSyntax = FilterSyntax(predicate: nil), groupBy: [ExpressionSyntax] = [],
    having: PredicateSyntax? = nil, sectionsBy: ExpressionSyntax? = nil, sortBy: [SortKeySyntax] = [],
    distinct: [ExpressionSyntax] = [], offset: ExpressionSyntax? = nil, limit: ExpressionSyntax? = nil,
    select: [SelectItemSyntax]? = nil
  ) {
    self.entity = entity
    self.filter = filter
    self.groupBy = groupBy
    self.having = having
    self.sectionsBy = sectionsBy
    self.sortBy = sortBy
    self.distinct = distinct
    self.offset = offset
    self.limit = limit
    self.select = select
  }
}

/// One column of a SELECT.
public struct SelectItemSyntax: Hashable, Sendable {
  /// The expression of the column.
  public var expression: ExpressionSyntax
  /// The heading: the name after AS, or the expression as written.
  public var heading: String

  /// A column with its heading.
  public init(_ expression: ExpressionSyntax, heading: String) {
    self.expression = expression
    self.heading = heading
  }
}

/// A statement of the command, as written.
public indirect enum StatementSyntax: Hashable, Sendable {
  /// Objects or rows.
  case select(SelectSyntax)
  /// `COUNT Quake WHERE …`
  case count(SelectSyntax)
  /// `EXPLAIN …`, `EXPLAIN ANALYZE …`
  case explain(analyze: Bool, StatementSyntax)
  /// `DELETE Quake WHERE …`
  case delete(SelectSyntax)
  /// `UPDATE Quake SET a = …, b = … WHERE …`
  case update(SelectSyntax, [AssignmentSyntax])
  /// `INSERT Quake {"code": "x1"}`
  case insert(NameSyntax, [ObjectFieldSyntax])
  /// `BEGIN`
  case begin
  /// `COMMIT`
  case commit
  /// `ROLLBACK`
  case rollback
  /// `LET big = magnitude > 6`
  case define(NameSyntax, PredicateSyntax)
  /// A change of the schema: `CREATE INDEX ON Quake (net)`, `ALTER Quake ADD felt: Int?`
  case schema(SchemaStatementSyntax)
}

/// `felt = 0` in an UPDATE.
public struct AssignmentSyntax: Hashable, Sendable {
  /// The property.
  public var path: PathSyntax
  /// The range in the source.
  public var range: SourceRange
  /// The new value.
  public var value: ExpressionSyntax

  /// An assignment.
  public init(path: PathSyntax, range: SourceRange = SourceRange(0, 0), value: ExpressionSyntax) {
    self.path = path
    self.range = range
    self.value = value
  }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (left: AssignmentSyntax, right: AssignmentSyntax) -> Bool {
    left.path == right.path && left.value == right.value
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(value)
  }
}

/// `"code": "x1"` in an INSERT; an object as value is an embedded struct.
public struct ObjectFieldSyntax: Hashable, Sendable {
  /// The property's name.
  public var name: NameSyntax
  /// Its value as JSON.
  public var value: Value
  /// The range of the value.
  public var valueRange: SourceRange

  /// A field.
  public init(name: NameSyntax, value: Value, valueRange: SourceRange = SourceRange(0, 0)) {
    self.name = name
    self.value = value
    self.valueRange = valueRange
  }

  /// Whether both have the same meaning, regardless of their ranges.
  public static func == (left: ObjectFieldSyntax, right: ObjectFieldSyntax) -> Bool {
    left.name == right.name && left.value.saysSame(as: right.value)
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    value.hashWhatItSays(into: &hasher)
  }
}
