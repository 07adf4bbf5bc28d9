import ObjectStoreCore
import Testing

@testable import objquery

@Suite struct OutputTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private static let columns = [
    Column(path: "name", kind: .scalar(.string), isOptional: true, defaultValue: .null),
    Column(path: "mag", kind: .scalar(.double), isOptional: true, defaultValue: .null),
    Column(path: "at", kind: .presence, isOptional: true, defaultValue: .null),
    Column(path: "at.x", kind: .scalar(.int), isOptional: true, defaultValue: .null),
  ]
  private static let entity = Entity(
    name: "Quake",
    properties: [
      Property(name: "name", type: .scalar(.string), isOptional: true),
      Property(name: "mag", type: .scalar(.double), isOptional: true),
      Property(name: "at", type: .embedded("At"), isOptional: true),
    ])
  private static let rows: [[Value]] = [
    [.string("Zürich, 日本"), .double(5), .bool(true), .int(-1)],
    [.string("say \"a|b\"\n\u{1B}[2J"), .double(.nan), .null, .null],
    [.string(""), .null, .bool(true), .null],
    [.null, .double(-0.25), .null, .null],
  ]

  private func output(_ style: OutputStyle, _ shape: OutputShape? = nil, rows: [[Value]] = rows) throws -> String {
    let sink = try OutputSink.file(workshop.path + "/out")
    let shape = shape ?? OutputShape(entity: Self.entity, columns: Self.columns)
    let writer = style.writer(shape, identity: 0, sink: sink)
    try writer.begin()
    for row in rows { try writer.row(row) }
    try writer.end()
    try sink.finish()
    return try workshop.text("out")
  }

  /// `geojson` is of objects with a place: see `DrawnOutputTests`.
  @Test(arguments: OutputMode.allCases.filter { $0 != .geojson }) func everyMode(_ mode: OutputMode) throws {
    var style = OutputStyle()
    style.mode = mode
    style.entity = "Quake"
    try Golden.check("mode-\(mode.rawValue)", try output(style))
    try Golden.check("mode-\(mode.rawValue)-none", try output(style, rows: []))
  }

  @Test func stylesOfTheUser() throws {
    var style = OutputStyle()
    style.mode = .csv
    style.headers = false
    style.nullText = "NULL"
    let row: [[Value]] = [[.string("NULL"), .null, .bool(true), .int(1)]]
    #expect(try output(style, rows: row) == "NULL,NULL,1\n")
    style.mode = .tsv
    #expect(try output(style, rows: [[.string("a\tb\\\n"), .null, .null, .null]]) == "a\\tb\\\\\\n\tNULL\tNULL\n")
    style.mode = .box
    #expect(try output(style, rows: row).hasPrefix("┌────────┬──────┬───┐\n│ \"NULL\" │ NULL │ 1 │\n"))
  }

  @Test func typesBelowTheNames() throws {
    var style = OutputStyle()
    style.mode = .table
    style.showsTypes = true
    let expected = """
      +--------+--------+------+
      | name   | mag    | at.x |
      | String | Double | Int  |
      +--------+--------+------+
      | "nil"  |    1.0 |  nil |
      +--------+--------+------+

      """
    #expect(try output(style, rows: [[.string("nil"), .double(1), .null, .null]]) == expected)
    style.headers = false
    #expect(try !output(style).contains("Double"))
  }

  /// A table of any length takes the memory of its first rows: the others are written as they come.
  @Test func longTablesAreWrittenAsTheyCome() throws {
    let sink = try OutputSink.file(workshop.path + "/out")
    var style = OutputStyle()
    style.mode = .box
    let writer = style.writer(OutputShape(entity: Self.entity, columns: Self.columns), identity: nil, sink: sink)
    try writer.begin()
    for number in 0..<TableWriter.sample {
      try sink.flush()
      #expect(try workshop.text("out").isEmpty, "the widths are not known before row \(number)")
      try writer.row([.string("short"), .double(1), .bool(true), .int(Int64(number))])
    }
    try sink.flush()
    #expect(try workshop.text("out").contains("│  \(TableWriter.sample - 1) │"))
    let long = String(repeating: "long ", count: 9) + "."
    try writer.row([.string(long), .null, .null, .null])
    try writer.gap("… 7 more")
    try sink.flush()
    let lines = try workshop.text("out").split(separator: "\n")
    #expect(lines.last == "│ … 7 more           │", "\(lines)")
    #expect(lines.dropLast().last?.hasPrefix("│ \(long) │") == true, "a file gets the whole text")
    try writer.end()
    try sink.finish()
    #expect(try workshop.text("out").hasSuffix("│ … 7 more           │\n└───────┴─────┴──────┘\n"))
  }

  @Test func textsGetTheRoomOfAWideScreen() {
    func fit(_ widths: [Int], limit: Int, isSample: Bool) -> [Int] {
      TableFit(widths: widths, isText: [true, false], frame: { $0 * 3 + 1 }, limit: limit, isSample: isSample).widths
    }
    #expect(fit([20, 5], limit: 100, isSample: true) == [40, 5], "twice the room of the sample")
    #expect(fit([20, 5], limit: 40, isSample: true) == [28, 5], "no more than there is")
    #expect(fit([20, 5], limit: 100, isSample: false) == [20, 5])
    #expect(fit([50, 5], limit: 40, isSample: true) == [28, 5])
  }

  @Test func selectedColumns() throws {
    let inner = ResultColumn(heading: "x", content: .number)
    let shape = OutputShape(
      columns: [
        ResultColumn(heading: "m", content: .number),
        ResultColumn(heading: "where", content: .structure(isOptional: true, [inner])),
      ])
    var style = OutputStyle()
    style.mode = .jsonl
    let rows: [[Value]] = [[.double(5), .bool(true), .int(1)], [.double(5), .null, .null]]
    #expect(try output(style, shape, rows: rows) == "{\"m\":5.0,\"where\":{\"x\":1}}\n{\"m\":5.0,\"where\":null}\n")
    style.mode = .csv
    #expect(try output(style, shape, rows: rows) == "m,where.x\n5.0,1\n5.0,\n")
  }

  @Test func valuesAsJSON() {
    let values: [(Value, String)] = [
      (.null, "null"), (.bool(false), "false"), (.int(.min), "-9223372036854775808"), (.double(1e300), "1e+300"),
      (.float(0.1), "0.1"), (.double(.infinity), "\"inf\""), (.double(-.infinity), "\"-inf\""),
      (.double(.nan), "\"nan\""), (.date(Instant(seconds: 0.5)), "\"2001-01-01T00:00:00.5Z\""),
      (.data([1, 2, 255]), "\"AQL/\""), (.string("\u{0}\u{7F}\"\\\u{1F600}"), "\"\\u0000\\u007f\\\"\\\\\u{1F600}\""),
      (.list([.int(1), .string("a")]), "[1,\"a\"]"),
      (.embedded([EmbeddedField(name: "a", value: .embedded([]))]), "{\"a\":{}}"),
    ]
    for (value, text) in values { #expect(ValueText.json(value) == text) }
  }

  @Test func widthsAndCuts() {
    #expect(Screen.width("abc") == 3)
    #expect(Screen.clipped("abcdef", to: 4) == "abc…")
    #expect(Screen.clipped("abcd", to: 4) == "abcd")
    #expect(Screen.harmless("a\u{1B}]0;x\u{7}\u{9B}b\u{202E}") == "a\\u{1B}]0;x\\u{7}\\u{9B}b\\u{202E}")
    #expect(fit([5, 100, 60], limit: 80).reduce(10, +) <= 80 && fit([5, 100, 60], limit: 80)[0] == 5)
    #expect(fit(Array(repeating: 20, count: 30), limit: 80).count == 5)
    #expect(fit([500], limit: nil) == [500])
    #expect(fit([], limit: 10) == [])
    // A date is whole, or left out: half of it is another moment.
    #expect(fit([60, 24, 60], texts: [true, false, true], limit: 80) == [23, 24, 23])
    #expect(fit([60, 24, 24], texts: [true, false, false], limit: 50) == [12, 24])
  }

  private func fit(_ widths: [Int], texts: [Bool]? = nil, limit: Int?) -> [Int] {
    let texts = texts ?? widths.map { _ in true }
    return TableFit(widths: widths, isText: texts, frame: { $0 * 3 + 1 }, limit: limit).widths
  }

  @Test func aFullDiskIsAnError() throws {
    let sink = try OutputSink.file("/dev/full")
    try sink.write("x")
    #expect(throws: CommandFailure.self) { try sink.flush() }
    #expect(throws: CommandFailure.self) { try OutputSink.file("/nowhere/x") }
  }
}
