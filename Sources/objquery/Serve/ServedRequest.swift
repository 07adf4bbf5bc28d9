import CSimdjson
internal import Diagnostics
import ObjectStoreCore
internal import Values

/// The id of a request, which its answer repeats.
enum RequestID: Hashable, Sendable {
  case number(Int64), text(String)

  var json: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): JSONText.quoted(text)
    }
  }

  init?(_ value: Value) {
    switch value {
    case .int(let number): self = .number(number)
    case .string(let text): self = .text(text)
    default: return nil
    }
  }
}

/// A request of a client: a line of JSON-RPC 2.0.
struct ServedRequest: Sendable {
  /// nil for a notification, which is not answered.
  var id: RequestID?
  var method: ServedMethod
  var parameters: RequestParameters

  /// Why a line is no request, with the id if it has one.
  struct Refusal: Error {
    var id: RequestID?
    var error: ResponseError
  }

  /// Reads a line.
  init(_ line: [UInt8]) throws(Refusal) {
    func refusal(_ code: ResponseError.Code, _ message: String, _ id: RequestID? = nil) -> Refusal {
      Refusal(id: id, error: ResponseError(code, message))
    }
    let isUTF8 = line.withUnsafeBytes {
      csj_is_utf8($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard isUTF8 else { throw refusal(.malformed, "the line is not UTF-8") }
    let message: Value
    do throws(JSONValue.Malformed) { message = try JSONValue.parse(line) } catch {
      throw refusal(.malformed, "the line is not JSON: \(Self.problem(line) ?? error.reason)")
    }
    guard case .embedded(let members) = message else {
      let isBatch = if case .list = message { true } else { false }
      throw refusal(
        .invalidRequest,
        isBatch ? "a batch is not taken: send each request on a line of its own" : "a request is an object")
    }
    func member(_ name: String) -> Value? { members.first { $0.name == name }?.value }
    let id = member("id").flatMap(RequestID.init)
    if let other = members.first(where: { !["jsonrpc", "id", "method", "params"].contains($0.name) }) {
      throw refusal(.invalidRequest, "a request has no member '\(other.name)': jsonrpc, id, method and params", id)
    }
    guard member("id") == nil || id != nil else {
      throw refusal(.invalidRequest, "the id of a request is a string or a whole number")
    }
    guard member("jsonrpc") == .string("2.0") else {
      throw refusal(.invalidRequest, "a request has \"jsonrpc\": \"2.0\"", id)
    }
    guard case .string(let name)? = member("method") else {
      throw refusal(.invalidRequest, "a request has a method, a string", id)
    }
    guard let method = ServedMethod(rawValue: name) else {
      let all = ServedMethod.allCases.map(\.rawValue)
      let meant = Suggestion.nearest(to: name, among: all).map { "; did you mean '\($0)'?" }
      throw refusal(
        .unknownMethod, "there is no method '\(name)'\(meant ?? ": there are \(all.joined(separator: ", "))")", id)
    }
    self.id = id
    self.method = method
    do throws(ResponseError) {
      parameters = try RequestParameters(member("params"), of: method)
    } catch {
      throw Refusal(id: id, error: error)
    }
  }

  /// What is wrong with the members of an object, and where; nil if it is within them.
  private static func problem(_ line: [UInt8]) -> String? {
    guard let reader = csj_reader_create() else { return nil }
    defer { csj_reader_destroy(reader) }
    let isGood = line.withUnsafeBytes {
      csj_read_elements(reader, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    var offset = 0
    guard !isGood, let problem = csj_problem(reader, &offset) else { return nil }
    return "\(String(cString: problem)), at byte \(offset)"
  }
}
