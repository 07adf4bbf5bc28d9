package import Schema
package import Values

/// A column in a file: the declared column and the number of its chunks in every cluster.
///
/// Numbers are permanent, names are not: a property that is removed and added again gets a new number. A column does
/// not know its position in the entity; see `StoredEntity.columns`.
package struct StoredColumn: Hashable, Sendable {
  /// The stable number, unique within the entity and never reused.
  package let number: UInt32
  /// The declaration, as of the current version of the schema.
  package var column: Column
  /// The value of objects whose cluster was written before the column existed. A later change of the declared default
  /// does not affect it.
  package let defaultAtCreation: Value

  package init(number: UInt32, column: Column, defaultAtCreation: Value) {
    self.number = number
    self.column = column
    self.defaultAtCreation = defaultAtCreation
  }

  /// The dotted path.
  package var path: String { column.path }

  /// The type in which values, or elements of collections, are stored. The presence of an optional struct is stored as
  /// a Bool, a link as the target's ID.
  package var scalarType: ScalarType { column.scalarType }

  /// The kind of its collections, of values or links; nil for single values.
  package var collectionKind: CollectionKind? { column.collectionKind }

  /// The entity that its links lead to; nil for values.
  package var target: String? { column.target }

  /// A description of valid values, for messages.
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
  /// The type in which values, or elements of collections, are stored. The presence of an optional struct is stored as
  /// a Bool, a link as the target's ID.
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

  /// The kind of its collections, of values, links or properties of structs; nil for single values.
  package var collectionKind: CollectionKind? {
    switch kind {
    case .collection(let kind, _): kind
    case .links, .parts, .presences: .array
    case .scalar, .presence, .link, .structs: nil
    }
  }
}
