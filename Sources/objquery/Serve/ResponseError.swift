internal import Diagnostics
import ObjectStoreCore

/// The error of an answer.
struct ResponseError: Error {
  /// The code. Those below -32000 are JSON-RPC's own, and -32800 is that of the language server protocol.
  enum Code: Int, CaseIterable {
    /// The line is not JSON.
    case malformed = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case `internal` = -32603
    /// The statement is wrong, or cannot be done.
    case statement = -32000
    /// The store, or its disk, refuses.
    case store = -32001
    /// A change of everything that was not confirmed.
    case unconfirmed = -32002
    /// A store could not be opened.
    case unopened = -32003
    /// The time is over.
    case timeout = -32004
    /// The cursor is closed.
    case cursorClosed = -32005
    /// Too many requests are not answered yet.
    case busy = -32006
    /// The request was cancelled.
    case cancelled = -32800
  }

  var code: Code
  var message: String
  /// The members of `data`, as JSON.
  private var data: JSONMembers

  init(_ code: Code, _ message: String) {
    self.init(code, message, name: Self.name(of: code))
  }

  /// - Parameter name: The stable name of what is wrong.
  init(_ code: Code, _ message: String, name: String) {
    self.code = code
    self.message = message
    data = JSONMembers()
    data.add("diagnostics", raw: "[\(Self.renderer.json(failure: name, message: message))]")
  }

  /// The error of a request that failed.
  ///
  /// - Parameters:
  ///   - stop: Why the request was stopped, if it was.
  ///   - changes: What the statement would change, for one that was not confirmed.
  init(_ error: any Error, stop: RequestCancellation.Reason?, changes: [String] = []) {
    if let error = error as? ResponseError {
      self = error
    } else if Interrupted.isMeant(by: error) {
      let stopped = error as? Interrupted ?? Interrupted()
      // A signal stops the statement that runs before it stops its request.
      switch stop ?? .cancelled {
      case .cancelled: self.init(.cancelled, stopped.told(as: "the request was cancelled"))
      case .timeout(let milliseconds): self.init(.timeout, stopped.told(as: "stopped after \(milliseconds) ms"))
      }
    } else if let error = error as? DiagnosticError, let first = error.diagnostics.first {
      self.init(first.code == .needsYes ? .unconfirmed : .statement, first.message)
      data = JSONMembers()
      let all = Self.renderer.json(error).split(separator: "\n").joined(separator: ",")
      data.add("diagnostics", raw: "[\(all)]")
      if !changes.isEmpty { data.add("changes", .list(changes.map { .string($0) })) }
    } else if let failure = error as? CommandFailure {
      let code: Code =
        switch failure.status {
        case .unopened: .unopened
        case .usage: .invalidParameters
        case .timeout: .timeout
        case .interrupted: .cancelled
        case .done, .failed: .statement
        }
      self.init(code, failure.description, name: failure.code)
    } else {
      let isKnown = error is StoreError
      self.init(isKnown ? .store : .internal, Console.message(of: error), name: Console.code(of: error))
    }
  }

  /// Diagnostics as `--error-format json` shows them, with offsets for editors besides.
  static let renderer: DiagnosticRenderer = {
    var renderer = DiagnosticRenderer()
    renderer.countsUTF16 = true
    return renderer
  }()

  /// The name of a code where no other name is known.
  private static func name(of code: Code) -> String {
    switch code {
    case .malformed: "malformed-json"
    case .invalidRequest: "invalid-request"
    case .unknownMethod: "unknown-method"
    case .invalidParameters: "invalid-parameters"
    case .internal: "failed"
    case .statement: "failed"
    case .store: "store"
    case .unconfirmed: "needs-yes"
    case .unopened: "store-not-opened"
    case .timeout: "timeout"
    case .cursorClosed: "cursor-closed"
    case .busy: "busy"
    case .cancelled: "cancelled"
    }
  }

  /// `{"code": …, "message": …, "data": …}`
  var json: String {
    var members = JSONMembers()
    members.add("code", .int(Int64(code.rawValue)))
    members.add("message", .string(message))
    members.add("data", raw: data.object)
    return members.object
  }
}
