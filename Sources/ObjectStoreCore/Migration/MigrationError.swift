public import FoundationEssentials

/// The error of a failed migration step. The store is unchanged.
public struct MigrationError: Error, CustomStringConvertible, LocalizedError {
  /// The step's name.
  public let step: String
  /// The object that the step was processing, as it was before; nil if there was none.
  public let object: ObjectReference?
  /// The error of the step.
  public let reason: any Error

  /// The step and the object, and why.
  public var description: String {
    let place = object.map { ", at \($0.entity) number \($0.number.rawValue)" } ?? ""
    return "the migration step '\(step)' failed\(place): \(reason); nothing was changed"
  }

  /// Equals `description`.
  public var errorDescription: String? { description }
}
