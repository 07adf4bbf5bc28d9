/// The rest of a result, of which a page is read at a time.
protocol RowCursor: Sendable {
  /// The next page.
  ///
  /// - Parameter deadline: When the query is given up, which closes the cursor.
  func next(_ size: Int, _ request: RequestCancellation, until deadline: ContinuousClock.Instant?) throws -> RowPage
  /// Gives up the rest.
  func close(_ reason: CursorEnding)
}

/// Why a cursor has no more pages.
enum CursorEnding: Sendable {
  /// Every row was read, or reading them failed.
  case finished
  /// The client, or the end of the store's use, closed it.
  case closed
  /// Nobody asked for a page for so long.
  case unused(Duration)
  /// It was open for so long.
  case old(Duration)
  /// More cursors were opened than there may be.
  case replaced
  /// The transaction that it read is over.
  case transactionOver

  var words: String {
    switch self {
    case .finished: "all its rows were read"
    case .closed: "it was closed"
    case .unused(let lease): "no page was asked for in \(lease.components.seconds) seconds"
    case .old(let age): "it was open for \(age.components.seconds) seconds"
    case .replaced: "\(OpenCursors.most) others were used since"
    case .transactionOver: "the transaction that it read is over"
    }
  }
}

extension ResponseError {
  /// The error of a request for a cursor that is closed.
  static func closed(_ ending: CursorEnding) -> ResponseError {
    ResponseError(.cursorClosed, "the cursor is closed: \(ending.words); run the statement again")
  }
}
