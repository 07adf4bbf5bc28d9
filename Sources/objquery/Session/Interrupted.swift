import ObjectStoreCore

/// Thrown by the command's own loops when a statement is to stop: Ctrl-C, or its time is over.
struct Interrupted: Error {
  /// What was done until then, where it stays.
  var soFar: String?

  /// Says what happened, and how far it came by then.
  func told(as event: String) -> String { soFar.map { "\(event): \($0)" } ?? event }

  /// Whether an error says that the work was stopped by a cancellation.
  static func isMeant(by error: any Error) -> Bool {
    error is Interrupted || error is QueryCancelled || error as? StoreError == .cancelled
  }

  /// Runs `body`; when it is stopped, says what became of it.
  static func telling<R>(_ soFar: @autoclosure () -> String, _ body: () throws -> R) throws -> R {
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

/// Thrown when nobody reads the results any more, as after `| head`.
struct OutputClosed: Error, CustomStringConvertible {
  var description: String { "nobody reads the output any more" }
}
