import ObjectStoreCore
import TestSeeds
import Testing

@testable import objquery

/// What every mode prints, against what the plainest code prints of the same values.
@Suite struct PlainOutputTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private static let texts = [
    "", " ", "a", "a b", " a", "a ", ",", "\"", "\"\"", "a,b", "say \"no\"", "\n", "a\nb", "\r\n", "a\rb", "\t", "a\tb",
    "\\",
    "a\\n", "|", "a|b|", "\0", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9F}", "\u{A0}", "\u{202E}x", "\u{2028}", "\u{2029}",
    "é",
    "e\u{301}", "日本", "👩‍👩‍👧", "…", "–", "nil", "NULL", "null", String(repeating: "long ", count: 30),
    String(repeating: "x", count: 15), String(repeating: "x", count: 16),
    String(repeating: "x", count: 31) + ",", String(repeating: "ü", count: 40) + "\"",
  ]
  private static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, -0.25, 0.1, 0.0001, 0.00001, 1e9, 1e15, 1e16, 1e17, 5e-324, .pi, .nan, -.nan, .infinity,
    -.infinity,
    .greatestFiniteMagnitude, 123_456.789, 999_999_999.999999,
  ]
  private static let values: [Value] =
    texts.map { .string($0) } + numbers.map { .double($0) } + numbers.map { .float(Float($0)) }
    + [Int64.min, -10, -1, 0, 1, 9, 10, 1_000_000, .max].map { .int($0) }
    + [
      0, -0.5, -978_307_200, -978_307_200.25, -1.5, -5e9, 0.1, 0.123456, 0.1234567, 592_299_475.57712, 1e10, 3e11,
      -1e11,
      1e300, .nan, .infinity,
    ].map { .date(Instant(seconds: $0)) }
    + [
      .null, .bool(true), .bool(false), .uuid(UUIDBytes(high: 0, low: .max)),
      .uuid(UUIDBytes(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)), .data([]), .data([0]), .data([1, 2]),
      .data([255, 254, 253]), .list([]), .embedded([]), link,
    ]
  private static let link = Value.object(ObjectReference(entity: "Quake", number: ObjectNumber(7)))

  /// Values of all kinds, some within lists and structs.
  private static func value(_ numbers: inout SeededNumbers, depth: Int = 0) -> Value {
    switch depth < 3 ? Int.random(in: 0..<12, using: &numbers) : 0 {
    case 10: .list((0..<Int.random(in: 0..<4, using: &numbers)).map { _ in value(&numbers, depth: depth + 1) })
    case 11:
      .embedded(
        (0..<Int.random(in: 0..<4, using: &numbers)).map { place in
          EmbeddedField(name: "f\"\(place)", value: value(&numbers, depth: depth + 1))
        })
    default: values.randomElement(using: &numbers) ?? .null
    }
  }

  private func output(_ style: OutputStyle, _ headings: [String], _ rows: [[Value]]) throws -> String {
    let sink = try OutputSink.file(workshop.path + "/out")
    let shape = OutputShape(columns: headings.map { ResultColumn(heading: $0, content: .text) })
    let writer = style.writer(shape, identity: 0, sink: sink)
    try writer.begin()
    for row in rows { try writer.row(row) }
    try writer.end()
    try sink.finish()
    return try workshop.text("out")
  }

  @Test(arguments: PlainOutput.modes) func everyValue(_ mode: OutputMode) throws {
    try check(mode, ["v"], Self.values.map { [$0] })
    try check(mode, ["a", "w,\"x", "é"], Self.values.map { [$0, .list([$0, .null]), .embedded([])] })
    try check(mode, ["v"], [])
  }

  /// A text that is more than is handed on at once.
  @Test(arguments: [OutputMode.csv, .tsv, .json, .jsonl, .line, .ids]) func aLongText(_ mode: OutputMode) throws {
    let rows = (0..<3).map { [Value.string(String(repeating: "0123456789", count: 20_000) + "\n"), .int($0)] }
    try check(mode, ["text", "n"], rows)
  }

  @Test(arguments: PlainOutput.modes) func randomRows(_ mode: OutputMode) throws {
    var numbers = SeededNumbers(testSeed())
    for width in 1...5 {
      let rows = (0..<200).map { _ in (0..<width).map { _ in Self.value(&numbers) } }
      try check(mode, (0..<width).map { "c\($0)" }, rows)
    }
  }

  private func check(_ mode: OutputMode, _ headings: [String], _ rows: [[Value]]) throws {
    for null in [nil, "", "a,b", "-"] {
      var style = OutputStyle()
      style.mode = mode
      style.nullText = null
      let expected = PlainOutput(style: style, headings: headings).text(rows)
      let found = try output(style, headings, rows)
      guard found.utf8.elementsEqual(expected.utf8) else {
        let lines = zip(found.split(separator: "\n"), expected.split(separator: "\n"))
        let first = lines.first { $0 != $1 }
        Issue.record("\(mode): \(first?.0.prefix(200) ?? "other lines") for \(first?.1.prefix(200) ?? "others")")
        return
      }
    }
  }
}
