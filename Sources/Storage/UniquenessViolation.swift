public import Values

/// A value that several objects have in a unique property, or combination of properties.
///
/// ```swift
/// do {
///   try store.add(quake)
/// } catch StoreError.constraintViolated(let violation) {
///   print("another \(violation.entity) has the \(violation.path) \(violation.value)")
/// }
/// ```
public struct UniquenessViolation: Hashable, Sendable {
  /// The entity of the objects.
  public let entity: String
  /// The property, or the properties joined by `+`.
  public let path: String
  /// The value; of several properties a list.
  public let value: Value
  /// The objects that have the value, as far as they are known.
  public let objects: [ObjectNumber]
  /// Whether the models that the store was opened with declare the property unique, or only the file does.
  public let isDeclared: Bool

  /// A value that objects share.
  public init(entity: String, path: String, value: Value, objects: [ObjectNumber], isDeclared: Bool = true) {
    self.entity = entity
    self.path = path
    self.value = value
    self.objects = objects
    self.isDeclared = isDeclared
  }
}
