import ObjectStoreCore

/// What a server's user allows its clients.
struct ServeOptions: Sendable {
  var isReadOnly = false
  var isSafe = false
  /// Whether changes of everything need no confirmation.
  var answersYes = false
  /// The most milliseconds of a request; nil for no limit.
  var timeout: Int?
  /// The most rows of a statement.
  var limit: Int?
  var lease = CursorLease(unused: .seconds(60))

  /// The rows of a page if the client does not say.
  static let pageSize = 1_000
  /// The most rows of a page.
  static let mostRows = 100_000
}
