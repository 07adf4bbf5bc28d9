import Dispatch
import ObjectStoreCore
import Synchronization

/// Rows that are read on a thread of their own, which waits between pages. So a page costs only its rows, and all pages
/// show one version of the store.
///
/// As long as it waits, the space that writers free is not used again; so it does not wait long, and ends by itself.
final class StreamedCursor: RowCursor {
  private struct State {
    /// The size of the page that is asked for.
    var wanted: Int?
    var page: Result<RowPage, any Error>?
    var ending: CursorEnding?
  }

  private struct Ended: Error {}

  private let state = Mutex(State())
  private let asked = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)
  private let cancellation = Cancellation()
  private let lease: CursorLease
  private let start = ContinuousClock.now

  init(_ rows: JSONRows, _ lease: CursorLease) throws {
    self.lease = lease
    try OwnThread { [self] in read(rows) }.detach()
  }

  func next(_ size: Int, _ request: RequestCancellation, until deadline: ContinuousClock.Instant?) throws -> RowPage {
    request.onCancel { [cancellation] in cancellation.cancel() }
    try state.withLock { state in
      if let ending = state.ending { throw ResponseError.closed(ending) }
      state.wanted = size
    }
    asked.signal()
    if let deadline {
      let left = max(ContinuousClock.now.duration(to: deadline), .zero)
      if answered.wait(timeout: .now() + left.dispatchInterval) == .timedOut {
        cancellation.cancel()
        answered.wait()
      }
    } else {
      answered.wait()
    }
    let page = state.withLock { state in
      defer { state.page = nil }
      return state.page
    }
    guard let page else { throw ResponseError.closed(.finished) }
    return try page.get()
  }

  func close(_ reason: CursorEnding) {
    state.withLock { if $0.ending == nil { $0.ending = reason } }
    cancellation.cancel()
    asked.signal()
  }

  // MARK: The reading thread

  private func read(_ rows: JSONRows) {
    do {
      var size = try awaitRequest()
      var page = RowPage()
      try rows.forEach(cancellation) { row, section in
        if page.isFull(size) {
          answer(.success(page))
          page = RowPage()
          size = try awaitRequest()
        }
        page.add(row, section: section)
      }
      page.isLast = true
      end(.success(page))
    } catch is Ended {
      return
    } catch {
      end(.failure(error))
    }
  }

  private func answer(_ page: Result<RowPage, any Error>) {
    state.withLock { $0.page = page }
    answered.signal()
  }

  private func end(_ page: Result<RowPage, any Error>) {
    state.withLock { state in
      if state.ending == nil { state.ending = .finished }
    }
    answer(page)
  }

  /// Waits until a page is asked for, as long as the lease allows, and returns its size.
  private func awaitRequest() throws -> Int {
    while true {
      let (patience, reason) = lease.patience(of: start.duration(to: .now))
      let isOver = asked.wait(timeout: .now() + patience.dispatchInterval) == .timedOut
      let size: Int? = try state.withLock { state in
        if state.ending != nil { throw Ended() }
        defer { state.wanted = nil }
        if state.wanted == nil, isOver {
          state.ending = reason
          throw Ended()
        }
        return state.wanted
      }
      if let size { return size }
    }
  }
}

extension Duration {
  /// For waiting; at least a day is long enough.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let nanoseconds = Int(clamping: min(max(seconds, 0), 86_400)) * 1_000_000_000
    return .nanoseconds(nanoseconds + Int(attoseconds / 1_000_000_000))
  }
}
