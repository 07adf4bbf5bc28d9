/// What the values of a model are.
public enum ModelRole: Hashable, Sendable {
  /// Objects, with an identity of their own. They may be embedded too.
  case entity
  /// Parts of objects, and nothing else: a store can't be opened for the model itself.
  case embedded
}
