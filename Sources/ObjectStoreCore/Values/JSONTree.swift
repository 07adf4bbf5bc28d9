internal import FoundationEssentials

/// JSON as a tree whose leaves are the original bytes, so that reading and writing loses nothing: a number keeps its
/// digits.
///
/// It reads only JSON that a decoder has accepted before, and does not diagnose errors.
indirect enum JSONTree: Hashable {
  /// A number, string or word.
  case leaf([UInt8])
  case array([JSONTree])
  /// The entries, in the order of the text.
  case object([Entry])

  struct Entry: Hashable {
    /// The unescaped bytes of the key: equal keys have equal bytes.
    let key: [UInt8]
    /// The original bytes of the key, with quotation marks.
    let keyBytes: [UInt8]
    var value: JSONTree
  }

  /// Reads JSON; nil for other bytes, or for a nesting of more than 512 levels.
  init?(_ bytes: [UInt8]) {
    var reader = JSONTreeReader(bytes)
    guard let tree = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = tree
  }

  /// The JSON, without spaces.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .leaf(let leaf): bytes += leaf
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let entries):
      bytes.append(UInt8(ascii: "{"))
      for (place, entry) in entries.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += entry.keyBytes
        bytes.append(UInt8(ascii: ":"))
        entry.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// The tree, with the stored entries that the program's type does not know.
  ///
  /// - Parameters:
  ///   - stored: The stored tree.
  ///   - known: The part of the stored tree that the program's type knows.
  func keeping(_ stored: JSONTree, beyond known: JSONTree) -> JSONTree {
    if self == known { return stored }
    switch (self, stored, known) {
    case (.object(let own), .object(let stored), .object(let known)):
      var merged = own.map { entry in
        guard let before = stored.value(of: entry.key), let known = known.value(of: entry.key) else { return entry }
        return Entry(key: entry.key, keyBytes: entry.keyBytes, value: entry.value.keeping(before, beyond: known))
      }
      merged += stored.filter { known.value(of: $0.key) == nil && own.value(of: $0.key) == nil }
      return .object(merged)
    case (.array(let own), .array(let stored), .array(let known)) where stored.count == known.count:
      // An element counts as an existing one only if it is equal, at any position.
      let places = Dictionary(zip(known, known.indices), uniquingKeysWith: { first, _ in first })
      return .array(
        own.enumerated().map { place, element in
          let former = known.indices.contains(place) && known[place] == element ? place : places[element]
          return former.map { stored[$0] } ?? element
        })
    case (.leaf, _, _), (.array, _, _), (.object, _, _): return self
    }
  }
}

extension [JSONTree.Entry] {
  /// The value of a key: of several, the last.
  fileprivate func value(of key: [UInt8]) -> JSONTree? { last { $0.key == key }?.value }
}

/// Cuts JSON into its parts.
private struct JSONTreeReader {
  private let bytes: [UInt8]
  private var position = 0

  private static let deepest = 512

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether only white space is left.
  var isAtEnd: Bool { bytes[position...].allSatisfy(Self.isSpace) }

  mutating func value(depth: Int) -> JSONTree? {
    guard depth <= Self.deepest, let first = next() else { return nil }
    switch first {
    case UInt8(ascii: "{"):
      var entries: [JSONTree.Entry] = []
      guard list(until: UInt8(ascii: "}"), { $0.entry(depth: depth, &entries) }) else { return nil }
      return .object(entries)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      let isWhole = list(until: UInt8(ascii: "]")) { reader in
        guard let element = reader.value(depth: depth + 1) else { return false }
        elements.append(element)
        return true
      }
      return isWhole ? .array(elements) : nil
    case UInt8(ascii: "\""): return string().map { .leaf($0) }
    default:
      let start = position
      while position < bytes.count, !Self.isDelimiter(bytes[position]) { position += 1 }
      return position > start ? .leaf(Array(bytes[start..<position])) : nil
    }
  }

  private mutating func entry(depth: Int, _ entries: inout [JSONTree.Entry]) -> Bool {
    guard next() == UInt8(ascii: "\""), let keyBytes = string(), let key = Self.unescaped(keyBytes),
      next() == UInt8(ascii: ":")
    else { return false }
    position += 1
    guard let value = value(depth: depth + 1) else { return false }
    entries.append(JSONTree.Entry(key: key, keyBytes: keyBytes, value: value))
    return true
  }

  /// Reads the items up to a closing bracket; false when it is missing.
  private mutating func list(until end: UInt8, _ item: (inout JSONTreeReader) -> Bool) -> Bool {
    position += 1
    if next() == end {
      position += 1
      return true
    }
    while item(&self) {
      guard let mark = next() else { return false }
      position += 1
      if mark == end { return true }
      guard mark == UInt8(ascii: ",") else { return false }
    }
    return false
  }

  /// The string here, with its quotation marks.
  private mutating func string() -> [UInt8]? {
    let start = position
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return Array(bytes[start..<position]) }
    }
    return nil
  }

  /// The unescaped bytes of a string given with its quotation marks.
  private static func unescaped(_ quoted: [UInt8]) -> [UInt8]? {
    guard quoted.contains(UInt8(ascii: "\\")) else { return Array(quoted.dropFirst().dropLast()) }
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))).map { Array($0.utf8) }
  }

  /// The next byte that is not white space, without consuming it.
  private mutating func next() -> UInt8? {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "\""):
      true
    default: isSpace(byte)
    }
  }
}
