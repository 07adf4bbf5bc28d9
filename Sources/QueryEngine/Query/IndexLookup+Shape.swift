package import PredicateLanguage
internal import Schema
internal import Storage
internal import Synchronization
internal import Values

extension PathSyntax.Step {
  /// Whether the step is a name.
  fileprivate var isName: Bool { if case .name = kind { true } else { false } }
}

extension IndexLookup {
  /// The common part of filters with the same text and any arguments: the columns, the comparisons and the index.
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

    /// The shape of a filter that was compiled with some arguments. nil if the filter does more than compare columns,
    /// or if there is no index on any of them.
    package init?(_ syntax: FilterSyntax, _ query: CompiledQuery, _ arguments: Arguments) {
      guard query.warnings.isEmpty, syntax.tails.isEmpty, let predicate = syntax.predicate,
        query.stages.count == 1, case .filter(let bound) = query.stages[0],
        let columns = Self.columns(predicate, bound)
      else { return nil }
      let entity = query.entity
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
      // The lookup with the same arguments must give the compiled query.
      guard lookup(arguments) != nil else { return nil }
    }

    /// An index whose first column is the given one; an index on that column alone is preferred.
    private static func index(over column: Int, of entity: StoredEntity) -> StoredIndex? {
      let found = entity.indexes.filter {
        $0.isReadable && !$0.isFolded && !$0.isInverse && $0.columns.first == column
      }
      return found.first { $0.isUnique && $0.columns.count == 1 } ?? found.first { $0.columns.count == 1 }
        ?? found.first
    }

    private static func columns(_ syntax: PredicateSyntax, _ bound: BoundPredicate) -> [Column]? {
      var columns: [Column] = []
      func add(_ syntax: PredicateSyntax, _ bound: BoundPredicate) -> Bool {
        switch (syntax.kind, bound) {
        case (.and(let parts), .and(let boundParts)):
          return parts.count == boundParts.count && zip(parts, boundParts).allSatisfy(add)
        case (.comparison(let comparison), .comparison(let bound)):
          guard let (column, type, operand) = compared(comparison, bound) else { return false }
          let part = (bound.comparator, operand)
          if let place = columns.firstIndex(where: { $0.number == column }) {
            columns[place].parts.append(part)
          } else {
            columns.append(Column(number: column, type: type, parts: [part]))
          }
          return true
        default: return false
        }
      }
      return add(syntax, bound) ? columns : nil
    }

    /// The column and the operand of a comparison that is an interval of the column's values.
    private static func compared(
      _ syntax: ComparisonSyntax, _ bound: BoundComparison
    ) -> (column: Int, type: ExpressionType, operand: Operand)? {
      guard syntax.quantifier == nil, syntax.rightQuantifier == nil, syntax.options.isEmpty,
        syntax.comparator == bound.comparator, bound.folding.isNone, bound.shape == nil, bound.members == nil,
        case .column(let column, let type) = bound.left, bound.right.count == 1,
        let constant = bound.right[0].constant
      else { return nil }
      // Another argument may name another property.
      guard case .path(let path) = syntax.left.kind, path.steps.allSatisfy(\.isName) else { return nil }
      switch bound.comparator {
      case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: break
      default: return nil
      }
      switch syntax.right.kind {
      case .literal: return (column, type, .constant(constant))
      case .placeholder(.sequential(let place, "@")), .placeholder(.positional(let place)):
        return (column, type, .positional(place))
      case .placeholder(.named(let name)): return (column, type, .named(name))
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
