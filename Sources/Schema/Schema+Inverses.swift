/// A `LinkingObjects` property: the named inverse of a link. It does not store the links.
public struct InverseProperty: Hashable, Sendable {
  /// The name of the property.
  public var name: String
  /// The entity whose objects link here.
  public var source: String
  /// The dotted path of the link in that entity.
  public var path: String
  /// The delete rule for the objects that link here when their target is deleted.
  public var deleteRule: DeleteRule
}

extension Schema {
  /// The inverses that an entity names, in declaration order.
  public func inverses(of entity: Entity) -> [InverseProperty] {
    entity.properties.compactMap { property in
      guard case .linkingObjects(let source, let path) = property.type else { return nil }
      return InverseProperty(name: property.name, source: source, path: path, deleteRule: property.deleteRule)
    }
  }
}
