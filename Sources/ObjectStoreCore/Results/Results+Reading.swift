internal import PredicateLanguage
internal import Storage

extension Results {
  /// How many objects. Often known without finding each of them.
  public var count: Int { get throws { try selection.count } }

  /// Whether there are none.
  public var isEmpty: Bool { get throws { try selection.isEmpty } }

  /// The identities of the objects, in order.
  public var ids: [ObjectID<Object>] { get throws { ObjectID.all(try selection.ids) } }

  /// The first object; nil when there is none.
  public var first: Object? {
    get throws {
      try selection.source.read { snapshot in
        guard let (_, number) = try selection.first(in: snapshot) else { return nil }
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The last object; nil when there is none.
  public var last: Object? {
    get throws {
      try selection.source.read { snapshot in
        guard let (_, number) = try selection.last(in: snapshot) else { return nil }
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The object at a position from 0. Throws `IndexOutOfRange` when there is none.
  ///
  /// The first access in a version of the store finds the objects, the others read one each. Those of results that have
  /// all objects of their type need not be found.
  public subscript(index: Int) -> Object {
    get throws {
      try selection.source.read { snapshot in
        let (_, number) = try selection.object(at: index, in: snapshot)
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The first object for which the predicate holds; nil when there is none.
  ///
  /// ```swift
  /// let quake = try store.objects(Quake.self).first(where: "code == %@", "us1000chhc")
  /// ```
  ///
  /// By a unique or indexed property it takes a look-up in the index and reading the object; else it stops at the first.
  ///
  /// - Parameters:
  ///   - text: The predicate, as `filter` takes it.
  ///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
  /// - Throws: `QueryError` with everything that is wrong with the text.
  public func first(where text: String, _ arguments: (any QueryArgument)?...) throws -> Object? {
    try filter(text, arguments: Arguments(arguments)).first
  }

  /// All of them, in order. For many, `forEach` takes less memory.
  public func objects() throws -> [Object] { try selection.items(reader) }

  /// All of them, in order, as `objects()` gives them.
  ///
  /// ```swift
  /// let list: [Quake] = try store.objects(Quake.self).filter("magnitude > 5").array
  /// ```
  public var array: [Object] { get throws { try objects() } }

  /// What `transform` makes of each object, in order: of one version of the store, and without all objects in memory.
  ///
  /// ```swift
  /// let labels = try strong.map { "\($0.code): \($0.magnitude)" }
  /// ```
  ///
  /// Of one property alone, `values(of:)` reads less.
  ///
  /// - Throws: what `transform` throws, which ends it.
  public func map<Value>(_ transform: (Object) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try forEach { values.append(try transform($0)) }
    return values
  }

  /// The first `count` objects, in order; fewer where there are fewer, none for a negative number.
  ///
  /// ```swift
  /// let strongest = try store.objects(Quake.self).sorted(by: \.magnitude, .reverse).prefix(10)
  /// ```
  public func prefix(_ count: Int) throws -> [Object] { try limit(count).objects() }

  /// Calls `body` with each object in order: of one version of the store, and without all of them in memory.
  ///
  /// ```swift
  /// try strong.forEach { quake in print(quake.code) }
  /// ```
  ///
  /// In a write transaction `body` may change the store: the objects are those found before, with the values they have
  /// when their turn comes or shortly before.
  ///
  /// - Throws: what `body` throws, which ends it.
  public func forEach(_ body: (Object) throws -> Void) throws { try selection.forEach(reader, body) }

  /// The values of a property of each object, in order, without the rest of the objects.
  public func values<Value: PropertyValue>(of keyPath: KeyPath<Object, Value>) throws -> [Value] {
    guard Object.modelDefinition.path(of: keyPath) != nil else { throw Object.noPath(keyPath) }
    return try selection.evaluate { snapshot, entity, ids in
      let store = selection.source.store
      var reader = try PropertyReader(
        keyPath, try store.layout(Object.modelDefinition, in: snapshot.schema), snapshot, store)
      var values: [Value] = []
      values.reserveCapacity(ids.count)
      for id in ids { values.append(try reader.existing(id)) }
      return values
    }
  }

  /// How the query would be answered: the plan as a tree, a line a node.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Answers the query and says how it was done: the plan with actual figures.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
