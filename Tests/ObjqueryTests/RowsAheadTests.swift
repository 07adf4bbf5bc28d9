import ObjectStoreCore
import Testing

@testable import objquery

/// Rows read ahead against the same rows made one by one.
@Suite struct RowsAheadTests {
  private static let entity = Entity(
    name: "Thing",
    properties: [
      Property(name: "code", type: .scalar(.string)), Property(name: "n", type: .scalar(.int), isOptional: true),
      Property(name: "owner", type: .link("Thing"), isOptional: true),
    ], indexes: [Index(kind: .unique, paths: ["code"])])
  private static let schema = Schema(entities: [entity])

  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func builder() -> RowBuilder {
    RowBuilder(
      columns: Self.schema.columns(of: Self.entity), entity: Self.entity, schema: Self.schema, paths: [:], dates: [:])
  }

  private func reader(_ path: String) throws -> any RecordReader {
    let window = try ByteWindow(path: path, chunk: 1 << 12)
    return try ImportFormat.detect(path: path, window: window).reader(window)
  }

  private func show(_ values: some Collection<Value>, _ identity: ObjectNumber?, links: Int) -> String {
    "\(ValueText.json(.list(Array(values)))) \(identity.map { "\($0.rawValue)" } ?? "-") \(links)"
  }

  /// Each record's line and what became of it, and how it ends.
  private func expected(_ path: String) throws -> [String] {
    let (reader, builder) = (try reader(path), builder())
    var lines: [String] = []
    while true {
      switch try reader.next() {
      case .record(let record, let line):
        if let reason = builder.problem(record, of: reader) {
          lines.append("\(line): BAD \(reason)")
        } else {
          guard case .row(let row) = builder.linked() else { continue }
          lines.append("\(line): " + show(builder.values, builder.identity, links: row.links.count))
        }
      case .bad(let line, let reason): lines.append("\(line): BAD \(reason)")
      case .end: return lines + ["end"]
      case .damaged(let line, let offset, let reason): return lines + ["\(line): DAMAGED \(reason) @\(offset)"]
      }
    }
  }

  /// At most so many of them, and how it ends when that is sooner.
  private func transcript(_ rows: RowsAhead, atMost count: Int = .max) -> [String] {
    var lines: [String] = []
    while lines.count < count {
      guard rows.step() else {
        switch rows.block.ending {
        case .end: return lines + ["end"]
        case .damaged(let line, let offset, let reason): return lines + ["\(line): DAMAGED \(reason) @\(offset)"]
        default: return lines + ["none"]
        }
      }
      let (line, content) = rows.block.contents[rows.place]
      let values = rows.block.row(rows.place)
      switch content {
      case .row: lines.append("\(line): " + show(values, nil, links: 0))
      case .numbered(let number): lines.append("\(line): " + show(values, number, links: 0))
      case .linked(let linked):
        lines.append("\(line): " + show(values, linked.identity, links: linked.row(values, of: "Thing").links.count))
      case .bad(let reason): lines.append("\(line): BAD \(reason)")
      }
    }
    return lines
  }

  /// Good and bad records of many kinds, enough for several blocks.
  private func text(_ count: Int) -> String {
    var text = ""
    for index in 0..<count {
      switch index % 13 {
      case 3: text += #"{"code":"c\#(index)","n":"x"}"#
      case 5: text += #"{"code":"c\#(index)","n":1"#
      case 6: text += #"{"@id":\#(index + 1),"code":"c\#(index)"}"#
      case 7: text += #"{"code":"c\#(index)","owner":"c\#(index - 4)"}"#
      case 8: text += #"{"code":"c\#(index)","owner":{"code":"d\#(index)","n":5}}"#
      case 9: text += #"{"code":"c\#(index)","owner":{"code":"d\#(index)","n":"y"}}"#
      case 10: text += "\n"
      case 11: text += #"{"n":1}"#
      default: text += #"{"code":"a code that is no short text \#(index)","n":\#(index)}"#
      }
      text += "\n"
    }
    return text
  }

  @Test func rowsComeInOrder() throws {
    let path = try workshop.file("x.jsonl", text(9000))
    let rows = RowsAhead(try reader(path), builder(), width: 3)
    defer { rows.stop() }
    let found = transcript(rows)
    #expect(try found == expected(path))
    #expect(!rows.step(), "the end stays the end")
  }

  /// A transaction that begins again reads its records again.
  @Test(arguments: [1, 2048, 5000]) func readingAgainFromTheMiddle(_ count: Int) throws {
    let path = try workshop.file("x.jsonl", text(9000))
    let (reader, builder, expected) = (try reader(path), builder(), try expected(path))
    let first = RowsAhead(reader, builder, width: 3)
    #expect(transcript(first, atMost: count) == Array(expected.prefix(count)))
    first.stop()
    try reader.rewind()
    for _ in 0..<count { _ = try reader.next() }
    let second = RowsAhead(reader, builder, width: 3)
    #expect(transcript(second) == Array(expected.dropFirst(count)))
    second.stop()
  }

  @Test func damageComesAfterTheRowsBeforeIt() throws {
    let records = (0..<3000).map { #"{"code":"c\#($0)"}"# }
    let path = try workshop.file("x.json", "[" + records.joined(separator: ",\n") + ",\n{\"code\":")
    let rows = RowsAhead(try reader(path), builder(), width: 3)
    defer { rows.stop() }
    let found = transcript(rows)
    #expect(found.count == 3001 && found.last?.hasPrefix("3001: DAMAGED") == true)
    #expect(try found == expected(path))
  }

  /// Blocks are bounded by what is read for them, too.
  @Test func largeRecordsFillABlock() throws {
    let long = String(repeating: "long ", count: 60_000)
    let lines = (0..<40).map { #"{"code":"\#($0) \#(long)","n":\#($0)}"# }
    let path = try workshop.file("x.jsonl", lines.joined(separator: "\n"))
    let rows = RowsAhead(try reader(path), builder(), width: 3)
    defer { rows.stop() }
    var (numbers, most) = ([Value](), 0)
    while rows.step() {
      numbers.append(rows.block.row(rows.place)[1])
      most = max(most, rows.block.contents.count)
    }
    #expect(numbers == (0..<40).map { .int($0) })
    #expect(most < 8)
  }

  @Test func stoppingWhileMuchIsLeft() throws {
    let path = try workshop.file("x.jsonl", text(20_000))
    for count in [0, 1, 3000] {
      let rows = RowsAhead(try reader(path), builder(), width: 3)
      #expect(transcript(rows, atMost: count).count == count)
      rows.stop()
    }
  }
}
