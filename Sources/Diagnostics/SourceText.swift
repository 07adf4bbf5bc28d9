/// A text split into lines, for finding the line and column of an offset.
public struct SourceText: Sendable {
  let bytes: [UInt8]
  /// Where each line starts. A line ends with LF, CR LF or CR.
  private let lineStarts: [Int]
  /// The UTF-16 offsets of some UTF-8 offsets.
  let utf16Marks: [Int]

  /// A line and a column, both from 1; columns count characters.
  public struct Position: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int
  }

  /// Finds the lines of a text.
  public init(_ text: String) {
    bytes = Array(text.utf8)
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\n"): starts.append(offset + 1)
      case UInt8(ascii: "\r") where offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n"):
        starts.append(offset + 1)
      default: break
      }
    }
    lineStarts = starts
    utf16Marks = Self.marks(bytes)
  }

  /// The number of lines; an empty text has one.
  public var lineCount: Int { lineStarts.count }

  /// The line and column of a UTF-8 offset; offsets outside the text count as its ends.
  public func position(of offset: Int) -> Position {
    let offset = clamped(offset)
    let line = lineIndex(of: offset)
    let column = String(decoding: bytes[lineStarts[line]..<offset], as: UTF8.self).count
    return Position(line: line + 1, column: column + 1)
  }

  /// The offsets of a line (from 1) without its line break; an empty range when there is no such line.
  func line(_ number: Int) -> Range<Int> {
    guard 1...lineStarts.count ~= number else { return 0..<0 }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// The text of a range of offsets, which is cut to what there is.
  func text(_ range: Range<Int>) -> String {
    let start = clamped(range.lowerBound)
    return String(decoding: bytes[start..<max(start, clamped(range.upperBound))], as: UTF8.self)
  }

  func clamped(_ offset: Int) -> Int { min(max(offset, 0), bytes.count) }

  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
