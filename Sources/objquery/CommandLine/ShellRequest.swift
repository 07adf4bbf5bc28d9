import ObjectStoreCore

/// The request of a command without a subcommand, independent of which parser read the arguments.
struct ShellRequest: Equatable {
  /// The store's folder; nil is a store in memory.
  var store: String?
  /// The statements to run, in order; when empty, they are read from the terminal or standard input.
  var pieces: [ScriptOptions.Piece] = []
  var parameters = Parameters()
  /// How results are shown; nil chooses by the destination.
  var mode: OutputMode?
  var explaining = Session.Explaining.off
  var showsTime = false
  var echoes = false
  /// The most objects a statement shows.
  var limit: Int?
  /// The most rows of a result that a terminal shows; 0 for all.
  var maxRows = OutputStyle.maxRows
  var console = Console()
  var creates = false
  var isReadOnly = false
  var isSafe = false
  var answersYes = false
  /// Whether rows of a file of data that are left out are no failure.
  var allowsBadRows = false
  /// Whether to stop at the first error; nil is to stop unless statements are typed.
  var bails: Bool?
  /// Whether the user's start file runs first; nil is where statements are typed.
  var readsStartFile: Bool?
  /// Whether typed statements of SQL are refused, as in scripts.
  var isStrict = false
  /// The time limit of a statement in milliseconds.
  var timeout: Int?
  /// The limits that the store is opened with.
  var limits = Store.Limits()
}
