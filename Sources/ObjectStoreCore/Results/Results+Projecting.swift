internal import Storage

extension Results {
  /// The values of several properties of each object, in order: of one version of the store, and without the rest of the
  /// objects.
  ///
  /// ```swift
  /// for (code, magnitude) in try strong.values(of: \.code, \.magnitude) { print(code, magnitude) }
  /// ```
  ///
  /// - Throws: `QueryError` for a key path that leads to no stored property.
  public func values<First: PropertyValue, Second: PropertyValue, each Other: PropertyValue>(
    of first: KeyPath<Object, First>, _ second: KeyPath<Object, Second>, _ others: repeat KeyPath<Object, each Other>
  ) throws -> [(First, Second, repeat each Other)] {
    try select(first, second, repeat each others) { (first: First, second: Second, other: repeat each Other) in
      (first, second, repeat each other)
    }
  }

  /// What `make` makes of the values of some properties of each object, in order: of one version of the store, and without
  /// the rest of the objects.
  ///
  /// ```swift
  /// struct Row { var code: String; var magnitude: Double }
  /// let rows = try strong.select(\.code, \.magnitude, as: Row.init)
  /// ```
  ///
  /// - Throws: `QueryError` for a key path that leads to no stored property; what `make` throws, which ends it.
  public func select<each Value: PropertyValue, Row>(
    _ keyPaths: repeat KeyPath<Object, each Value>, as make: (repeat each Value) throws -> Row
  ) throws -> [Row] {
    repeat try checkPath(each keyPaths)
    let found: [Row] = try selection.evaluate { snapshot, entity, ids in
      let store = selection.source.store
      let layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
      var places: [ModelLayout.Place] = []
      repeat places.append(try place(of: each keyPaths, in: layout))
      // The columns of all properties, opened together once a cluster.
      var columns = ClusterColumnsCache(
        snapshot, entity, columns: places.flatMap(\.positions), substitutes: places.flatMap(\.substitutes),
        of: layout.definition, at: places.flatMap(\.modelColumns), in: store.reference)
      var rows: [Row] = []
      rows.reserveCapacity(ids.count)
      for id in ids {
        guard let cluster = try columns.columns(of: id) else { throw StoreError.missing(id) }
        var decoder = RowDecoder(cluster, id)
        rows.append(try make(repeat try (each Value).decode(from: &decoder)))
      }
      return rows
    }
    return found
  }

  private func checkPath<Value>(_ keyPath: KeyPath<Object, Value>) throws {
    guard Object.modelDefinition.path(of: keyPath) != nil else { throw Object.noPath(keyPath) }
  }

  private func place<Value: PropertyValue>(
    of keyPath: KeyPath<Object, Value>, in layout: ModelLayout
  ) throws -> ModelLayout.Place {
    guard let place = layout.place(of: keyPath, columnCount: Value.columnCount) else { throw Object.noPath(keyPath) }
    return place
  }
}
