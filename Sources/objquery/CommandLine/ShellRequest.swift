import ObjectStoreCore

/// What the command without a subcommand was asked to do: what its words say, whoever read them.
struct ShellRequest: Equatable {
  /// The store's folder; nil is a store in memory.
  var store: String?
  /// What to run, in this order; nothing is what is typed, or standard input.
  var pieces: [ScriptOptions.Piece] = []
  var parameters = Parameters()
  /// How results are shown; nil goes by where they are shown.
  var mode: OutputMode?
  var explaining = Session.Explaining.off
  var showsTime = false
  var echoes = false
  /// The most objects a statement shows.
  var limit: Int?
  var console = Console()
  var creates = false
  var isReadOnly = false
  var isSafe = false
  var answersYes = false
  /// Whether to stop at the first error; nil is to stop unless statements are typed.
  var bails: Bool?
  /// Milliseconds a statement may take.
  var timeout: Int?
}
