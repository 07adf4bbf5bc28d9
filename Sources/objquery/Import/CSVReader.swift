import CSimdjson

/// Reads comma-separated values as defined by RFC 4180: quotes, line breaks within quotes, CRLF and LF, a byte order
/// mark. In tab-separated values it also reads `\t`, `\n`, `\r`, `\\` and `\"` in unquoted cells, and `\N` as nil.
///
/// The first line names the columns. Columns are separated by a comma, a semicolon or a tab, whichever the first line
/// uses, or by the character that a line `sep=;` before it names. Empty lines are skipped, unless there is only one column: then they are nil.
final class CSVReader: RecordReader {
  private let window: ByteWindow
  private let hasBackslashes: Bool
  private let reading: DelimitedReading
  private var separator = UInt8(ascii: ",")
  private var header: [String] = []
  /// The cells of the record last scanned.
  private let fields = FieldBuffer()
  /// Whether one of the cells contains escapes.
  private var hasEscapes = false
  /// The bytes of the window to skip before the next record, and the line breaks in them.
  private var pending = 0
  private var pendingLines = 0
  private(set) var notes: [String] = []

  private enum Scan { case complete(Int), stray, open, end }

  /// The kind of escapes in a cell, kept in its `integer` until they are replaced.
  private enum Escapes {
    static let quotes: Int64 = 1
    static let backslashes: Int64 = 2
  }

  /// Reads the header too.
  init(
    _ window: ByteWindow, form: DelimitedForm = .csv, reading: DelimitedReading = .usual
  ) throws(ByteWindow.Failure) {
    self.window = window
    self.reading = reading
    hasBackslashes = form == .tsv
    try skipLines()
    if form == .tsv { separator = form.delimiter } else if !(try takeSeparatorLine()) { chooseSeparator() }
    if let delimiter = reading.delimiter { separator = delimiter }
    if reading.hasHeader { try readHeader() } else { try countColumns() }
  }

  var offset: Int { window.offset }
  var fraction: Double { window.fraction }

  func name(ofPath path: UInt32) -> String { header.indices.contains(Int(path)) ? header[Int(path)] : "" }

  func rewind() throws(ByteWindow.Failure) {
    try window.rewind()
    pending = 0
    try skipLines()
    if !hasBackslashes { _ = try takeSeparatorLine() }
    if let delimiter = reading.delimiter { separator = delimiter }
    if reading.hasHeader, case .complete(let length) = try scan(isFirst: true) { window.consume(length) }
  }

  func next() throws(ByteWindow.Failure) -> ReadOutcome {
    if pending > 0 { window.consume(pending, lines: pendingLines) }
    pending = 0
    let scanned = try scan()
    let line = window.line
    switch scanned {
    case .end: return .end
    case .open:
      return .damaged(line: line, offset: window.offset, reason: "a quote opened in this record is never closed")
    case .stray:
      return .bad(line: line, reason: "text after a closing quote")
    case .complete(let length):
      pending = length
      guard fields.count == header.count else {
        let found = fields.count == 1 ? "1 field" : "\(fields.count) fields"
        return .bad(line: line, reason: "\(found) where the first line has \(header.count)")
      }
      if !reading.nulls.isEmpty { replaceNulls() }
      let bytes = window.mutableBytes
      guard bytes.withMemoryRebound(to: CChar.self, capacity: length, { csj_is_utf8($0, length) }) else {
        return .bad(line: line, reason: "not valid UTF-8; --encoding latin1 or another says what it is")
      }
      if hasEscapes { unescape() }
      if reading.hasDecimalComma { markNumbers() }
      return .record(fields.fields, line: line)
    }
  }

  // MARK: Cells as other programs write them

  private func markNumbers() {
    for index in 0..<fields.count
    where fields.room[index].kind == csj_untyped || fields.room[index].kind == csj_quoted {
      fields.room[index].integer = DelimitedReading.commaMark
    }
  }

  private func replaceNulls() {
    for index in 0..<fields.count where fields.room[index].kind == csj_untyped {
      let bytes = fields.room[index].bytes
      if reading.nulls.contains(where: { $0.elementsEqual(bytes) }) { fields.room[index].kind = csj_null }
    }
  }

  // MARK: The first line

  private func skipLines() throws(ByteWindow.Failure) {
    for _ in 0..<max(0, reading.skippedLines) {
      while true {
        let bytes = window.available
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          window.consume(end + 1)
          break
        }
        window.consume(bytes.count)
        if window.isAtEnd { return }
        try window.fill()
      }
    }
  }

  /// Names the columns of a file without names, by its first record, which stays to be read.
  private func countColumns() throws(ByteWindow.Failure) {
    guard case .complete = try scan(isFirst: true) else {
      throw ByteWindow.Failure(path: window.path, reason: "it has no first line to count the columns of")
    }
    header = (0..<fields.count).map { "column\($0 + 1)" }
    (pending, pendingLines) = (0, 0)
  }

  /// Consumes a line such as `sep=;`, which spreadsheets write before the first one.
  private func takeSeparatorLine() throws(ByteWindow.Failure) -> Bool {
    while window.available.count < 7, !window.isAtEnd { try window.fill() }
    var line = window.available.prefix { $0 != UInt8(ascii: "\n") }
    let end = line.count + 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count == 5, line.starts(with: "sep=".utf8), let named = line.last, named != UInt8(ascii: "\"") else {
      return false
    }
    separator = named
    window.consume(end)
    return true
  }

  private func chooseSeparator() {
    let line = window.available.prefix { $0 != UInt8(ascii: "\n") }
    // A comma may be within a number.
    if reading.hasDecimalComma || !line.contains(UInt8(ascii: ",")) {
      for candidate in [UInt8(ascii: "\t"), UInt8(ascii: ";")] where line.contains(candidate) {
        separator = candidate
        break
      }
    }
  }

  private func readHeader() throws(ByteWindow.Failure) {
    guard case .complete(let length) = try scan(isFirst: true) else {
      throw ByteWindow.Failure(path: window.path, reason: "it has no first line that names the columns")
    }
    if fields.fields.contains(where: { $0.kind != csj_quoted && $0.bytes.contains(UInt8(ascii: "\r")) }) {
      throw ByteWindow.Failure(
        path: window.path,
        reason: "its lines end in a carriage return alone: convert it first, as in 'tr \"\\r\" \"\\n\"'")
    }
    if hasEscapes { unescape() }
    for (index, field) in fields.fields.enumerated() {
      var name = trimmed(field.string)
      if name.isEmpty {
        name = "column\(index + 1)"
        notes.append("column \(index + 1) has no name in the first line: it is named \(name)")
      }
      if header.contains(name) {
        var number = 2
        while header.contains("\(name)\(number)") { number += 1 }
        notes.append("two columns are named '\(name)': the second is named \(name)\(number)")
        name += "\(number)"
      }
      header.append(name)
    }
    window.consume(length)
  }

  // MARK: Scanning

  /// Finds the cells of the record at the next byte that is not a line break.
  ///
  /// With a single column, an empty line is a record: only the line break of the previous record is skipped.
  private func scan(isFirst: Bool = false) throws(ByteWindow.Failure) -> Scan {
    let mostLines = header.count == 1 && !isFirst ? 1 : Int.max
    var lines = 0
    while true {
      var bytes = window.available
      var breaks = 0
      let linesBefore = lines
      while breaks < bytes.count, lines < mostLines,
        bytes[breaks] == UInt8(ascii: "\n") || bytes[breaks] == UInt8(ascii: "\r")
      {
        if bytes[breaks] == UInt8(ascii: "\n") { lines += 1 }
        breaks += 1
      }
      if breaks > 0 {
        window.consume(breaks, lines: lines - linesBefore)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[breaks...])
      }
      if bytes.isEmpty {
        if window.isAtEnd { return .end }
      } else if let found = scan(bytes, isLast: window.isAtEnd) {
        if case .stray = found {
          // Skips the line, so that the next record is read as if this one did not exist.
          let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
          (pending, pendingLines) = (end, 0)
        }
        return found
      }
      if window.isAtEnd { return .open }
      try window.fill()
    }
  }

  /// The cells of the record at the start of `bytes`; nil when the record may continue after them.
  ///
  /// A cell that contains escapes is marked in its `integer`.
  private func scan(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Scan? {
    // No byte is the last one.
    let quote = reading.quote.map(UInt16.init) ?? 0x100
    let lineFeed = UInt8(ascii: "\n")
    let carriageReturn = UInt8(ascii: "\r")
    let backslash = UInt8(ascii: "\\")
    let (separator, hasBackslashes) = (separator, hasBackslashes)
    let count = bytes.count
    // The state that changes with each cell is kept in local variables and stored at the end.
    var room = fields.room
    var found = 0
    var index = 0
    var lines = 0
    var hasEscapes = false
    defer {
      fields.take(found)
      (self.pendingLines, self.hasEscapes) = (lines, hasEscapes)
    }
    while true {
      var field = Field()
      field.path = UInt32(truncatingIfNeeded: found)
      var start = index
      var end = index
      if index < count, UInt16(bytes[index]) == quote {
        field.kind = csj_quoted
        index += 1
        start = index
        while true {
          while index < count, UInt16(bytes[index]) != quote {
            if bytes[index] == lineFeed { lines += 1 }
            index += 1
          }
          if index >= count { return isLast ? .open : nil }
          if index + 1 >= count, !isLast { return nil }
          guard index + 1 < count, UInt16(bytes[index + 1]) == quote else { break }
          field.integer = Escapes.quotes
          hasEscapes = true
          index += 2
        }
        end = index
        index += 1
        if index < count, bytes[index] == carriageReturn, index + 1 >= count || bytes[index + 1] == lineFeed {
          if index + 1 >= count, !isLast { return nil }
          index += 1
        }
        if index < count, bytes[index] != separator, bytes[index] != lineFeed {
          return isLast || bytes[index...].contains(lineFeed) ? .stray : nil
        }
      } else {
        while index < count, bytes[index] != separator, bytes[index] != lineFeed { index += 1 }
        end = index
        if index > start, index >= count || bytes[index] == lineFeed, bytes[index - 1] == carriageReturn {
          end = index - 1
        }
        field.kind = start == end ? csj_null : csj_untyped
        if hasBackslashes, bytes[start..<end].contains(backslash) {
          if end == start + 2, bytes[start + 1] == UInt8(ascii: "N") {
            field.kind = csj_null
            end = start
          } else {
            field.integer = Escapes.backslashes
            hasEscapes = true
          }
        }
      }
      if index >= count, !isLast { return nil }
      field.text = bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
      field.length = end - start
      if found == room.count {
        fields.grow()
        room = fields.room
      }
      room[found] = field
      found += 1
      if index >= count { return .complete(count) }
      if bytes[index] == lineFeed { return .complete(index) }
      index += 1
    }
  }

  /// Replaces the escapes in the cells that have them.
  private func unescape() {
    for index in 0..<fields.count where fields.room[index].integer != 0 {
      var field = fields.room[index]
      let bytes = UnsafeMutableRawPointer(mutating: field.text).assumingMemoryBound(to: UInt8.self)
      let cell = UnsafeMutableBufferPointer(start: bytes, count: field.length)
      field.length =
        field.integer == Escapes.quotes
        ? Self.unescapeQuotes(cell, reading.quote ?? UInt8(ascii: "\"")) : Self.unescapeBackslashes(cell)
      field.integer = 0
      fields.room[index] = field
    }
  }

  /// Replaces two quotes by one; returns the number of bytes left.
  private static func unescapeQuotes(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ quote: UInt8) -> Int {
    var source = 0
    var target = 0
    while source < bytes.count {
      if bytes[source] == quote { source += 1 }
      guard source < bytes.count else { break }
      bytes[target] = bytes[source]
      source += 1
      target += 1
    }
    return target
  }

  /// Replaces the escapes `\t`, `\n`, `\r`, `\\` and `\"`; returns the number of bytes left. A backslash before any
  /// other character stays.
  private static func unescapeBackslashes(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var source = 0
    var target = 0
    while source < bytes.count {
      var byte = bytes[source]
      source += 1
      if byte == UInt8(ascii: "\\"), source < bytes.count, let meant = meaning(bytes[source]) {
        byte = meant
        source += 1
      }
      bytes[target] = byte
      target += 1
    }
    return target
  }

  private static func meaning(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): byte
    default: nil
    }
  }
}
