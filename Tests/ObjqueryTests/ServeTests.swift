import Diagnostics
import Foundation
import ObjectStoreCore
import PredicateLanguage
import Testing

@testable import objquery

/// `objquery serve`: lines in, lines out.
@Suite struct ServeTests {
  /// What a server answers to some lines, in the order of its answers.
  private func talk(_ lines: [String], _ options: [String] = [], status: Int32 = 0) throws -> [[String: Any]] {
    let outcome = try Command.run(["serve", "--stdio"] + options, input: lines.joined(separator: "\n"))
    #expect(outcome.status == status, "\(outcome)")
    return try outcome.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  private func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
  }

  private func code(_ answer: [String: Any]) -> Int? { (answer["error"] as? [String: Any])?["code"] as? Int }
  private func message(_ answer: [String: Any]) -> String {
    (answer["error"] as? [String: Any])?["message"] as? String ?? ""
  }

  /// Lines that are no requests, each with its code and a word of its message.
  @Test(arguments: [
    ("nonsense", -32700, "not JSON"), (#"{"jsonrpc":"2.0","id":1,"method":"info""#, -32700, "not JSON"),
    (#"{"jsonrpc":"2.0","id":1,"method":"info"} x"#, -32700, "not JSON"),
    (#"{"jsonrpc":"2.0","id":1,"method":"info","params":{"a":[1,}}}"#, -32700, "not JSON"),
    (#"[{"jsonrpc":"2.0","id":1,"method":"info"}]"#, -32600, "batch"), ("3", -32600, "object"),
    (#"{"id":1,"method":"info"}"#, -32600, "2.0"), (#"{"jsonrpc":"2.0","id":1}"#, -32600, "method"),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"info"}"#, -32600, "id"),
    (#"{"jsonrpc":"2.0","id":[1],"method":"info"}"#, -32600, "id"),
    (#"{"jsonrpc":"2.0","id":1,"method":"info","extra":1}"#, -32600, "'extra'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"inf"}"#, -32601, "did you mean 'info'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"info","params":[1]}"#, -32602, "names"),
    (#"{"jsonrpc":"2.0","id":1,"method":"info","params":{"x":1}}"#, -32602, "no parameter 'x'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statment":"COUNT A"}}"#, -32602, "'statement'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run"}"#, -32602, "needs the parameter 'statement'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":5}}"#, -32602, "a string"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","pageSize":0}}"#, -32602, "from 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","timeout":-1}}"#, -32602, "from 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","arguments":{}}}"#, -32602, "a list"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","parameters":[]}}"#, -32602, "an object"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","parameters":{"1":2}}}"#, -32602, "'1'"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT A","parameters":{"a=b":2}}}"#, -32602, "a=b"
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":".schema"}}"#, -32000, "of the shell"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"BEGIN; COMMIT"}}"#, -32000, "one statement"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COMMIT"}}"#, -32000, "no transaction"),
    (#"{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":""}}"#, -32000, "statement"),
    (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"cursor":"c9"}}"#, -32005, "'c9'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"complete","params":{"text":"é","position":9}}"#, -32602, "beyond"),
    (#"{"jsonrpc":"2.0","id":1,"method":"complete","params":{"text":"😀","positionUTF16":1}}"#, -32602, "within"),
    (#"{"jsonrpc":"2.0","id":1,"method":"complete","params":{"text":""}}"#, -32602, "positionUTF16"),
    (#"{"jsonrpc":"2.0","id":1,"method":"format","params":{"text":"A WHERE"}}"#, -32000, "condition"),
    (#"{"jsonrpc":"2.0","id":1,"method":"cancel"}"#, -32602, "'id'"),
    (#"{"jsonrpc":"2.0","id":1,"method":"unwatch","params":{"watch":1}}"#, -32602, "no watch 1"),
  ])
  func whatIsRefused(_ line: String, _ wanted: Int, _ words: String) throws {
    let answers = try talk([line, request(99, "info")])
    let refusal = try #require(answers.first { $0["id"] as? Int != 99 })
    #expect(code(refusal) == wanted && message(refusal).contains(words), "\(refusal)")
    #expect(answers.contains { $0["id"] as? Int == 99 && $0["result"] != nil }, "it goes on")
    #expect(answers.count == 2)
  }

  @Test func whatIsNoText() throws {
    var input = Data(request(1, "info").utf8)
    input += [0x0A, 0xFF, 0xFE, 0x0A, 0x0A, 0x00, 0x0A]
    // Deeper than anything is read, and longer than a line may be.
    input += Data(repeating: UInt8(ascii: "["), count: 100_000) + [0x0A]
    input += Data(repeating: UInt8(ascii: "x"), count: 17 << 20) + [0x0A]
    input += Data(request(2, "info").utf8)
    let scratch = try Scratch()
    try input.write(to: URL(fileURLWithPath: scratch.path("in")))
    let command = "'\(try Command.binary().path)' serve --stdio < '\(scratch.path("in"))'"
    let outcome = try Command.run(URL(fileURLWithPath: "/bin/sh"), ["-c", command])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      lines.count { $0.contains("-32700") } == 3 && lines.count { $0.contains("bytes; this one was skipped") } == 1)
    #expect(lines.count { $0.contains("\"version\"") } == 2)
  }

  @Test func notificationsAreNotAnswered() throws {
    let silent = ["run", "parse", "watch", "info", "next"].map { #"{"jsonrpc":"2.0","method":"\#($0)"}"# }
    let answers = try talk(silent + [request(1, "shutdown"), request(2, "info")])
    #expect(answers.count == 1 && answers[0]["id"] as? Int == 1 && answers[0]["result"] is NSNull)
  }

  @Test func idsAreWhatTheClientSays() throws {
    let lines = [
      #"{"jsonrpc":"2.0","id":"ä\"1","method":"format","params":{"text":"count A"}}"#,
      #"{"jsonrpc":"2.0","id":-9223372036854775808,"method":"format","params":{"text":""}}"#,
    ]
    let answers = try talk(lines)
    #expect(answers.compactMap { $0["id"] as? String } == ["ä\"1"])
    #expect(answers.compactMap { $0["id"] as? Int } == [.min])
  }

  @Test func howItIsCalled() throws {
    #expect(try Command.run(["serve"]).status == 64)
    #expect(try Command.run(["serve", "--stdio", "--bail"]).status == 64)
    #expect(try Command.run(["serve", "--stdio", "--cursor-time", "0"]).status == 64)
    let missing = try Command.run(["serve", "--stdio", "/nowhere/at/all"])
    #expect(missing.status == 2 && missing.output.isEmpty && missing.errors.contains("/nowhere/at/all"))
  }

  // MARK: The pieces

  @Test func tokensOfAScript() {
    func kinds(_ text: String) -> [String] {
      StatementParser.tokens(of: text, entities: ["Quake"]).map { token in
        let bytes = Array(text.utf8)[token.range.lowerBound..<token.range.upperBound]
        return "\(token.kind.rawValue) \(String(decoding: bytes, as: UTF8.self))"
      }
    }
    #expect(
      kinds(".mode json\ncount Quake where count > 5 /* x */ ; -- end") == [
        "command .mode json", "keyword count", "entity Quake", "keyword where", "property count", "operator >",
        "number 5", "comment /* x */", "punctuation ;", "comment -- end",
      ])
    #expect(
      kinds("Quake WHERE name CONTAINS[c] 'a' AND abs(a.limit) == $x SORT BY size DESC") == [
        "entity Quake", "keyword WHERE", "property name", "operator CONTAINS", "punctuation [", "operator c",
        "punctuation ]", "string 'a'", "keyword AND", "function abs", "punctuation (", "property a", "punctuation .",
        "property limit", "punctuation )", "operator ==", "parameter $x", "keyword SORT", "keyword BY",
        "property size", "keyword DESC",
      ])
    #expect(
      kinds("ALTER Quake ADD note: Int?") == [
        "keyword ALTER", "entity Quake", "keyword ADD", "property note", "punctuation :", "type Int", "punctuation ?",
      ])
    #expect(
      kinds("INSERT Other {\"a\": nil, \"b") == [
        "keyword INSERT", "entity Other", "punctuation {", "property \"a\"", "punctuation :", "constant nil",
        "punctuation ,", "invalid \"b",
      ])
  }

  @Test func offsetsInBothEncodings() {
    let parts = ["a", "é", "漢", "😀", "\r\n", "e\u{301}"]
    for count in [0, 1, 7, 63, 64, 65, 200] {
      let text = (0..<count).map { parts[$0 % parts.count] }.joined()
      let source = SourceText(text)
      for place in text.unicodeScalars.indices + [text.endIndex] {
        let bytes = text.utf8.distance(from: text.startIndex, to: place)
        let units = text.utf16.distance(from: text.startIndex, to: place)
        #expect(source.utf16Offset(of: bytes) == units && source.utf8Offset(ofUTF16: units) == bytes)
      }
      #expect(source.utf8Offset(ofUTF16: text.utf16.count + 1) == nil && source.utf8Offset(ofUTF16: -1) == nil)
      #expect(source.utf16Offset(of: text.utf8.count + 5) == text.utf16.count)
    }
    #expect(SourceText("😀").utf8Offset(ofUTF16: 1) == nil)
  }

  // MARK: With a client

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func run(_ script: String, _ arguments: [String] = []) throws -> Command.Outcome {
    let scratch = try Scratch()
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Acceptance/" + script
    return try Command.run(
      URL(fileURLWithPath: try #require(Self.python)),
      ["-B", path, try Command.binary().path, scratch.folder.path] + arguments)
  }

  /// A signal may stop a statement before its request is known to be cancelled.
  @Test func aStatementThatASignalStoppedIsCancelled() {
    for error in [Interrupted(soFar: "nothing was changed"), StoreError.cancelled] as [any Error] {
      #expect(ResponseError(error, stop: nil).code == .cancelled)
    }
  }

  @Test(.enabled(if: python != nil, "SKIPPED: there is no python3"))
  func everyMethodByTheClientInPython() throws {
    let outcome = try run("serve_scenario.py")
    #expect(outcome.status == 0 && outcome.output == "all done\n", "\(outcome.output)\(outcome.errors)")
  }

  @Test(.enabled(if: python != nil, "SKIPPED: there is no python3"))
  func thePageIsTrue() throws {
    let page = Command.root.appendingPathComponent("Sources/ObjectStore/ObjectStore.docc/Serve.md")
    let outcome = try run("serve_page.py", [page.path])
    let methods = ServedMethod.allCases.map(\.rawValue).sorted().joined(separator: " ")
    let codes = ResponseError.Code.allCases.map(\.rawValue).sorted().map(String.init).joined(separator: " ")
    #expect(outcome.status == 0 && outcome.output == "methods: \(methods)\ncodes: \(codes)\n", "\(outcome)")
  }
}
