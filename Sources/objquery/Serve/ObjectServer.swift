import Dispatch
import Glibc
import ObjectStoreCore
import Synchronization

/// Serves a store to one client over standard input and output: JSON-RPC 2.0, a message a line.
///
/// One thread reads requests, one answers those that depend on the order, and one those of an editor, so that a running
/// statement can be cancelled and a text completed beside it. It ends with the end of the input, `shutdown`, SIGTERM or
/// Ctrl-C, or when nobody reads its output: then the transaction that is open is undone.
final class ObjectServer: Sendable {
  private typealias Job = (request: ServedRequest, cancellation: RequestCancellation)

  private let requests = OutstandingRequests()
  private let inOrder = JobQueue<Job>()
  private let beside = JobQueue<Job>()
  private let reader: MessageReader
  /// Set before anything is read.
  private let output = Mutex<MessageWriter?>(nil)
  private let isOver = Atomic(false)
  private let wasInterrupted = Atomic(false)

  private init() throws { reader = try MessageReader() }

  /// Serves a session until the end, and returns the exit status.
  static func serve(_ session: Session, _ options: ServeOptions) throws -> ExitStatus {
    try ObjectServer().run(session, options)
  }

  private func run(_ session: Session, _ options: ServeOptions) throws -> ExitStatus {
    let writer = MessageWriter(onClosing: { [self] in stop() })
    output.withLock { $0 = writer }
    Interrupts.shared.listen(
      .ending { [self] in
        wasInterrupted.store(true, ordering: .relaxed)
        stop()
      })
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global(qos: .userInteractive))
    let isListening = DispatchSemaphore(value: 0)
    termination.setRegistrationHandler { isListening.signal() }
    termination.setEventHandler { [self] in stop() }
    termination.resume()
    isListening.wait()
    let editor = EditorServer(session)
    let reading = try OwnThread { [self] in read(writer) }
    let editing = try OwnThread { [self] in
      while let (request, cancellation) = beside.take() { answer(request, cancellation, by: editor, writer) }
    }
    let server = StatementServer(session, options, writer, requests, editor)
    while let (request, cancellation) = inOrder.take() { server.answer(request, cancellation) }
    editing.join()
    server.end()
    isOver.store(true, ordering: .relaxed)
    reading.join()
    termination.cancel()
    return wasInterrupted.load(ordering: .relaxed) ? .interrupted : .done
  }

  private func answer(
    _ request: ServedRequest, _ cancellation: RequestCancellation, by editor: EditorServer, _ writer: MessageWriter
  ) {
    let outcome = Result {
      if cancellation.isCancelled { throw Interrupted() }
      return try editor.result(of: request)
    }
    requests.end(request.id, cancellation)
    switch outcome {
    case .success(let result): writer.answer(request.id, result: result)
    case .failure(let error):
      if request.id != nil { writer.refuse(request.id, ResponseError(error, stop: .cancelled)) }
    }
  }

  /// Cancels what runs and waits, and reads nothing more, on any thread.
  private func stop() {
    requests.cancelAll()
    reader.stop()
    // What cannot be cancelled, such as a write to a client that does not read, is left: a store is consistent at every
    // moment.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { _exit(128 + SIGTERM) }
  }

  // MARK: The reading thread

  private func read(_ writer: MessageWriter) {
    reader.forEach { event in
      switch event {
      case .line(let line): return take(line, writer)
      case .tooLong:
        writer.refuse(
          nil,
          ResponseError(.invalidRequest, "a line has at most \(MessageReader.mostBytes) bytes; this one was skipped"))
        return true
      case .end: return false
      case .unheard:
        stop()
        return false
      }
    }
    inOrder.close()
    beside.close()
    // The client may go before all is answered.
    if !reader.isHeard(until: { isOver.load(ordering: .relaxed) }) { stop() }
  }

  /// Takes a request; false after the last one.
  private func take(_ line: [UInt8], _ writer: MessageWriter) -> Bool {
    let request: ServedRequest
    do throws(ServedRequest.Refusal) {
      request = try ServedRequest(line)
    } catch {
      writer.refuse(error.id, error.error)
      return true
    }
    if request.method == .cancel {
      cancel(request, writer)
      return true
    }
    do throws(ResponseError) {
      let cancellation = try requests.begin(request.id)
      switch request.method.lane {
      case .inOrder, .atOnce: inOrder.add((request, cancellation))
      case .beside: beside.add((request, cancellation))
      }
    } catch {
      if request.id != nil { writer.refuse(request.id, error) }
    }
    return request.method != .shutdown
  }

  private func cancel(_ request: ServedRequest, _ writer: MessageWriter) {
    do throws(ResponseError) {
      let isCancelled = requests.cancel(try request.parameters.requiredID("id"))
      writer.answer(request.id, result: "{\"cancelled\":\(isCancelled)}")
    } catch {
      if request.id != nil { writer.refuse(request.id, error) }
    }
  }
}
