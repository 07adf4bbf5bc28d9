import Synchronization

/// Rows that are in memory: those of a query in an open transaction, which only its thread may read.
final class KeptCursor: RowCursor {
  private struct State {
    var rows: ArraySlice<(row: String, section: String?)>
    var ending: CursorEnding?
  }

  private let state: Mutex<State>

  init(_ rows: [(row: String, section: String?)]) { state = Mutex(State(rows: rows[...])) }

  func next(_ size: Int, _ request: RequestCancellation, until deadline: ContinuousClock.Instant?) throws -> RowPage {
    try state.withLock { state in
      if let ending = state.ending { throw ResponseError.closed(ending) }
      var page = RowPage()
      while !page.isFull(size), let (row, section) = state.rows.popFirst() { page.add(row, section: section) }
      page.isLast = state.rows.isEmpty
      if page.isLast { state.ending = .finished }
      return page
    }
  }

  func close(_ reason: CursorEnding) {
    state.withLock { state in
      if state.ending == nil { state.ending = reason }
      state.rows = []
    }
  }
}
