package import PredicateLanguage
internal import Schema
package import Storage
package import Values

/// A query that is only an equality on a unique property. The property's index finds the object, so no plan is needed.
///
/// Only in snapshots of commits: within a write transaction several objects may have the value.
package struct UniqueLookup: Sendable {
  /// A unique property with its index.
  package final class Key: Sendable {
    fileprivate let entity: StoredEntity
    fileprivate let index: StoredIndex
    fileprivate let type: ScalarType

    /// The key of a column; nil if the column has no complete unique index of its own.
    package init?(column: Int, of entity: StoredEntity) {
      guard let stored = entity.columns.indices.contains(column) ? entity.columns[column] : nil,
        stored.collectionKind == nil, stored.target == nil,
        let index = entity.indexes.first(where: { $0.isUnique && $0.isComplete && $0.columns == [column] })
      else { return nil }
      self.entity = entity
      self.index = index
      type = stored.scalarType
    }

    /// Whether the index stores a value unchanged, so that a lookup finds the object.
    ///
    /// Floating-point numbers and dates are left to plans, which handle NaN and both zeros.
    @inline(__always)
    package func finds(_ value: Value) -> Bool {
      switch value {
      case .int, .string, .uuid: type.accepts(value)
      case .decimal(let number): !number.isNaN && type.accepts(value)
      default: false
      }
    }

    /// The index in a snapshot of a commit.
    package func index(in reader: EntityReader) throws(StoreError) -> IndexReader { try reader.index(index) }
  }

  private let key: Key
  let value: Value

  /// The entity of the object.
  package var entity: StoredEntity { key.entity }

  /// The lookup of a value; nil for a value that the index does not find.
  private init?(_ value: Value, by key: Key) {
    guard key.finds(value) else { return nil }
    self.key = key
    self.value = value
  }

  /// The lookup, if the stages are only an equality on a unique property.
  init?(_ stages: [BoundStage], of entity: StoredEntity) {
    guard stages.count == 1, case .filter(.comparison(let comparison)) = stages[0], comparison.comparator == .equal,
      comparison.folding.isNone, comparison.shape == nil, case .column(let column, _) = comparison.left,
      comparison.right.count == 1, let value = comparison.right[0].constant
    else { return nil }
    guard let key = Key(column: column, of: entity) else { return nil }
    self.init(value, by: key)
  }

  /// The object in a snapshot of a commit, or nil.
  package func object(in snapshot: Snapshot) throws(StoreError) -> ObjectNumber? {
    try snapshot.find(unique: key.index, value, of: key.entity)
  }
}

extension UniqueLookup {
  /// A filter that looks up an argument. With another argument the filter need not be parsed or bound again.
  package struct Shape: Sendable {
    private let known: UniqueLookup
    /// The argument's name; nil for the only positional argument.
    private let name: String?

    /// The shape of a filter bound with some arguments; nil if the filter depends on more than one argument.
    package init?(_ syntax: FilterSyntax, _ query: CompiledQuery, _ arguments: Arguments) {
      guard let lookup = query.lookup, query.warnings.isEmpty, syntax.tails.isEmpty,
        case .comparison(let comparison)? = syntax.predicate?.kind,
        case .placeholder(let placeholder) = comparison.right.kind, syntax.placeholders().count == 1
      else { return nil }
      known = lookup
      switch placeholder {
      case .sequential(0, "@"), .positional(0): name = nil
      case .named(let name): self.name = name
      case .sequential, .positional: return nil
      }
      // The binder must have used the argument unchanged.
      guard self.lookup(arguments)?.value.isIdentical(to: lookup.value) ?? false else { return nil }
    }

    /// The lookup with other arguments; nil if their type or number differs.
    package func lookup(_ arguments: Arguments) -> UniqueLookup? {
      let given = if let name { arguments.named[name] } else { arguments.positional.first }
      guard arguments.positional.count + arguments.named.count == 1, let value = given else { return nil }
      switch (known.value, value) {
      case (.int, .int), (.string, .string), (.uuid, .uuid): break
      default: return nil
      }
      return UniqueLookup(value, by: known.key)
    }
  }
}
