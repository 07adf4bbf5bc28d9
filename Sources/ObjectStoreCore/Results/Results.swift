internal import Storage

/// The objects of a query on a model: a query and the store it reads, evaluated on access.
///
/// ```swift
/// let strong = try store.objects(Quake.self).filter("magnitude > 5 AND location.name CONTAINS[c] %@", text)
/// for quake in try strong.sorted(by: \.time, .reverse).limit(20).objects() { print(quake.code) }
/// ```
///
/// Every access reads a single version of the store, and results are cached for that version: repeated access costs
/// little, and access after a commit gives the new objects. Copies share the cache. Refining gives another query and
/// evaluates nothing. Methods that read the disk report errors only by throwing.
///
/// Reading throws `QueryError` for an invalid query, also if the store was opened without the model; `QueryCancelled`
/// once its cancellation is cancelled; and `StoreError`: `limitExceeded` for a limit of the store, `unreadableValue`
/// for a stored value that its Swift type cannot represent, or an error of reading the file, such as `corrupted`,
/// `readersFull` or `forked`. Results of a snapshot or a write throw `StoreError.finished` after its end, and
/// `unsupported` on another thread.
public struct Results<Object: Model>: Sendable {
  let selection: Selection

  init(in source: QuerySource) {
    selection = Selection(Object.modelDefinition.entity.name, isOfModel: true, in: source)
  }

  /// Creates the results for the objects at one end of links.
  init(linked: LinkedNumbers, in source: QuerySource) {
    selection = Selection(Object.modelDefinition.entity.name, isOfModel: true, linked: linked, in: source)
  }

  init(_ selection: Selection) { self.selection = selection }

  /// Makes a reader of the model's values.
  func reader(_ snapshot: Snapshot, _ entity: StoredEntity) throws -> ModelReader<Object> {
    let store = selection.source.store
    return ModelReader(try store.layout(Object.modelDefinition, in: snapshot.schema), snapshot, store)
  }
}

extension Results: CustomStringConvertible {
  /// The model and the query: `Quake WHERE magnitude > 5`, and for the objects of a list or a section
  /// `Task (3 given objects) WHERE priority > 5`.
  public var description: String { selection.summary(of: Object.modelDefinition.entity.name) }

  /// The query in the query language, with arguments substituted.
  ///
  /// No text can say a query of the objects of a link, a list or a section, nor an invalid one. Their texts are between
  /// "…", with the error of an invalid query, and reading them back throws.
  public var predicateFormat: String { selection.predicateFormat }
}
