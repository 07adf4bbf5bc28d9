/// The target of a path of names, regardless of how the path was written.
package enum PathTarget: Hashable, Sendable {
  /// A single value, by the position of its column.
  case column(Int)
  /// A collection of single values, by the position of its column.
  case collection(Int)
  /// A list of embedded structs, by the position of the column with their number.
  case structs(Int)
  /// An embedded struct: its columns, and its presence column if it is optional.
  case structure(columns: [Int], presence: Int?)
  /// The object itself.
  case object
  /// `@type`: the name of the entity.
  case entityName
  /// The target of a to-one link, by the position of its column and the target's entity.
  case link(Int, entity: String)
  /// The targets of a to-many link.
  case links(Int, entity: String)
  /// The objects of an entity that link to this object through the property at a dotted path.
  case sources(entity: String, path: String)
  /// `@links`: the objects of any entity that link to this object.
  case allSources
}
