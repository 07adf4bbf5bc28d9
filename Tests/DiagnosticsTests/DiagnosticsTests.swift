import Diagnostics
import Testing

@Suite struct RendererTests {
  private func text(_ source: String, _ start: Int, _ end: Int, name: String? = nil, width: Int = 100) -> String {
    let diagnostic = Diagnostic(code: .unexpectedToken, message: "something is wrong", range: SourceRange(start, end))
    return DiagnosticRenderer(width: width).text(diagnostic, source: source, sourceName: name)
  }

  @Test func theFormOfTheManual() {
    let diagnostic = Diagnostic(
      code: .unknownProperty, message: "Quake has no property 'magnitud'", range: SourceRange(0, 8),
      notes: ["did you mean 'magnitude'? Quake has code, magnitude, time, place, depth"],
      fixes: [Fix(message: "write 'magnitude'", range: SourceRange(0, 8), replacement: "magnitude")])
    let error = DiagnosticError(source: "magnitud > 5 AND place CONTAINS[c] 'chile'", diagnostic)
    #expect(
      error.description == """
        error[unknown-property]: Quake has no property 'magnitud'
          magnitud > 5 AND place CONTAINS[c] 'chile'
          ^^^^^^^^
        note: did you mean 'magnitude'? Quake has code, magnitude, time, place, depth
        fix: write 'magnitude'
        """)
  }

  @Test func linesAndNames() {
    #expect(
      text("a == 1\nAND b", 11, 12) == """
        error[unexpected-token]: something is wrong
          line 2, column 5
          AND b
              ^
        """)
    #expect(
      text("a == 1", 0, 1, name: "q.objq") == """
        error[unexpected-token]: something is wrong
          q.objq:1:1
          a == 1
          ^
        """)
    // A range over several lines is marked on its first one.
    #expect(text("ab\r\ncd", 1, 6).hasSuffix("  ab\n   ^"))
  }

  @Test func caretsLineUp() {
    #expect(text("größe == x", 0, 7).hasSuffix("\n  größe == x\n  ^^^^^"))
    #expect(text("größe == x", 11, 12).hasSuffix("\n  größe == x\n           ^"))
    #expect(text("名前 == x", 0, 6).hasSuffix("\n  名前 == x\n  ^^^^"))
    #expect(text("a😀 x", 6, 7).hasSuffix("\n  a😀 x\n      ^"))
    #expect(text("\ta == x", 1, 2).hasSuffix("\n      a == x\n      ^"))
    #expect(text("e\u{301}x", 3, 4).hasSuffix("\n   ^"))
    #expect(text("a ==", 4, 4).hasSuffix("\n  a ==\n      ^"))
    #expect(text("a\u{1B}[31mb", 7, 7).contains("a\u{FFFD}[31mb"))
  }

  @Test func longLinesAreCut() {
    let source = String(repeating: "a == 1 AND ", count: 50) + "bad" + String(repeating: " AND c == 1", count: 50)
    for width in [20, 40, 80] {
      let lines = text(source, 550, 553, width: width).split(separator: "\n")
      #expect(lines[1].count <= width + 4)
      #expect(lines[1].contains("bad"))
      let offset = lines[2].prefix { $0 == " " }.count
      #expect(lines[1].dropFirst(offset).hasPrefix("bad"))
    }
    #expect(text(source, 0, source.utf8.count, width: 40).contains("…"))
  }

  @Test func rangesOutsideTheTextDoNoHarm() {
    for (start, end) in [(-5, 2), (3, 100), (100, 200), (Int.min, Int.max), (2, 1)] {
      #expect(!text("abc", start, end).isEmpty)
      #expect(!text("", start, end).isEmpty)
    }
    // In the middle of a character.
    #expect(!text("é", 1, 1).isEmpty)
  }

  @Test func color() {
    let diagnostic = Diagnostic(code: .neverNil, severity: .warning, message: "m")
    #expect(
      DiagnosticRenderer(color: true).text(diagnostic, source: "")
        == "\u{1B}[1;33mwarning[never-nil]\u{1B}[0m\u{1B}[1m: m\u{1B}[0m")
  }

  @Test func json() {
    let diagnostic = Diagnostic(
      code: .neverNil, message: "say \"x\"\n", range: SourceRange(8, 9), notes: ["n"],
      fixes: [Fix(message: "f", range: SourceRange(8, 9), replacement: "\u{1}")])
    #expect(
      DiagnosticRenderer().json(diagnostic, source: "größe\nb") == #"""
        {"severity":"error","code":"never-nil","message":"say \"x\"\n","range":{"start":8,"end":9,"line":2,"column":1,"endLine":2,"endColumn":2},"notes":["n"],"fixes":[{"message":"f","range":{"start":8,"end":9,"line":2,"column":1,"endLine":2,"endColumn":2},"replacement":"\u0001"}]}
        """#)
    #expect(DiagnosticRenderer().json(Diagnostic(code: .neverNil, message: "m"), source: "").contains("\"range\":null"))
  }
}

@Suite struct SuggestionTests {
  private let names = ["code", "magnitude", "time", "place", "depth", "felt", "location"]

  @Test(arguments: [
    ("magnitud", "magnitude"), ("MAGNITUDE", "magnitude"), ("mgantiude", "magnitude"), ("tiem", "time"),
    ("palce", "place"), ("dpeth", "depth"), ("locaton", "location"),
  ])
  func near(_ written: String, _ meant: String) {
    #expect(Suggestion.nearest(to: written, among: names) == meant)
  }

  @Test(arguments: ["", "x", "colour", "temperature", "tm"])
  func far(_ written: String) {
    #expect(Suggestion.nearest(to: written, among: names) == nil)
  }

  @Test func theSameNameIsNoSuggestion() {
    #expect(Suggestion.nearest(to: "time", among: ["time"]) == nil)
    #expect(Suggestion.nearest(to: "time", among: ["time", "Time"]) == "Time")
  }

  @Test func costIsBounded() {
    let long = String(repeating: "x", count: 100_000)
    #expect(Suggestion.nearest(to: long, among: [long + "y"]) == nil)
    #expect(Suggestion.nearest(to: "abc", among: (0..<1_000_000).lazy.map { "name\($0)" }) == nil)
  }
}
