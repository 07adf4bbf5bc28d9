/// The names in the examples of messages: those of the store at hand, so that an example can be tried as it is.
///
/// The texts are inserted as they are, so they must be valid in the language.
public struct StatementExample: Hashable, Sendable {
  /// An entity.
  public var entity: String
  /// A condition that its objects may satisfy.
  public var condition: String
  /// A property that may be a key of a sort.
  public var key: String
  /// Properties for SELECT, separated by commas.
  public var columns: String

  /// Creates an example of the given parts.
  public init(entity: String, condition: String, key: String, columns: String) {
    self.entity = entity
    self.condition = condition
    self.key = key
    self.columns = columns
  }

  /// The names of the documentation, where no store is known.
  public static let documented = StatementExample(
    entity: "Quake", condition: "magnitude > 5", key: "magnitude", columns: "place, magnitude")
}
