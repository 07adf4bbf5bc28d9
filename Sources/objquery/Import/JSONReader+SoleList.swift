extension JSONReader {
  /// The key of the only list of objects in a file that is one object, beside which are only texts, numbers, truth values
  /// and nulls: as in `{"count": 2, "items": [{…}, {…}]}`. nil for any other file. Returns the window to its start.
  ///
  /// A list may be larger than memory: its elements are stepped over one by one.
  static func soleList(_ window: ByteWindow) throws(ByteWindow.Failure) -> String? {
    let found = try find(window)
    try window.rewind()
    return found
  }

  private static func find(_ window: ByteWindow) throws(ByteWindow.Failure) -> String? {
    guard try window.skipWhiteSpace() == UInt8(ascii: "{") else { return nil }
    window.consume(1)
    var list: String?
    while let byte = try window.skipWhiteSpace(and: UInt8(ascii: ",")) {
      if byte == UInt8(ascii: "}") {
        window.consume(1)
        // Another object below makes it a sequence of objects.
        return try window.skipWhiteSpace() == nil ? list : nil
      }
      guard byte == UInt8(ascii: "\""), let name = try text(window), try window.skipWhiteSpace() == UInt8(ascii: ":")
      else { return nil }
      window.consume(1)
      guard let first = try window.skipWhiteSpace() else { return nil }
      switch first {
      case UInt8(ascii: "{"): return nil
      case UInt8(ascii: "["):
        guard list == nil, try stepOverObjects(window) else { return nil }
        list = name
      case UInt8(ascii: "\""): if try text(window) == nil { return nil }
      default: try stepOverWord(window)
      }
    }
    return nil
  }

  /// Steps over a text and returns it, without regard to escapes.
  private static func text(_ window: ByteWindow) throws(ByteWindow.Failure) -> String? {
    guard case .complete(let length) = try length(window) else { return nil }
    let text = String(decoding: window.available.prefix(length).dropFirst().dropLast(), as: UTF8.self)
    window.consume(length)
    return text
  }

  /// Steps over a list; false when it has anything but objects, or none.
  private static func stepOverObjects(_ window: ByteWindow) throws(ByteWindow.Failure) -> Bool {
    window.consume(1)
    var count = 0
    while let byte = try window.skipWhiteSpace(and: UInt8(ascii: ",")) {
      if byte == UInt8(ascii: "]") {
        window.consume(1)
        return count > 0
      }
      guard byte == UInt8(ascii: "{"), case .complete(let length) = try length(window) else { return false }
      window.consume(length)
      count += 1
    }
    return false
  }

  /// Steps over a number or a word.
  private static func stepOverWord(_ window: ByteWindow) throws(ByteWindow.Failure) {
    while true {
      let bytes = window.available
      let end = bytes.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
      window.consume(end ?? bytes.count)
      if end != nil || window.isAtEnd { return }
      try window.fill()
    }
  }
}
