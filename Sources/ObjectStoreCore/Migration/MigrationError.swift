public import FoundationEssentials

/// A step of a migration plan threw: the store is as it was.
public struct MigrationError: Error, CustomStringConvertible, LocalizedError {
  /// The step's name.
  public let step: String
  /// The object that it was at, as it was before; nil where it was at none.
  public let object: ObjectReference?
  /// What it threw.
  public let reason: any Error

  /// The step and the object, and why.
  public var description: String {
    let place = object.map { ", at \($0.entity) number \($0.number.rawValue)" } ?? ""
    return "the migration step '\(step)' failed\(place): \(reason); nothing was changed"
  }

  /// The same.
  public var errorDescription: String? { description }
}
