public import Diagnostics

/// A statement or a dot command of a script, not yet parsed.
public struct ScriptPiece: Hashable, Sendable {
  /// The kind of a piece.
  public enum Kind: Hashable, Sendable {
    /// A statement, without the `;` that ended it.
    case statement
    /// A line that starts with a dot, such as `.schema Quake`.
    case command
  }

  /// The kind of the piece.
  public var kind: Kind
  /// Its text without surrounding white space, comments before it and the `;` after it.
  public var text: String
  /// The range of `text` in the script.
  public var range: SourceRange
  /// The line of the script it starts on, from 1.
  public var line: Int
  /// Whether a `;` (or, for a command, the end of its line) ended it.
  public var isTerminated: Bool
  /// Whether the piece can be run: no string, comment or bracket is open, and it does not end in an operator.
  public var isComplete: Bool
}
