import Foundation
import Testing

/// Files as other programs write them: other separators, encodings, compression, a list within a document.
@Suite struct ForeignFileTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Imports a file and returns the objects as JSON lines.
  private func bring(_ name: String, _ bytes: [UInt8], _ options: String...) throws -> (Command.Outcome, String) {
    let store = workshop.path + "/store-\(UUID().uuidString)"
    let outcome = try Command.run(["import", store, try workshop.file(name, bytes: bytes), "A"] + options)
    return (outcome, outcome.status == 0 ? try Command.run([store, "-m", "jsonl", "-c", "A"]).output : "")
  }

  private func bring(_ name: String, _ text: String, _ options: String...) throws -> (Command.Outcome, String) {
    let store = workshop.path + "/store-\(UUID().uuidString)"
    let outcome = try Command.run(["import", store, try workshop.file(name, text), "A"] + options)
    return (outcome, outcome.status == 0 ? try Command.run([store, "-m", "jsonl", "-c", "A"]).output : "")
  }

  @Test(arguments: [
    (["--delimiter", "|"], "a|b\n1|x\n", #"{"a":1,"b":"x"}"#),
    (["--delimiter", "tab"], "a\tb\n1\tx,y\n", #"{"a":1,"b":"x,y"}"#),
    (["--quote", "'"], "a,b\n'1,''5',\"x\"\n", #"{"a":"1,'5","b":"\"x\""}"#),
    (["--quote", "none", "--delimiter", ";"], "a;b\n\"1;2\n", #"{"a":"\"1","b":2}"#),
    (["--no-header"], "1,x\n2,y\n", #"{"column1":1,"column2":"x"}"# + "\n" + #"{"column1":2,"column2":"y"}"#),
    (["--skip", "2"], "made by hand\n\na,b\n1,2\n", #"{"a":1,"b":2}"#),
    (
      ["--null", "NA", "--null", "-"], "a,b\n1,NA\n-,x\n3,\"NA\"\n",
      #"{"a":1,"b":null}"# + "\n" + #"{"a":null,"b":"x"}"# + "\n" + #"{"a":3,"b":"NA"}"#
    ),
    (
      ["--decimal-comma"], "a;b\n1.234,5;05.02.2018\n-0,25;06.02.2018\n12;07.02.2018 10:30\n",
      #"{"a":1234.5,"b":"2018-02-05T00:00:00Z"}"# + "\n" + #"{"a":-0.25,"b":"2018-02-06T00:00:00Z"}"# + "\n"
        + #"{"a":12.0,"b":"2018-02-07T10:30:00Z"}"#
    ),
  ]) func aDelimitedFileIsReadAsItIsSaid(_ options: [String], _ text: String, _ wanted: String) throws {
    let store = workshop.path + "/store"
    let outcome = try Command.run(["import", store, try workshop.file("x.csv", text), "A"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Command.run([store, "-m", "jsonl", "-c", "A"]).output == wanted + "\n")
  }

  /// Only numbers are written with a comma: a text stays as it is.
  @Test func textsKeepTheirPointsAndCommas() throws {
    let schema = try workshop.file("s.swift", "@Model struct A { var code: String; var n: Double; var d: Decimal }\n")
    let (outcome, rows) = try bring(
      "x.csv", "code;n;d\n1.234;1.234,5;0,10\n12,50;\"1.234\";7\n", "--decimal-comma", "--schema", schema)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(rows == #"{"code":"1.234","n":1234.5,"d":0.1}"# + "\n" + #"{"code":"12,50","n":1234.0,"d":7}"# + "\n")
  }

  @Test func aByteThatNoTextHasIsNoQuote() throws {
    let store = workshop.path + "/bytes"
    let file = try workshop.file("x.csv", bytes: Array("a;b\n".utf8) + [0xFF] + Array("1;2\n3;4\n".utf8))
    let outcome = try Command.run(["import", store, file, "A", "--quote", "none", "--allow-errors"])
    #expect(outcome.status == 0 && outcome.errors.contains("1 bad row left out"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["--delimiter", "ab"], ["--delimiter", "\n"], ["--quote", ";", "--delimiter", ";"], ["--skip", "-1"],
    ["--date", "a:xyz"],
  ]) func wrongFormsAreWrongUsage(_ options: [String]) throws {
    let outcome = try Command.run(
      ["import", workshop.path + "/none", try workshop.file("x.csv", "a\n1\n"), "A"] + options)
    #expect(outcome.status == 64, "\(outcome.errors)")
  }

  @Test(arguments: [
    "2012/01/31,2012-01-31T00:00:00Z", "31.01.2012,2012-01-31T00:00:00Z", "1/31/2012,2012-01-31T00:00:00Z",
    "31/1/2012 23:59:58,2012-01-31T23:59:58Z", "Jan 31 2012,2012-01-31T00:00:00Z",
    "31 January 2012 7:05,2012-01-31T07:05:00Z", "2012/13/01,", "31.02.2012,", "Janu 31 2012,", "31.01.12,",
    "2012/01/31 24:00,", "Jan 31,", "31 01 2012,",
  ]) func datesInManyForms(_ row: String) throws {
    let parts = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let (outcome, rows) = try bring("d.jsonl", "{\"d\":\"\(parts[0])\"}\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(rows == "{\"d\":\"\(parts[1].isEmpty ? parts[0] : parts[1])\"}\n")
  }

  @Test func otherEncodingsAreSaid() throws {
    let latin1 = Array("name\ncaf".utf8) + [0xE9, 0x0A]
    let (_, rows) = try bring("l.csv", latin1, "--encoding", "latin1")
    #expect(rows == "{\"name\":\"café\"}\n")
    let (refused, _) = try bring("l.csv", latin1)
    #expect(refused.status == 1 && refused.errors.contains("--encoding latin1"), "\(refused.errors)")
    // A letter over which a mark may follow is the last one.
    #expect(try bring("v.csv", Array("name\nhoa".utf8), "--encoding", "cp1258").1 == "{\"name\":\"hoa\"}\n")
    let (unknown, _) = try bring("l.csv", latin1, "--encoding", "klingon")
    #expect(unknown.status == 1 && unknown.errors.contains("there is no encoding 'klingon'"), "\(unknown.errors)")
    // A byte order mark says it; without one it is said.
    let wide = "name\ncafé 😀\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try bring("w.csv", [0xFF, 0xFE] + wide).1 == "{\"name\":\"café 😀\"}\n")
    #expect(try bring("w.csv", wide, "--encoding", "utf-16le").1 == "{\"name\":\"café 😀\"}\n")
    let (cut, _) = try bring("w.csv", Array(([0xFF, 0xFE] + wide).dropLast()))
    #expect(cut.status == 1 && cut.errors.contains("ends too early"), "\(cut.errors)")
  }

  /// The bytes of `gzip` and `zstd`, which need not be there to read them: of `{"a":1}` and `{"a":2}`, a line each.
  private static let gzip: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x01, 0x10, 0x00, 0xEF, 0xFF, 0x7B, 0x22, 0x61, 0x22, 0x3A, 0x31, 0x7D,
    0x0A, 0x7B, 0x22, 0x61, 0x22, 0x3A, 0x32, 0x7D, 0x0A,
  ]

  @Test func compressedFilesAreReadAsTheyAre() throws {
    // Stored, not compressed, with the checksum of the text.
    let text = Array("{\"a\":1}\n{\"a\":2}\n".utf8)
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in text {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    sum ^= 0xFFFF_FFFF
    let file = Self.gzip + (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) } + [16, 0, 0, 0]
    let wanted = "{\"a\":1}\n{\"a\":2}\n"
    #expect(try bring("x.jsonl.gz", file).1 == wanted)
    #expect(try bring("twice.jsonl", file + file).1 == wanted + wanted)
    let (cut, _) = try bring("x.jsonl.gz", Array(file.dropLast(9)))
    #expect(cut.status == 1 && cut.errors.contains("its gzip data ends too early"), "\(cut.errors)")
    var damaged = file
    damaged[20] ^= 1
    let (other, _) = try bring("x.jsonl.gz", damaged)
    #expect(other.status == 1 && other.errors.contains("its gzip data is damaged"), "\(other.errors)")
    // A frame of zstd with one raw block and its size.
    let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 16, 0x81, 0x00, 0x00] + text
    #expect(try bring("x.jsonl.zst", zstd).1 == wanted)
    // As long as the buffer: 131,072 bytes, in one raw block.
    let long = Array("{\"a\":1}\n".utf8) + Array(repeating: UInt8(ascii: "\n"), count: (1 << 17) - 8)
    let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0, 2, 0]
    let block: [UInt8] = [0x01, 0x00, 0x10]
    #expect(try bring("long.jsonl.zst", header + block + long).1 == "{\"a\":1}\n")
    let (short, _) = try bring("x.jsonl.zst", Array(zstd.dropLast(3)))
    #expect(short.status == 1 && short.errors.contains("its zstd data ends too early"), "\(short.errors)")
  }

  @Test func theListInADocumentIsFound() throws {
    let document = #"{"count": 2, "next": null, "items": [{"a": 1}, {"a": "]"}], "ok": true}"#
    let (outcome, rows) = try bring("x.json", document)
    #expect(rows == "{\"a\":\"1\"}\n{\"a\":\"]\"}\n")
    #expect(outcome.errors.contains("the list 'items'; --rows . takes the whole as one"), "\(outcome.errors)")
    #expect(try bring("x.json", document, "--rows", ".").1.contains("\"count\":2"))
    #expect(try bring("x.json", #"{"data": {"v-1": [{"a": 1}]}}"#, "--rows", "data.v-1").1 == "{\"a\":1}\n")
    let (missing, _) = try bring("x.json", document, "--rows", "rows")
    #expect(missing.status == 1 && missing.errors.contains("there is no array \"rows\""), "\(missing.errors)")
    // A sequence of objects, two lists, a list of numbers: nothing is guessed.
    for text in [
      #"{"a": 1, "l": [{"b": 1}]} {"a": 2, "l": [{"b": 2}]}"#, #"{"l": [{"b": 1}], "m": [{"b": 1}]}"#,
      #"{"l": [1, 2]}"#,
    ] {
      #expect(!(try bring("x.json", text).0.errors.contains("--rows")), "\(text)")
    }
  }

  @Test func rowsLeftOutAreAFailureUnlessAllowed() throws {
    let text = "a,b\n1,2\n3\n"
    let (outcome, _) = try bring("x.csv", text)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("1 row left out, all others are kept; with --allow-errors"), "\(outcome.errors)")
    #expect(try bring("x.csv", text, "--allow-errors").1 == "{\"a\":1,\"b\":2}\n")
  }

  @Test func severalFilesAreOneImport() throws {
    let store = workshop.path + "/several"
    let files = try (1...3).map { try workshop.file("f\($0).csv", "a\n\($0)\n" + ($0 == 2 ? "x\n" : "")) }
    let outcome = try Command.run(["import", store] + files + ["A", "--errors", workshop.path + "/bad"])
    #expect(outcome.status == 1)
    #expect(try Command.run([store, "-c", "COUNT A"]).output == "3\n")
    #expect(try workshop.text("bad").contains("f2.csv"))
  }

  @Test func aFileIsOpenedInMemory() throws {
    let file = try workshop.file("air ports.csv", "code,n\nLAX,5\nJFK,7\n")
    let outcome = try Command.run([file, "-c", "COUNT air_ports WHERE n > 5"])
    #expect(outcome.output == "1\n" && outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 objects of air_ports; changes stay there"), "\(outcome.errors)")
    let changed = try Command.run([file, "--yes", "-c", "DELETE air_ports; COUNT air_ports"])
    #expect(changed.output == "0\n")
    #expect(try workshop.text("air ports.csv").contains("LAX"))
    for text in ["a\n", ""] {
      let empty = try Command.run([try workshop.file("empty.csv", text), "-c", "COUNT empty"])
      #expect(empty.status == 2 && !empty.errors.contains("Failure("), "\(empty.errors)")
    }
  }
}
