import Synchronization

/// The requests that are not answered yet, by id.
final class OutstandingRequests: Sendable {
  /// The most at a time.
  static let most = 256

  private struct State {
    var requests: [RequestID: RequestCancellation] = [:]
    /// Those without an id.
    var notifications: [ObjectIdentifier: RequestCancellation] = [:]
    var isStopped = false
  }

  private let state = Mutex(State())

  /// Takes note of a request.
  func begin(_ id: RequestID?) throws(ResponseError) -> RequestCancellation {
    let request = RequestCancellation()
    let (refusal, isStopped): (ResponseError?, Bool) = state.withLock { state in
      if let id, state.requests[id] != nil {
        return (ResponseError(.invalidRequest, "the request \(id.json) is not answered yet: take another id"), false)
      }
      if state.requests.count + state.notifications.count >= Self.most {
        return (ResponseError(.busy, "\(Self.most) requests are not answered yet: wait for answers"), false)
      }
      if let id { state.requests[id] = request } else { state.notifications[ObjectIdentifier(request)] = request }
      return (nil, state.isStopped)
    }
    if let refusal { throw refusal }
    if isStopped { request.cancel() }
    return request
  }

  /// Forgets a request, which is answered.
  func end(_ id: RequestID?, _ request: RequestCancellation) {
    state.withLock { state in
      if let id { state.requests[id] = nil } else { state.notifications[ObjectIdentifier(request)] = nil }
    }
  }

  /// Cancels a request; false when it is answered, or was never asked.
  func cancel(_ id: RequestID) -> Bool {
    guard let request = state.withLock({ $0.requests[id] }) else { return false }
    request.cancel()
    return true
  }

  /// Cancels all, and those to come.
  func cancelAll() {
    let all = state.withLock { state in
      state.isStopped = true
      return Array(state.requests.values) + Array(state.notifications.values)
    }
    for request in all { request.cancel() }
  }
}
