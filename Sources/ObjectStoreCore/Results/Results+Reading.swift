internal import PredicateLanguage
internal import Storage

extension Results {
  /// The number of objects, often determined without finding each of them.
  ///
  /// ```swift
  /// let count = try store.objects(Quake.self).filter("magnitude > 5").count
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory) or an
  ///   error of reading.
  /// - Complexity: Constant for all objects of a model; otherwise that of the query, whose count is kept for the
  ///   version, except in a write.
  public var count: Int { get throws { try selection.count } }

  /// Whether there are no objects.
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory) or an
  ///   error of reading.
  public var isEmpty: Bool { get throws { try selection.isEmpty } }

  /// The identities of the objects, in order.
  ///
  /// ```swift
  /// let ids: [ObjectID<Quake>] = try strong.ids
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory, rows)
  ///   or an error of reading.
  /// - Complexity: That of the query, whose result is kept for the version, except in a write; and linear in the number
  ///   of objects.
  public var ids: [ObjectID<Object>] { get throws { ObjectID.all(try selection.ids) } }

  /// The first object; nil if there is none.
  ///
  /// ```swift
  /// let latest = try quakes.sorted(by: \.time, order: .reverse).first
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory),
  ///   `unreadableValue`, or an error of reading.
  public var first: Object? {
    get throws {
      try selection.source.read { snapshot in
        guard let (_, number) = try selection.first(in: snapshot) else { return nil }
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The last object; nil if there is none.
  ///
  /// ```swift
  /// let latest = try quakes.sorted(by: \.time, order: .forward).last
  /// ```
  ///
  /// Finds all objects, unless the query is for all objects of a model.
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory, rows),
  ///   `unreadableValue`, or an error of reading.
  public var last: Object? {
    get throws {
      try selection.source.read { snapshot in
        guard let (_, number) = try selection.last(in: snapshot) else { return nil }
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The object at a position from 0.
  ///
  /// ```swift
  /// let third = try quakes.sorted(by: \.time, order: .reverse)[2]
  /// ```
  ///
  /// The first access in a version of the store finds the objects, later ones read one object each. Results with all
  /// objects of a model need not find them.
  ///
  /// - Parameter index: The position, from 0 to `count` - 1.
  /// - Throws: `IndexOutOfRange` if there is none at that position; otherwise as `objects()`.
  /// - Complexity: That of the query at the first access in a version, then constant. In a write that of the query each
  ///   time.
  public subscript(index: Int) -> Object {
    get throws {
      try selection.source.read { snapshot in
        let (_, number) = try selection.object(at: index, in: snapshot)
        return try selection.source.objects(of: Object.self, in: snapshot).object(number)
      }
    }
  }

  /// The first object that satisfies the predicate; nil if there is none.
  ///
  /// ```swift
  /// let quake = try store.objects(Quake.self).first(where: "code == %@", "us1000chhc")
  /// ```
  ///
  /// For a unique or indexed property it takes a lookup in the index and reading the object; otherwise it stops at the
  /// first match.
  ///
  /// - Parameters:
  ///   - text: The predicate, as `filter` takes it.
  ///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
  /// - Throws: `QueryError` with all errors in the text, `StoreError.limitExceeded` for an argument beyond a limit of
  ///   the store; otherwise as `first`.
  public func first(where text: String, _ arguments: (any QueryArgument)?...) throws -> Object? {
    try filter(text, arguments: Arguments(arguments)).first
  }

  /// All objects, in order. For many objects, `forEach` takes less memory.
  ///
  /// ```swift
  /// for quake in try strong.objects() { print(quake.code, quake.magnitude) }
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory, rows),
  ///   `unreadableValue`, or an error of reading.
  /// - Complexity: Linear in the number of objects, in time and memory, beside finding them.
  public func objects() throws -> [Object] { try selection.items(reader) }

  /// All objects, in order, like `objects()`.
  ///
  /// ```swift
  /// let list: [Quake] = try store.objects(Quake.self).filter("magnitude > 5").array
  /// ```
  ///
  /// - Throws: As `objects()`.
  public var array: [Object] { get throws { try objects() } }

  /// Transforms each object, in order, in one version of the store and without holding all objects in memory.
  ///
  /// ```swift
  /// let labels = try strong.map { "\($0.code): \($0.magnitude)" }
  /// ```
  ///
  /// For a single property, `values(of:)` reads less.
  ///
  /// - Parameter transform: Makes a value of an object.
  /// - Throws: The error of `transform`, which ends the loop; otherwise as `objects()`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func map<Value>(_ transform: (Object) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try forEach { values.append(try transform($0)) }
    return values
  }

  /// The first `count` objects, in order; fewer if there are fewer, none for a negative number.
  ///
  /// ```swift
  /// let strongest = try store.objects(Quake.self).sorted(by: \.magnitude, .reverse).prefix(10)
  /// ```
  ///
  /// - Throws: As `objects()`.
  public func prefix(_ count: Int) throws -> [Object] { try limit(count).objects() }

  /// Calls `body` with each object in order, in one version of the store and without holding all of them in memory.
  ///
  /// ```swift
  /// try strong.forEach { quake in print(quake.code) }
  /// ```
  ///
  /// In a write transaction `body` may change the store: the objects are those found before, with their values at the
  /// time they are passed on or shortly before.
  ///
  /// - Parameter body: Called with each object.
  /// - Throws: The error of `body`, which ends the loop; otherwise as `objects()`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func forEach(_ body: (Object) throws -> Void) throws { try selection.forEach(reader, body) }

  /// How the query would be answered: the plan as a tree, a line a node.
  ///
  /// ```swift
  /// print(try strong.explain())
  /// ```
  ///
  /// The query is planned, but not run.
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` or an error of
  ///   reading.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Runs the query and returns its plan with actual figures.
  ///
  /// ```swift
  /// print(try strong.analyze().text)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query, `QueryCancelled`, `StoreError`: `limitExceeded` (time, memory) or an
  ///   error of reading.
  /// - Complexity: That of the query.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
