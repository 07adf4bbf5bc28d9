import ObjectStoreCore

/// Thrown by the command's own loops when a statement is to stop: Ctrl-C, or its time is over.
struct Interrupted: Error {
  /// The work completed before the interruption that stays.
  var soFar: String?

  /// Reports the interruption and the progress before it.
  func told(as event: String) -> String { soFar.map { "\(event): \($0)" } ?? event }

  /// Whether an error means that the work was stopped by a cancellation.
  static func isMeant(by error: any Error) -> Bool {
    error is Interrupted || error is QueryCancelled || error as? StoreError == .cancelled
  }

  /// Runs `body`; when it is interrupted, adds its progress to the error.
  static func telling<R>(_ soFar: @autoclosure () -> String?, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error where isMeant(by: error) {
      throw Interrupted(soFar: soFar())
    }
  }
}

extension Interrupted: CustomStringConvertible {
  var description: String { told(as: "stopped") }
}

/// Thrown when the reader of the results has gone, as with `| head`.
struct OutputClosed: Error, CustomStringConvertible {
  var description: String { "nobody reads the output any more" }
}
