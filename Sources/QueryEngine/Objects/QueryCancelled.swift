/// Thrown by a query that was cancelled.
public struct QueryCancelled: Error, Hashable, Sendable {
  /// The error.
  public init() {}
}
