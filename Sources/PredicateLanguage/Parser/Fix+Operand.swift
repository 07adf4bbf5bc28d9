package import Diagnostics

extension Fix {
  /// Leaves out an operand and the AND or OR before it; nil if neither is before it.
  ///
  /// - Parameter operand: Its range in the source; one outside of it has nothing before it.
  package static func leavingOut(_ operand: SourceRange, of source: String) -> Fix? {
    let bytes = Array(source.utf8)
    guard operand.upperBound <= bytes.count else { return nil }
    func start(from end: Int, while isPart: (UInt8) -> Bool) -> Int {
      var start = end
      while start > 0, isPart(bytes[start - 1]) { start -= 1 }
      return start
    }
    let end = start(from: operand.lowerBound, while: Lexer.isBlank)
    let isWord = end > 0 && Lexer.continuesWord(bytes[end - 1])
    let first = start(from: end) { isWord ? Lexer.continuesWord($0) : "&|".utf8.contains($0) }
    let joint = String(decoding: bytes[first..<end], as: UTF8.self)
    guard ["AND", "OR", "&&", "||"].contains(joint.uppercased()) else { return nil }
    let left = String(decoding: bytes[operand.lowerBound..<operand.upperBound], as: UTF8.self)
    return Fix(
      message: "leave '\(joint) \(left)' out",
      range: SourceRange(start(from: first, while: Lexer.isBlank), operand.upperBound), replacement: "")
  }
}
