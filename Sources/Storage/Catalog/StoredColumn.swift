package import Schema
package import Values

/// A column as a file has it: the declared column and the number its chunks carry in every cluster.
///
/// Names come and go, numbers stay: a dropped name that comes back is another number. A column does not know its
/// position in the entity; see `StoredEntity.columns`.
package struct StoredColumn: Hashable, Sendable {
  /// The stable number, unique within the entity and never reused.
  package let number: UInt32
  /// What was declared, as of the schema version at hand.
  package var column: Column
  /// What objects have whose cluster was written before the column existed. A later change of the declared default
  /// does not touch it.
  package let defaultAtCreation: Value

  package init(number: UInt32, column: Column, defaultAtCreation: Value) {
    self.number = number
    self.column = column
    self.defaultAtCreation = defaultAtCreation
  }

  /// The dotted path.
  package var path: String { column.path }

  /// The type its values, or the elements of its collections, are kept in; whether an optional struct is there is kept
  /// as a Bool, a link as the number of its target.
  package var scalarType: ScalarType { column.scalarType }

  /// Which collection it holds, of values or of links; nil for single ones.
  package var collectionKind: CollectionKind? { column.collectionKind }

  /// The entity that its links lead to; nil for values.
  package var target: String? { column.target }

  /// What it takes, for messages.
  var expected: String {
    switch column.kind {
    case .link(let entity): "an object of \(entity)"
    case .links(let entity): "objects of \(entity)"
    case .structs: "the number of its structs"
    case .parts, .presences: "a \(scalarType.rawValue) for each struct"
    case .scalar, .presence, .collection: collectionKind?.name(of: scalarType) ?? scalarType.rawValue
    }
  }
}

extension Column {
  /// The type values, or the elements of collections, are kept in; whether an optional struct is there is kept as a
  /// Bool, a link as the number of its target.
  package var scalarType: ScalarType {
    switch kind {
    case .scalar(let type): type
    case .presence: .bool
    case .collection(_, let type): type
    case .parts(let type, _): type
    case .presences: .bool
    case .link, .links, .structs: .int
    }
  }

  /// Whether elements of its collections may be nil.
  package var mayHoldNil: Bool {
    switch kind {
    case .parts(_, let isOptional): isOptional
    case .presences: true
    default: false
    }
  }

  /// Which collection it holds, of values, of links or of a leaf of structs; nil for single ones.
  package var collectionKind: CollectionKind? {
    switch kind {
    case .collection(let kind, _): kind
    case .links, .parts, .presences: .array
    case .scalar, .presence, .link, .structs: nil
    }
  }
}
