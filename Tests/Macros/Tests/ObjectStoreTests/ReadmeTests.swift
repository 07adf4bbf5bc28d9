import Testing

/// The Swift of the front page, as somebody has it who copies all of it into one file.
@Suite struct ReadmeTests {
  @Test func itsBlocksRunTogether() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let (text, isDone) = try compiler.output(of: try compiler.swift(in: "README.md"))
    #expect(isDone, "\(text)")
    #expect(text.hasPrefix("6.4 Hualian, Taiwan\n"), "\(text)")
    #expect(text.contains("IndexRange") || text.contains("Scan"), "\(text)")
    let ticket = #"[Ticket(title: "roof", status: done, earlier: [], site: nil, note: Note(text: "", tags: []))]"#
    #expect(text.hasSuffix("1\n\(ticket)\n"), "\(text)")
  }
}
