extension Query {
  /// Creates the query for an expression over the properties of the model.
  ///
  /// ```swift
  /// let strong = Query<Quake> { $0.magnitude > 5 && $0.location.name.contains("alaska", options: .caseInsensitive) }
  /// ```
  ///
  /// An expression that is not supported, such as a count over two collections, throws where the query is used.
  ///
  /// - Parameter build: Makes a condition on the properties of an object.
  public init(_ build: (QueryExpression<Object>) -> QueryExpression<Bool>) {
    let term = build(.object).term
    if let failure = term.failure {
      self.init(failing: failure)
    } else {
      self.init(term.predicate)
    }
  }
}

extension Results {
  /// Keeps the objects that satisfy an expression over the properties of the model.
  ///
  /// ```swift
  /// let urgent = store.objects(Project.self).where { $0.tasks.priority > 5 && $0.name != "Old" }
  /// ```
  ///
  /// An expression that is not supported, or that the schema of the store refuses, throws when the results are
  /// evaluated.
  ///
  /// - Parameter build: Makes a condition on the properties of an object.
  public func `where`(_ build: (QueryExpression<Object>) -> QueryExpression<Bool>) -> Results {
    do {
      return try filter(Query(build))
    } catch {
      return Results(selection.failing(error))
    }
  }

  /// The first object that satisfies an expression over the properties of the model; nil if there is none.
  ///
  /// ```swift
  /// let quake = try quakes.first(where: { $0.magnitude > 8 })
  /// ```
  ///
  /// - Throws: `QueryError` for an expression that is not supported or that the schema refuses; otherwise as
  ///   `Results.first`.
  public func first(where build: (QueryExpression<Object>) -> QueryExpression<Bool>) throws -> Object? {
    try `where`(build).first
  }
}
