internal import LMDB
internal import Schema
internal import Values

/// Writes one index: collects the changes of objects, and writes many at a time to the tree.
///
/// Each layout of an index in a file has a type of its own. It does not depend on the objects' other properties.
protocol IndexWriter: AnyObject {
  /// How the database of an index is made.
  static var databaseOptions: DatabaseOptions { get }

  var index: StoredIndex { get }
  /// Whether any key is or was truncated.
  var hasLongKeys: Bool { get }
  /// Cancels writing many entries early; used only while the index is built.
  var wait: WriteWait { get set }

  init(_ index: StoredIndex, database: Database, hasLongKeys: Bool, path: String)

  /// Records a new object with the values of a row, one for each column of the entity.
  func note(row: UnsafeBufferPointer<Value>, object: UInt64)

  /// Records that an object has, or no longer has, these values in the index's columns.
  func note(_ values: [Value], object: UInt64, isRemoval: Bool)

  /// Records that the values of an object changed.
  func note(from old: [Value], to new: [Value], object: UInt64)

  /// Whether the changes should be written to free memory.
  var isFull: Bool { get }

  /// Writes the gathered changes.
  func flush(_ transaction: WriteTransaction) throws(StoreError)
}

extension IndexKind {
  /// The type that writes indexes of the kind.
  var writer: any IndexWriter.Type {
    switch self {
    case .ordered, .unique, .folded: KeyIndexWriter.self
    case .trigram: TrigramIndexWriter.self
    case .inverse: InverseIndexWriter.self
    // These are not built: a schema with one is refused before anything is written.
    case .fullText, .geo: KeyIndexWriter.self
    }
  }
}
