internal import PredicateLanguage
internal import QueryEngine
internal import Storage

extension Query {
  /// Whether the query matches a value, as it would match an object with these values in a store.
  ///
  /// ```swift
  /// let strong = Query<Quake> { $0.magnitude > 5 }
  /// let isStrong = try strong.matches(quake)
  /// ```
  ///
  /// Links are followed as by `List.objects()` and `Link.object()`: in the thread's current read or write, or in the
  /// newest version of the store that the value was read from.
  ///
  /// - Parameter object: The value, whether it was read from a store or not.
  /// - Throws: `QueryError` for errors in the query; `StoreError`: `unsupported` if it goes through links of a value
  ///   that was not read from a store, or to new objects; `closed` if it follows links and the store has been released.
  public func matches(_ object: Object) throws -> Bool {
    let known = ModelSchema.of(Object.modelDefinition)
    let asked = try predicate(of: known.entity, in: known.schema)
    var encoder = RowEncoder()
    object.encode(into: &encoder)
    let own = object.objectID?.number
    guard asked.goesThroughLinks else { return try asked.holds(for: encoder.row, own: own, in: nil) }
    guard encoder.newObjects.isEmpty else {
      throw StoreError.unsupported(
        "the query '\(predicateFormat)' goes through links to new objects: add them to a store first")
    }
    let origin = Self.origin(of: object)
    guard origin != nil || !ThreadState.current.sources.isEmpty else {
      do {
        return try asked.holds(for: encoder.row, own: own, in: nil)
      } catch is NoOtherObjects {
        throw StoreError.unsupported(
          "the query '\(predicateFormat)' goes through links, and the value was not read from a store: ask within "
            + "'snapshot', 'read' or 'write'")
      }
    }
    let source = try QuerySource.following(linkFrom: origin)
    return try source.read { snapshot in
      let layout = try source.store.layout(Object.modelDefinition, in: snapshot.schema)
      let asked = try predicate(of: layout.entity, in: snapshot.schema)
      return try asked.holds(for: try layout.row(of: encoder.row), own: own, in: snapshot)
    }
  }

  /// The query checked against a schema.
  private func predicate(of entity: StoredEntity, in schema: StoredSchema) throws -> RecordPredicate {
    let predicate = try predicate
    return try cache.predicate(for: schema) {
      do {
        return try RecordPredicate(predicate, source: source, of: entity, in: schema)
      } catch let error where source.isEmpty {
        // A tree made by code has no ranges, but its text does.
        let text = predicate.predicateFormat
        guard let read = try? PredicateParser.predicate(text) else { throw error }
        _ = try RecordPredicate(read, source: text, of: entity, in: schema)
        throw error
      }
    }
  }

  /// The store that a value's links are of.
  private static func origin(of object: Object) -> StoreReference? {
    Object.modelDefinition.keyPaths.values(of: object).lazy
      .compactMap { ($0 as? any OriginatedLinks)?.storeReference }.first
  }
}

/// Links that know the store they were read from.
private protocol OriginatedLinks {
  /// The store; nil for links made by code.
  var storeReference: StoreReference? { get }
}

extension List: OriginatedLinks {
  fileprivate var storeReference: StoreReference? { origin ?? ends.lazy.compactMap(\.origin).first }
}

extension Link: OriginatedLinks {
  fileprivate var storeReference: StoreReference? { origin ?? end.origin }
}

extension LinkingObjects: OriginatedLinks {
  fileprivate var storeReference: StoreReference? { target?.store }
}

extension Optional: OriginatedLinks where Wrapped: OriginatedLinks {
  fileprivate var storeReference: StoreReference? { flatMap(\.storeReference) }
}
