internal import Storage

extension Results {
  /// The values of several properties of each object, in order: of one version of the store, and without the rest of the
  /// objects.
  ///
  /// ```swift
  /// for (code, magnitude) in try strong.values(of: \.code, \.magnitude) { print(code, magnitude) }
  /// ```
  ///
  /// - Throws: `QueryError` for a key path that leads to no stored property; otherwise as `objects()`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  @inlinable public func values<First: PropertyValue, Second: PropertyValue, each Other: PropertyValue>(
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
  /// - Parameters:
  ///   - keyPaths: The properties.
  ///   - make: Makes an element of the values, in the order of the key paths.
  /// - Throws: `QueryError` for a key path that leads to no stored property; what `make` throws, which ends it;
  ///   otherwise as `objects()`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  @inlinable public func select<each Value: PropertyValue, Row>(
    _ keyPaths: repeat KeyPath<Object, each Value>, as make: (repeat each Value) throws -> Row
  ) throws -> [Row] {
    let columns = (repeat try column(each keyPaths))
    var all: [ProjectedProperty] = []
    repeat all.append(each columns)
    var rows: [Row] = []
    try readProperties(all, begin: { rows.reserveCapacity($0) }) { count in
      for row in 0..<count { rows.append(try make(repeat (each columns).values[row])) }
    }
    return rows
  }

  /// A property to be read of each object. Throws for a key path that leads to no stored property.
  @usableFromInline func column<Value>(_ keyPath: KeyPath<Object, Value>) throws -> ProjectedColumn<Value> {
    guard Object.modelDefinition.path(of: keyPath) != nil else { throw Object.noPath(keyPath) }
    return ProjectedColumn(keyPath) { Object.noPath(keyPath) }
  }

  /// Reads properties of all objects in order, some objects at a time.
  ///
  /// - Parameters:
  ///   - begin: Receives the number of objects.
  ///   - body: Receives the number of objects whose values are in the columns.
  @usableFromInline func readProperties(
    _ columns: [ProjectedProperty], begin: (Int) -> Void, _ body: (Int) throws -> Void
  ) throws {
    try selection.evaluate { snapshot, entity, ids in
      begin(ids.count)
      let store = selection.source.store
      let layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
      for column in columns { try column.open(layout, snapshot, store) }
      for start in stride(from: 0, to: ids.count, by: ProjectedProperty.objectsAtOnce) {
        let some = ids[start..<Swift.min(start + ProjectedProperty.objectsAtOnce, ids.count)]
        for column in columns { try column.read(some, keepingEarlier: false) }
        try body(some.count)
      }
    }
  }

  /// The values of a property of each object, in order, without the rest of the objects.
  ///
  /// ```swift
  /// let magnitudes = try strong.values(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for a key path that leads to no stored property; otherwise as `objects()`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func values<Value: PropertyValue>(of keyPath: KeyPath<Object, Value>) throws -> [Value] {
    let column = try column(keyPath)
    try selection.evaluate { snapshot, entity, ids in
      let store = selection.source.store
      try column.open(try store.layout(Object.modelDefinition, in: snapshot.schema), snapshot, store)
      try column.read(ids[...], keepingEarlier: true)
    }
    return column.values
  }
}
