import ObjectStoreCore

/// Answers the requests that depend on the store and its transaction, one after the other, on the thread that made it.
final class StatementServer {
  let session: Session
  let options: ServeOptions
  private let writer: MessageWriter
  private let requests: OutstandingRequests
  private let editor: EditorServer
  let watches: Watches
  var cursors = OpenCursors()

  init(
    _ session: Session, _ options: ServeOptions, _ writer: MessageWriter, _ requests: OutstandingRequests,
    _ editor: EditorServer
  ) {
    self.session = session
    self.options = options
    self.writer = writer
    self.requests = requests
    self.editor = editor
    watches = Watches(writer, requests)
    session.console.isQuiet = true
    session.client = .program
    session.limit = options.limit
  }

  /// Answers a request. A watch is answered by its own task.
  func answer(_ request: ServedRequest, _ cancellation: RequestCancellation) {
    let timeout = (try? request.parameters.timeout()) ?? nil
    let milliseconds = [timeout, options.timeout].compactMap(\.self).min()
    let start = ContinuousClock.now
    session.shownChange = nil
    do {
      if cancellation.isCancelled { throw Interrupted() }
      _ = try request.parameters.timeout()
      let limit = Limit(request: cancellation, start: start, milliseconds: milliseconds)
      let result = try session.stopping(by: cancellation.cancellation(after: milliseconds)) {
        try self.result(of: request, limit)
      }
      editor.context = EditorServer.Context(session)
      guard let result else { return }
      requests.end(request.id, cancellation)
      writer.answer(request.id, result: result)
    } catch {
      editor.context = EditorServer.Context(session)
      let stop = cancellation.reason(limit: milliseconds)
      let changes = session.shownChange?.changes.map(\.line) ?? []
      requests.end(request.id, cancellation)
      if request.id != nil { writer.refuse(request.id, ResponseError(error, stop: stop, changes: changes)) }
    }
  }

  /// Ends what is open: a transaction is undone.
  func end() {
    watches.endAll(telling: false)
    cursors.closeAll(.closed)
    session.end()
  }

  /// What stops a request.
  struct Limit {
    var request: RequestCancellation
    var start: ContinuousClock.Instant
    var milliseconds: Int?

    var deadline: ContinuousClock.Instant? { milliseconds.map { start + .milliseconds($0) } }

    /// The milliseconds since the request was begun.
    var elapsed: Value {
      let duration = start.duration(to: .now).components
      let milliseconds = Double(duration.seconds) * 1e3 + Double(duration.attoseconds) / 1e15
      return .double((milliseconds * 1_000).rounded() / 1_000)
    }
  }

  /// The result as JSON; nil for what another task answers.
  private func result(of request: ServedRequest, _ limit: Limit) throws -> String? {
    let parameters = request.parameters
    switch request.method {
    case .info: return try info()
    case .open: return try open(parameters)
    case .run: return try run(parameters, limit)
    case .next: return try next(parameters, limit)
    case .close: return try close(parameters)
    case .explain: return try explain(parameters)
    case .schema: return try schema(of: parameters.text("entity"))
    case .describe: return try describe(parameters.text("entity"))
    case .watch:
      try settle(parameters, confirmed: false)
      let watch = try QueryWatch(parameters.requiredText("statement"), in: session)
      watches.begin(watch, request.id, limit.request, milliseconds: limit.milliseconds)
      return nil
    case .unwatch:
      let number = try parameters.requiredNumber("watch", in: 1...Int.max)
      guard watches.end(number) else {
        throw ResponseError(.invalidParameters, "there is no watch \(number)")
      }
      return "null"
    case .shutdown: return "null"
    case .cancel, .complete, .parse, .format:
      throw ResponseError(.internal, "\(request.method.rawValue) is not done in order")
    }
  }

  /// Gives the session what a request says about its statement.
  func settle(_ parameters: RequestParameters, confirmed: Bool) throws {
    session.parameters = try parameters.values()
    session.defaultEntity = try parameters.text("entity").map { try session.entity(named: $0).name }
    session.answersYes = options.answersYes || confirmed
  }
}

extension RequestParameters {
  /// The time limit in milliseconds.
  func timeout() throws(ResponseError) -> Int? { try number("timeout", in: 1...Int.max) }

  func pageSize() throws(ResponseError) -> Int {
    try number("pageSize", in: 1...ServeOptions.mostRows) ?? ServeOptions.pageSize
  }
}
