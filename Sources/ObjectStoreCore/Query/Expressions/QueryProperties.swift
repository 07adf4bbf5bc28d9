internal import PredicateLanguage

// One subscript for all members of a placeholder. With one for a single object and one for several, the compiler would
// have to choose for each member of an expression, and before each choice it weighs all operators of the expression
// again, each with a hundred overloads. The type of the properties decides instead, and it follows from the path.

/// The properties that may follow a path in a query, of one object or of several.
public protocol QueryProperties {
  /// The properties of the objects at a place.
  init<Value>(of place: QueryExpression<Value>)
}

/// The properties of one struct or object.
@dynamicMemberLookup
public struct SingleProperties<Target: Model>: QueryProperties, Sendable {
  private let term: QueryTerm

  /// The properties of the object at a place.
  public init<Value>(of place: QueryExpression<Value>) { term = place.term }

  /// A property.
  public subscript<Property>(dynamicMember keyPath: KeyPath<Target, Property>) -> QueryExpression<Property> {
    QueryExpression<Property>(term.property(keyPath, Property.self))
  }
}

/// The properties of several structs or objects: each has a value of each.
@dynamicMemberLookup
public struct ElementProperties<Target: Model>: QueryProperties, Sendable {
  private let term: QueryTerm

  /// The properties of the objects at a place.
  public init<Value>(of place: QueryExpression<Value>) { term = place.term }

  /// A property of each of the objects.
  public subscript<Property>(
    dynamicMember keyPath: KeyPath<Target, Property>
  ) -> QueryExpression<QueryElements<Property>> {
    QueryExpression<QueryElements<Property>>(term.property(keyPath, Property.self))
  }
}

extension QueryExpression where Value: QueryPath {
  /// A property of the struct or object, or of each of them.
  public subscript<Reached>(dynamicMember keyPath: KeyPath<Value.QueryTargetProperties, Reached>) -> Reached {
    Value.QueryTargetProperties(of: self)[keyPath: keyPath]
  }
}

// Key paths that a program holds. For these a choice costs nothing, and since they are of a generic type, the compiler
// does not consider them for a member that is written with a dot.

extension QueryExpression where Value: QueryReference {
  /// The property at a key path of the struct or of the linked object.
  ///
  /// ```swift
  /// func above(_ limit: Double, _ property: KeyPath<Quake, Double>) -> Query<Quake> {
  ///   Query { $0[dynamicMember: property] > limit }
  /// }
  /// ```
  @_disfavoredOverload
  public subscript<Property, Path: KeyPath<Value.QueryTarget, Property>>(
    dynamicMember keyPath: Path
  ) -> QueryExpression<Property> {
    QueryExpression<Property>(term.property(keyPath, Property.self))
  }
}

extension QueryExpression where Value: QueryObjects {
  /// The property at a key path of each of the structs or linked objects.
  @_disfavoredOverload
  public subscript<Property, Path: KeyPath<Value.QueryTarget, Property>>(
    dynamicMember keyPath: Path
  ) -> QueryExpression<QueryElements<Property>> {
    QueryExpression<QueryElements<Property>>(term.property(keyPath, Property.self))
  }
}

extension QueryTerm {
  /// The property at a key path of the model that a path leads to.
  fileprivate func property<Target: Model, Property>(
    _ keyPath: KeyPath<Target, Property>, _ type: Property.Type
  ) -> QueryTerm {
    guard let path = Target.modelDefinition.path(of: keyPath) else {
      var failing = self
      failing.failure = failure ?? Target.noPath(keyPath)
      return failing
    }
    let steps = path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) }
    return adding(
      steps, throughCollection: type is any QueryObjects.Type, endsAtMany: type is any QueryCollection.Type)
  }
}
