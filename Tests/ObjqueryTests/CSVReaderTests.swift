import Testing

@testable import objquery

@Suite struct CSVReaderTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func read(_ text: String, chunk: Int = 1 << 20) throws -> [String] {
    let path = try workshop.file("data.csv", text)
    let reader = try CSVReader(try ByteWindow(path: path, chunk: chunk))
    let first = try transcript(reader)
    try reader.rewind()
    #expect(try transcript(reader) == first, "reading twice gives the same")
    return first
  }

  @Test(arguments: [1 << 20, 3])
  func whatTheStandardSays(_ chunk: Int) throws {
    let text = "\u{FEFF}a,b,c\r\n1,\"x,\"\"y\"\"\r\nz\",\r\n\r\n2,,\"\"\n3,\"q\",é"
    let lines = try read(text, chunk: chunk)
    #expect(
      lines == [
        "2: a=<1> b=\"x,\"y\"\r\nz\" c=nil",
        "5: a=<2> b=nil c=\"\"",
        "6: a=<3> b=\"q\" c=<é>",
      ])
  }

  @Test func raggedLinesAndStrayTextAreBadRows() throws {
    let lines = try read("a,b\n1\n1,2,3\n\"x\"y,2\n4,5\n")
    #expect(
      lines == [
        "2: BAD 1 field where the first line has 2", "3: BAD 3 fields where the first line has 2",
        "4: BAD text after a closing quote", "5: a=<4> b=<5>",
      ])
  }

  @Test func invalidUTF8IsABadRow() throws {
    let path = try workshop.file("x.csv", bytes: Array("a,b\n1,".utf8) + [0xC3, 0x28] + Array("\n3,4\n".utf8))
    let reader = try CSVReader(try ByteWindow(path: path))
    #expect(
      try transcript(reader) == [
        "2: BAD not valid UTF-8; --encoding latin1 or another says what it is", "3: a=<3> b=<4>",
      ])
  }

  @Test func anOpenQuoteIsDamage() throws {
    let lines = try read("a,b\n1,2\n3,\"4\n5,6\n")
    #expect(lines.first == "2: a=<1> b=<2>")
    #expect(lines.last == "3: DAMAGED a quote opened in this record is never closed @8")
  }

  /// Spreadsheets write such a line.
  @Test(arguments: [1 << 20, 3])
  func aLineThatNamesTheSeparator(_ chunk: Int) throws {
    #expect(try read("sep=;\na;b,c\n1;2\n", chunk: chunk) == ["3: a=<1> b,c=<2>"])
    #expect(try read("sep=|\r\na|b\r\n1|2\r\n", chunk: chunk) == ["3: a=<1> b=<2>"])
    #expect(try read("sep=;x\n1\n").first == "2: BAD 1 field where the first line has 2")
  }

  @Test func otherEncodingsAreSaid() throws {
    func problem(_ bytes: [UInt8]) throws -> String? {
      let path = try workshop.file("x.csv", bytes: bytes)
      do {
        _ = try CSVReader(try ByteWindow(path: path))
        return nil
      } catch let failure as ByteWindow.Failure {
        return failure.reason
      }
    }
    let text = "a,b\n1,2\n".utf16
    #expect(try problem([0xFF, 0xFE] + text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == nil)
    #expect(try problem([0xFE, 0xFF] + text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == nil)
    // Half a character.
    #expect(try problem([0xFF, 0xFE, 0x61]) == "its UTF-16 data ends too early")
    #expect(try problem(Array("a,b\r1,2\r".utf8))?.hasPrefix("its lines end in a carriage return alone") == true)
    #expect(try problem(Array("a,\"b\rc\"\r\n1,2\r\n".utf8)) == nil)
  }

  @Test func namesOfColumns() throws {
    let path = try workshop.file("x.csv", "a,,a\n1,2,3\n")
    let reader = try CSVReader(try ByteWindow(path: path))
    #expect(try transcript(reader) == ["2: a=<1> column2=<2> a2=<3>"])
    #expect(reader.notes.count == 2)
    #expect(try read("a;b\n1;2\n") == ["2: a=<1> b=<2>"])
    #expect(try read("a\tb\n1\t2\n") == ["2: a=<1> b=<2>"])
  }

  @Test func moreColumnsThanMostFilesHave() throws {
    let columns = 0..<300
    let header = columns.map { "c\($0)" }.joined(separator: ",")
    let rows = [columns.map { "\($0)" }, columns.map { "\"\"\"\($0)\n\"" }]
    let lines = try read(header + "\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined() + "1,2\n", chunk: 64)
    #expect(
      lines == [
        "2: " + columns.map { "c\($0)=<\($0)>" }.joined(separator: " "),
        "3: " + columns.map { "c\($0)=\"\"\($0)\n\"" }.joined(separator: " "),
        "304: BAD 2 fields where the first line has 300",
      ])
  }

  @Test func withoutAFirstLine() throws {
    #expect(throws: ByteWindow.Failure.self) { try read("") }
    #expect(throws: ByteWindow.Failure.self) { try read("\n\n") }
    #expect(try read("a,b\n") == [])
    #expect(try read("a,b") == [])
  }

  @Test func filesThatCannotBeRead() {
    #expect(throws: ByteWindow.Failure.self) { try ByteWindow(path: workshop.path + "/none") }
    #expect(throws: ByteWindow.Failure.self) { try ByteWindow(path: workshop.path) }
  }
}
