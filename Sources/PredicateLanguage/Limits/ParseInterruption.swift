/// Ends the parsing of a text for which nobody waits any more. The lexer asks it after every `interval` bytes it reads,
/// ahead of the parser too; once it says so, the text ends there for the lexer and for its copies.
///
/// What the parser makes of the part it has read means nothing: whoever passes an interruption checks `isInterrupted`.
package final class ParseInterruption {
  /// The number of bytes read between two questions: about a millisecond's work.
  package static let interval = 16 << 10

  private let isOver: () throws -> Bool
  /// Whether parsing has ended early.
  package private(set) var isInterrupted = false
  /// The error that `isOver` threw, if it ended parsing by one.
  package private(set) var reason: (any Error)?

  /// - Parameter isOver: Returns true, or throws, when parsing should end.
  package init(_ isOver: @escaping () throws -> Bool) { self.isOver = isOver }

  /// Whether parsing should end now.
  func ask() -> Bool {
    if isInterrupted { return true }
    do { isInterrupted = try isOver() } catch {
      reason = error
      isInterrupted = true
    }
    return isInterrupted
  }
}
