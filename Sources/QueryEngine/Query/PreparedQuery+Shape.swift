package import PredicateLanguage
internal import Schema
internal import Storage
internal import Synchronization
internal import Values

extension PathSyntax.Step {
  /// Whether the step is a name.
  fileprivate var isName: Bool { if case .name = kind { true } else { false } }
}

extension PreparedQuery {
  /// What filters of one text have in common, whatever their arguments are: the columns, the comparisons and the index.
  package final class Shape: Sendable {
    /// The value that a column is compared with.
    enum Operand: Sendable {
      case constant(Value)
      /// An argument by position.
      case positional(Int)
      case named(String)

      @inline(__always)
      func value(_ arguments: Arguments) -> Value? {
        switch self {
        case .constant(let value): value
        case .positional(let place):
          arguments.positional.indices.contains(place) ? arguments.positional[place] : nil
        case .named(let name): arguments.named[name]
        }
      }
    }

    /// A column with the comparisons on it, which are joined by AND.
    struct Column: Sendable {
      let number: Int
      let type: ExpressionType
      var parts: [(comparator: Comparator, operand: Operand)]

      var isEqual: Bool { parts.contains { $0.comparator == .equal } }
      /// The preference for the column's index: equality before a bounded interval before a half-open interval.
      var rank: Int { isEqual ? 0 : parts.count > 1 ? 1 : 2 }
    }

    let entity: StoredEntity
    let index: StoredIndex
    /// The columns, the first column of the index first.
    let columns: [Column]
    /// The key of a filter that only asks for one value of a unique property.
    let key: UniqueKey?
    /// The maximum number of objects that the index may find.
    let most: Int
    /// The number of consecutive lookups that found more.
    private let misses = Atomic<Int>(0)

    /// With at most this many objects the order of several filters does not matter.
    private static let fewObjects = 64
    /// The limit if another index may find fewer objects.
    private static let veryFewObjects = 8
    /// After this many consecutive misses only one of as many lookups is tried.
    private static let mostMisses = 8

    /// The shape of a filter that was compiled with some arguments; nil if it does more than compare columns, or if no
    /// index is over one of them.
    package convenience init?(_ syntax: FilterSyntax, _ query: CompiledQuery, _ arguments: Arguments) {
      guard query.warnings.isEmpty, syntax.tails.isEmpty, let predicate = syntax.predicate,
        case .filter(let bound)? = query.stages.first, query.stages.count == 1,
        let columns = Self.columns(bound, predicate)
      else { return nil }
      self.init(columns, of: query.entity)
      // With the arguments it was compiled with it must be what was compiled.
      guard prepared(arguments) != nil else { return nil }
    }

    /// The shape of a filter without arguments; nil unless it has one value of a unique property.
    convenience init?(_ stages: [BoundStage], of entity: StoredEntity) {
      guard entity.indexes.contains(where: \.isUnique), stages.count == 1, case .filter(let bound) = stages[0],
        let columns = Self.columns(bound, nil), columns.contains(where: \.isEqual)
      else { return nil }
      self.init(columns, of: entity)
      guard index.isUnique, self.columns[0].isEqual else { return nil }
    }

    private init?(_ columns: [Column], of entity: StoredEntity) {
      guard
        columns.allSatisfy({
          entity.columns[$0.number].collectionKind == nil && entity.columns[$0.number].target == nil
        })
      else { return nil }
      let indexed = columns.filter { Self.index(over: $0.number, of: entity) != nil }
      let best = indexed.first { Self.index(over: $0.number, of: entity)?.isUnique == true && $0.isEqual }
      guard let chosen = best ?? indexed.min(by: { $0.rank < $1.rank }),
        let index = Self.index(over: chosen.number, of: entity)
      else { return nil }
      self.entity = entity
      self.index = index
      self.columns = [chosen] + columns.filter { $0.number != chosen.number }
      most = indexed.count > 1 ? Self.veryFewObjects : Self.fewObjects
      let isKey = columns.count == 1 && chosen.parts.count == 1 && chosen.isEqual
      key = isKey ? UniqueKey(column: chosen.number, of: entity) : nil
    }

    /// An index whose first column is the given one; an index on that column alone is preferred.
    private static func index(over column: Int, of entity: StoredEntity) -> StoredIndex? {
      let found = entity.indexes.filter {
        $0.isReadable && $0.hasValueKeys && $0.columns.first == column
      }
      return found.first { $0.isUnique && $0.columns.count == 1 } ?? found.first { $0.columns.count == 1 }
        ?? found.first
    }

    /// The columns that a predicate compares; nil if it does more.
    ///
    /// - Parameter syntax: The predicate with its placeholders; nil for one without arguments.
    private static func columns(_ bound: BoundPredicate, _ syntax: PredicateSyntax?) -> [Column]? {
      var columns: [Column] = []
      func add(_ bound: BoundPredicate, _ syntax: PredicateSyntax?) -> Bool {
        switch bound {
        case .and(let parts):
          guard let syntax else { return parts.allSatisfy { add($0, nil) } }
          guard case .and(let written) = syntax.kind, written.count == parts.count else { return false }
          return zip(parts, written).allSatisfy(add)
        case .comparison(let comparison):
          guard let (column, type, constant) = compared(comparison),
            let operand = syntax.map({ operand($0, constant, comparison) }) ?? .constant(constant)
          else { return false }
          let part = (comparison.comparator, operand)
          if let place = columns.firstIndex(where: { $0.number == column }) {
            columns[place].parts.append(part)
          } else {
            columns.append(Column(number: column, type: type, parts: [part]))
          }
          return true
        case .constant, .or, .not, .test, .quantified, .lists, .remembered: return false
        }
      }
      return add(bound, syntax) ? columns : nil
    }

    /// The column and the constant of a comparison that an interval of the column's values answers.
    private static func compared(_ bound: BoundComparison) -> (column: Int, type: ExpressionType, constant: Value)? {
      guard bound.folding.isNone, bound.shape == nil, bound.members == nil,
        case .column(let column, let type) = bound.left,
        bound.right.count == 1, let constant = bound.right[0].constant
      else { return nil }
      switch bound.comparator.family {
      case .relation(.equal), .relation(.less), .relation(.lessOrEqual), .relation(.greater),
        .relation(.greaterOrEqual):
        return (column, type, constant)
      case .relation(.notEqual), .string, .range, .membership, .place, .fullText: return nil
      }
    }

    /// What is compared, as written; nil if another argument may make another comparison of it.
    private static func operand(_ syntax: PredicateSyntax, _ constant: Value, _ bound: BoundComparison) -> Operand? {
      guard case .comparison(let written) = syntax.kind, written.quantifier == nil, written.rightQuantifier == nil,
        written.options.isEmpty, written.comparator == bound.comparator, case .path(let path) = written.left.kind,
        path.steps.allSatisfy(\.isName)
      else { return nil }
      switch written.right.kind {
      case .literal: return .constant(constant)
      case .placeholder(.sequential(let place, "@")), .placeholder(.positional(let place)): return .positional(place)
      case .placeholder(.named(let name)): return .named(name)
      default: return nil
      }
    }

    /// Whether the index should be tried.
    var mayBeOfUse: Bool {
      let count = misses.load(ordering: .relaxed)
      if count < Self.mostMisses { return true }
      return misses.wrappingAdd(1, ordering: .relaxed).newValue % Self.mostMisses == 0
    }

    /// Records that the index found few objects.
    @inline(__always)
    func hit<Found>(_ found: Found) -> Found {
      if misses.load(ordering: .relaxed) != 0 { misses.store(0, ordering: .relaxed) }
      return found
    }

    /// Records that the index found too many objects.
    func missed<Found>() -> Found? {
      misses.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
  }
}
