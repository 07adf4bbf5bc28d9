internal import Storage

/// The objects of a query on a model: a query and the store it reads, evaluated when asked.
///
/// ```swift
/// let strong = try store.objects(Quake.self).filter("magnitude > 5 AND location.name CONTAINS[c] %@", text)
/// for quake in try strong.sorted(by: \.time, .reverse).limit(20).objects() { … }
/// ```
///
/// Whatever is asked is answered from one version of the store, and what was found is kept for that version: asking
/// again costs little, and asking after a commit gives the objects there are then. Copies share what was found.
/// Refining gives another query and evaluates nothing. What reads the disk can fail by throwing, and by nothing else.
public struct Results<Object: Model>: Sendable {
  let selection: Selection

  init(in source: QuerySource) {
    selection = Selection(Object.modelDefinition.entity.name, isOfModel: true, in: source)
  }

  /// The objects at one end of links.
  init(linked: LinkedNumbers, in source: QuerySource) {
    selection = Selection(Object.modelDefinition.entity.name, isOfModel: true, linked: linked, in: source)
  }

  init(_ selection: Selection) { self.selection = selection }

  /// Makes readers of the model's values.
  func reader(_ snapshot: Snapshot, _ entity: StoredEntity) throws -> ModelReader<Object> {
    let store = selection.source.store
    return ModelReader(try store.layout(Object.modelDefinition, in: snapshot.schema), snapshot, store)
  }
}

extension Results: CustomStringConvertible {
  /// The model and the query: `Quake WHERE magnitude > 5`.
  public var description: String {
    let format = predicateFormat
    return format.isEmpty ? Object.modelDefinition.entity.name : "\(Object.modelDefinition.entity.name) WHERE \(format)"
  }

  /// The query in the language's own words, arguments in place.
  public var predicateFormat: String { selection.predicateFormat }
}
