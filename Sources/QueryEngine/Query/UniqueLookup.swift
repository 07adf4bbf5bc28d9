package import PredicateLanguage
internal import Schema
package import Storage
package import Values

/// A query that asks for the object with one value of a unique property, and for nothing else. Its index says which it
/// is, so there is nothing to plan.
///
/// Only of a commit: within a write several objects may have the value, until it ends.
package struct UniqueLookup: Sendable {
  /// A unique property and its index, to look objects up by.
  package final class Key: Sendable {
    fileprivate let entity: StoredEntity
    fileprivate let index: StoredIndex
    fileprivate let type: ScalarType

    /// The key that a column is; nil for one without a complete unique index of its own.
    package init?(column: Int, of entity: StoredEntity) {
      guard let stored = entity.columns.indices.contains(column) ? entity.columns[column] : nil,
        stored.collectionKind == nil, stored.target == nil,
        let index = entity.indexes.first(where: { $0.isUnique && $0.isComplete && $0.columns == [column] })
      else { return nil }
      self.entity = entity
      self.index = index
      type = stored.scalarType
    }

    /// Whether the index keeps a value as it is, so that it finds its object.
    ///
    /// Floating-point numbers and dates are left to plans, which know of NaN and of the two zeros.
    @inline(__always)
    package func finds(_ value: Value) -> Bool {
      switch value {
      case .int, .string, .uuid: type.accepts(value)
      default: false
      }
    }

    /// The index, in a snapshot of a commit.
    package func index(in reader: EntityReader) throws(StoreError) -> IndexReader { try reader.index(index) }
  }

  private let key: Key
  let value: Value

  /// The entity of the object.
  package var entity: StoredEntity { key.entity }

  /// The look-up of a value; nil for one that the index does not find.
  private init?(_ value: Value, by key: Key) {
    guard key.finds(value) else { return nil }
    self.key = key
    self.value = value
  }

  /// The look-up that a filter is; nil for one that is more.
  init?(_ stages: [BoundStage], of entity: StoredEntity) {
    guard stages.count == 1, case .filter(.comparison(let comparison)) = stages[0], comparison.comparator == .equal,
      comparison.folding.isNone, comparison.shape == nil, case .column(let column, _) = comparison.left,
      comparison.right.count == 1, let value = comparison.right[0].constant
    else { return nil }
    guard let key = Key(column: column, of: entity) else { return nil }
    self.init(value, by: key)
  }

  /// The object in a snapshot of a commit.
  package func object(in snapshot: Snapshot) throws(StoreError) -> ObjectNumber? {
    try snapshot.find(unique: key.index, value, of: key.entity)
  }
}

extension UniqueLookup {
  /// A filter that is a look-up, of which the value is an argument: with another one it is another look-up, and the
  /// filter need be neither read nor bound again.
  package struct Shape: Sendable {
    private let known: UniqueLookup
    /// The argument's name; nil for the only one by position.
    private let name: String?

    /// The shape of a filter bound with some arguments; nil where more than one argument says what it is.
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
      // What the binder reads an argument as must be the argument.
      guard self.lookup(arguments)?.value.isIdentical(to: lookup.value) ?? false else { return nil }
    }

    /// The look-up with other arguments; nil for one of another kind, or where there are more of them.
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
