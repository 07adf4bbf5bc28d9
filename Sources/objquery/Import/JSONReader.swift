import CSimdjson
import Glibc

/// Reads objects from JSON lines, from an array of objects, or from a sequence of objects.
///
/// The elements of an array are found by their brackets and read one at a time, so a file may be larger than memory.
final class JSONReader: RecordReader {
  /// How the objects are arranged in the file.
  enum Layout: Equatable {
    /// An object a line.
    case lines
    /// An array of objects, or a sequence of objects.
    case document
    /// The array that these keys lead to from the only object in the file.
    case member([String])
  }

  private let window: ByteWindow
  private let layout: Layout
  private let isLines: Bool
  private let reader: OpaquePointer
  private var names: [String] = []
  private var state = State.start
  private var pending = 0

  private enum State { case start, inArray(first: Bool), sequence, end }

  init(_ window: ByteWindow, layout: Layout) throws(ByteWindow.Failure) {
    guard let reader = csj_reader_create() else {
      throw ByteWindow.Failure(path: window.path, reason: "there is not enough memory")
    }
    self.window = window
    self.layout = layout
    isLines = layout == .lines
    self.reader = reader
  }

  deinit { csj_reader_destroy(reader) }

  var offset: Int { window.offset }
  var fraction: Double { window.fraction }
  var notes: [String] { [] }

  func rewind() throws(ByteWindow.Failure) {
    try window.rewind()
    (state, pending) = (.start, 0)
  }

  func name(ofPath path: UInt32) -> String {
    while names.count < Int(csj_path_count(reader)) {
      var length = 0
      guard let text = csj_path_name(reader, names.count, &length) else { break }
      let name = String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
      let parent = csj_path_parent(reader, names.count)
      names.append(parent >= 0 && parent < names.count ? names[Int(parent)] + "." + name : name)
    }
    return names.indices.contains(Int(path)) ? names[Int(path)] : ""
  }

  func keepWhole(path: UInt32) { csj_keep_whole(reader, Int(path)) }

  func next() throws(ByteWindow.Failure) -> ReadOutcome {
    // The previous record is still in the buffer, because the texts of its arrays point into it.
    if pending > 0 { window.consume(pending, lines: isLines ? 0 : nil) }
    pending = 0
    if isLines { return try nextLine() }
    while true {
      switch state {
      case .start:
        if let trouble = try begin() { return trouble }
      case .inArray(let first):
        return try nextElement(first: first)
      case .sequence:
        guard let byte = try window.skipWhiteSpace() else { return .end }
        guard byte == UInt8(ascii: "{") else {
          return damaged("expected an object, found \(Self.shown(byte))")
        }
        return try value()
      case .end:
        guard let byte = try window.skipWhiteSpace() else { return .end }
        return damaged("\(Self.shown(byte)) after the end of the data")
      }
    }
  }

  // MARK: Lines

  private func nextLine() throws(ByteWindow.Failure) -> ReadOutcome {
    guard try window.skipWhiteSpace() != nil else { return .end }
    var searched = 0
    while true {
      let bytes = window.available
      if let start = bytes.baseAddress, let end = memchr(start + searched, 0x0A, bytes.count - searched) {
        pending = UnsafeRawPointer(end) - start
        return read(pending)
      }
      searched = bytes.count
      if window.isAtEnd {
        pending = bytes.count
        return read(bytes.count)
      }
      try window.fill()
    }
  }

  // MARK: Documents

  /// Steps to the first element.
  private func begin() throws(ByteWindow.Failure) -> ReadOutcome? {
    guard let byte = try window.skipWhiteSpace() else { return damaged("the file is empty") }
    if case .member(let keys) = layout { return try enter(keys) }
    switch byte {
    case UInt8(ascii: "["):
      window.consume(1)
      state = .inArray(first: true)
    case UInt8(ascii: "{"):
      state = .sequence
    default:
      return damaged("expected [ or {, found \(Self.shown(byte))")
    }
    return nil
  }

  private func nextElement(first: Bool) throws(ByteWindow.Failure) -> ReadOutcome {
    guard var byte = try window.skipWhiteSpace() else { return damaged("the file ends within the array") }
    if byte == UInt8(ascii: "]") {
      window.consume(1)
      state = .end
      if case .member = layout {
        // The rest of the object after the array is ignored: it is metadata.
        return .end
      }
      return try next()
    }
    if !first {
      guard byte == UInt8(ascii: ",") else { return damaged("expected , or ], found \(Self.shown(byte))") }
      window.consume(1)
      guard let following = try window.skipWhiteSpace() else { return damaged("the file ends within the array") }
      byte = following
      if byte == UInt8(ascii: "]") { return damaged("no object follows the last comma: leave the comma out") }
    }
    state = .inArray(first: false)
    return try value()
  }

  /// The value that begins at the next byte.
  private func value() throws(ByteWindow.Failure) -> ReadOutcome {
    switch try length() {
    case .complete(let length):
      pending = length
      return read(length)
    case .unbalanced(let length):
      window.consume(length)
      return damaged("a bracket does not fit the one that opened it")
    case .cut:
      return damaged("the file ends within the object that begins here")
    }
  }

  enum Length { case complete(Int), unbalanced(Int), cut }

  private func length() throws(ByteWindow.Failure) -> Length { try Self.length(window) }

  /// The length of the value at the next byte.
  static func length(_ window: ByteWindow) throws(ByteWindow.Failure) -> Length {
    while true {
      let bytes = window.available
      var end = 0
      switch csj_value_end(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, &end) {
      case csj_complete: return .complete(end)
      case csj_unbalanced: return .unbalanced(end)
      default: break
      }
      if window.isAtEnd {
        // A bare number at the very end has no terminator.
        return .cut
      }
      try window.fill()
    }
  }

  private func read(_ length: Int) -> ReadOutcome {
    let line = window.line
    guard csj_read(reader, window.available.bindMemory(to: CChar.self).baseAddress, length) else {
      var offset = 0
      let reason = csj_problem(reader, &offset).map { String(cString: $0) } ?? "not JSON"
      return .bad(line: line, reason: "\(reason) (byte \(window.offset + offset))")
    }
    var count = 0
    let fields = csj_fields(reader, &count)
    return .record(UnsafeBufferPointer(start: fields, count: count), line: line)
  }

  /// Steps into the array that keys lead to from the object at the next byte.
  private func enter(_ keys: [String]) throws(ByteWindow.Failure) -> ReadOutcome? {
    for (place, key) in keys.enumerated() {
      let opening = place == keys.count - 1 ? UInt8(ascii: "[") : UInt8(ascii: "{")
      if let trouble = try enter(key, opening) { return trouble }
    }
    window.consume(1)
    state = .inArray(first: true)
    return nil
  }

  /// Steps to the array or object under a key of the object at the next byte.
  private func enter(_ key: String, _ opening: UInt8) throws(ByteWindow.Failure) -> ReadOutcome? {
    guard window.available.first == UInt8(ascii: "{") else { return damaged("expected an object") }
    window.consume(1)
    let kind = opening == UInt8(ascii: "[") ? "array" : "object"
    while true {
      guard let quote = try window.skipWhiteSpace(and: UInt8(ascii: ",")) else {
        return damaged("the file ends before \"\(key)\"")
      }
      guard quote == UInt8(ascii: "\"") else { return damaged("there is no \(kind) \"\(key)\"") }
      guard case .complete(let nameLength) = try length() else { return damaged("the file ends before \"\(key)\"") }
      let name = window.available.dropFirst().prefix(nameLength - 2).elementsEqual(key.utf8)
      window.consume(nameLength)
      guard try window.skipWhiteSpace(and: UInt8(ascii: ":")) != nil else {
        return damaged("the file ends before \"\(key)\"")
      }
      if name, window.available.first == opening { return nil }
      switch try memberLength() {
      case .complete(let skipped): window.consume(skipped)
      case .unbalanced, .cut: return damaged("the file ends before \"\(key)\"")
      }
    }
  }

  /// The length of a member's value: unlike an element's, a bare word or number may be ended by a bracket.
  private func memberLength() throws(ByteWindow.Failure) -> Length {
    switch window.available.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return try length()
    default:
      var index = 0
      while true {
        let bytes = window.available
        while index < bytes.count, bytes[index] != UInt8(ascii: ","), bytes[index] != UInt8(ascii: "}") { index += 1 }
        if index < bytes.count { return .complete(index) }
        if window.isAtEnd { return .cut }
        try window.fill()
      }
    }
  }

  private func damaged(_ reason: String) -> ReadOutcome {
    .damaged(line: window.line, offset: window.offset, reason: reason)
  }

  private static func shown(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
  }
}
