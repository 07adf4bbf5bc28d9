/// The role of a model's values.
public enum ModelRole: Hashable, Sendable {
  /// Objects, with an identity of their own. They may be embedded too.
  case entity
  /// Only parts of objects: a store can't be opened for the model itself.
  case embedded
}
