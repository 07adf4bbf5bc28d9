public import Diagnostics

/// A statement or a dot command cut out of a script. It does not know whether its text makes sense.
public struct ScriptPiece: Hashable, Sendable {
  /// What kind of piece it is.
  public enum Kind: Hashable, Sendable {
    /// A statement, without the `;` that ended it.
    case statement
    /// A line that starts with a dot, such as `.schema Quake`.
    case command
  }

  /// What kind of piece it is.
  public var kind: Kind
  /// Its text without surrounding white space, comments before it and the `;` after it.
  public var text: String
  /// Where `text` stands in the script.
  public var range: SourceRange
  /// The line of the script it starts on, from 1.
  public var line: Int
  /// Whether a `;` (or, for a command, the end of its line) ended it.
  public var isTerminated: Bool
  /// Whether it can be run as it stands: no string, comment or bracket is open, and it does not end in an operator.
  public var isComplete: Bool
}
