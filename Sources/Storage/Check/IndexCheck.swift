internal import LMDB
internal import Schema
internal import Values

/// The check of one index against the objects of its entity, in both directions.
///
/// Each layout of an index in a file has a type of its own. It does not know how the objects are found.
protocol IndexCheck: AnyObject {
  var index: StoredIndex { get }

  init(_ index: StoredIndex, _ database: Database, _ check: EntityCheck) throws

  /// Looks for the entries of one object, by its values in the index's columns.
  func note(_ object: ObjectNumber, _ values: [Value], _ check: inout EntityCheck) throws

  /// Reports entries that no object should have. All objects were noted.
  func finish(_ check: inout EntityCheck) throws
}

extension IndexKind {
  /// The type that checks indexes of the kind.
  var check: any IndexCheck.Type {
    switch self {
    case .ordered, .unique, .folded: KeyIndexCheck.self
    case .trigram: TrigramIndexCheck.self
    case .inverse: InverseIndexCheck.self
    // These are not built: a schema with one is refused before anything is written.
    case .fullText, .geo: KeyIndexCheck.self
    }
  }
}
