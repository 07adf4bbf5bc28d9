import Dispatch
import ObjectStoreCore
import Synchronization

/// The queries that a client follows. Each is answered with its first rows, and then tells of each commit that changes
/// them.
final class Watches: Sendable {
  /// A message that the server sends without a request.
  enum Notification: String, CaseIterable {
    /// A commit has changed rows of a watch.
    case changed = "watch/changed"
    /// All rows of a watch are new, since the schema has changed.
    case reset = "watch/reset"
    /// A watch has ended by itself.
    case ended = "watch/ended"
  }

  /// The most at a time.
  static let most = 64

  private struct Entry {
    var task: Task<Void, Never>?
    /// Signalled when the task has told the last of it.
    let isOver: DispatchSemaphore
  }

  private struct State {
    var open: [Int: Entry] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  private let writer: MessageWriter
  private let requests: OutstandingRequests

  init(_ writer: MessageWriter, _ requests: OutstandingRequests) {
    self.writer = writer
    self.requests = requests
  }

  /// Begins to follow a query.
  ///
  /// - Parameter milliseconds: The limit of time for the first rows.
  func begin(_ watch: QueryWatch, _ id: RequestID?, _ request: RequestCancellation, milliseconds: Int?) {
    let isOver = DispatchSemaphore(value: 0)
    let number: Int? = state.withLock { state in
      guard state.open.count < Self.most else { return nil }
      state.count += 1
      state.open[state.count] = Entry(isOver: isOver)
      return state.count
    }
    guard let number else {
      requests.end(id, request)
      return writer.refuse(id, ResponseError(.busy, "\(Self.most) queries are watched already: unwatch one"))
    }
    let task = Task {
      await self.follow(watch, number, id, request, milliseconds: milliseconds)
      isOver.signal()
    }
    state.withLock { $0.open[number]?.task = task }
    request.onCancel { task.cancel() }
  }

  /// Ends a watch, which sends nothing after this. Returns false when there is none.
  func end(_ number: Int) -> Bool {
    guard let entry = state.withLock({ $0.open.removeValue(forKey: number) }) else { return false }
    entry.task?.cancel()
    entry.isOver.wait()
    return true
  }

  /// Ends all.
  ///
  /// - Parameter telling: Whether the client hears of it.
  func endAll(telling: Bool) {
    for number in state.withLock({ $0.open.keys.sorted() }) where end(number) && telling {
      send(.ended, JSONMembers(watch: number))
    }
  }

  private func send(_ notification: Notification, _ members: JSONMembers) {
    writer.notify(notification.rawValue, members.object)
  }

  private func follow(
    _ watch: QueryWatch, _ number: Int, _ id: RequestID?, _ request: RequestCancellation, milliseconds: Int?
  ) async {
    var isAnswered = false
    var failure: any Error = Interrupted()
    do {
      try await watch.follow { step in
        if Task.isCancelled { return false }
        var members = JSONMembers(watch: number)
        let encoder = JSONObjectEncoder(step.shape)
        if step.isFresh {
          let columns = watch.entity.map { JSONRows.columns(of: $0, step.shape) } ?? JSONRows.columns(watch.columns)
          members.add("columns", raw: columns)
          members.add("rows", raw: "[\(step.rows.rows.map { encoder.text($0.values) }.joined(separator: ","))]")
        } else {
          let changes = step.rows.changed.compactMap { row in
            row.event.map { "{\"op\":\"\($0.rawValue)\",\"row\":\(encoder.text(row.values))}" }
          }
          members.add("changes", raw: "[\(changes.joined(separator: ","))]")
        }
        members.add("commit", .int(Int64(step.commit)))
        if !isAnswered {
          isAnswered = true
          let warnings = watch.warnings.map { ResponseError.renderer.json($0, source: watch.text) }
          if !warnings.isEmpty { members.add("warnings", raw: "[\(warnings.joined(separator: ","))]") }
          requests.end(id, request)
          writer.answer(id, result: members.object)
        } else {
          send(step.isFresh ? .reset : .changed, members)
        }
        return true
      }
    } catch {
      failure = error
    }
    // Whoever ends it waits for this, and has forgotten it before.
    let entry = state.withLock { $0.open.removeValue(forKey: number) }
    if !isAnswered {
      requests.end(id, request)
      if id != nil {
        // A watch that was ended before its first rows counts as cancelled.
        let stop = Task.isCancelled ? .cancelled : request.reason(limit: milliseconds) ?? .cancelled
        writer.refuse(id, ResponseError(failure is CancellationError ? Interrupted() : failure, stop: stop))
      }
    } else if entry != nil, !(failure is Interrupted) {
      var members = JSONMembers(watch: number)
      members.add("error", raw: ResponseError(failure, stop: nil).json)
      send(.ended, members)
    }
  }
}

extension JSONMembers {
  fileprivate init(watch: Int) {
    self.init()
    add("watch", .int(Int64(watch)))
  }
}
