/// What a client can ask of a server.
enum ServedMethod: String, CaseIterable, Sendable {
  case info, open, run, next, close, cancel, explain, complete, parse, format, schema, describe, watch, unwatch,
    shutdown

  /// Where it is done.
  enum Lane {
    /// One after the other, in the order of the requests: what depends on the store and its transaction.
    case inOrder
    /// Beside those: what an editor asks while a statement runs.
    case beside
    /// As soon as it is read.
    case atOnce
  }

  var lane: Lane {
    switch self {
    case .info, .open, .run, .next, .close, .explain, .schema, .describe, .watch, .unwatch, .shutdown: .inOrder
    case .complete, .parse, .format: .beside
    case .cancel: .atOnce
    }
  }

  /// The names of its parameters; others are refused.
  var parameters: [String] {
    switch self {
    case .info, .shutdown: []
    case .open: ["path", "create", "readonly"]
    case .run: Self.ofStatement + ["pageSize", "confirmed", "ids", "timeout"]
    case .next: ["cursor", "pageSize", "timeout"]
    case .close: ["cursor"]
    case .cancel: ["id"]
    case .explain: Self.ofStatement + ["analyze", "timeout"]
    case .complete: ["text", "entity", "position", "positionUTF16"]
    case .parse, .format: ["text", "entity"]
    case .schema: ["entity"]
    case .describe: ["entity", "timeout"]
    case .watch: Self.ofStatement
    case .unwatch: ["watch"]
    }
  }

  private static let ofStatement = ["statement", "arguments", "parameters", "entity"]
}
