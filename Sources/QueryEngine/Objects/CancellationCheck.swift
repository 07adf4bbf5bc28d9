/// Polls for cancellation every `interval` steps of a loop over objects, elements or keys, and throws `QueryCancelled`
/// once the caller no longer waits. One for each thread.
///
/// It does not know what a step does.
final class CancellationCheck {
  private let isCancelled: (() -> Bool)?
  private var steps = 0

  /// The most steps between two polls.
  static let interval = 1024

  /// Without a closure it never cancels.
  init(_ isCancelled: (() -> Bool)? = nil) { self.isCancelled = isCancelled }

  /// Polls now.
  @inline(__always)
  func check() throws {
    if let isCancelled, isCancelled() { throw QueryCancelled() }
  }

  /// Counts a step.
  @inline(__always)
  func step() throws { try step(1) }

  /// Counts several steps.
  @inline(__always)
  func step(_ count: Int) throws {
    steps &+= count
    if steps >= Self.interval { try ask() }
  }

  @inline(never)
  private func ask() throws {
    steps = 0
    try check()
  }

  /// Calls `body` with parts of a range, one after the other, and asks before each: for loops that are to have nothing
  /// else in them.
  @inline(__always)
  func forEachPart(_ count: Int, _ body: (Range<Int>) throws -> Void) throws {
    var start = 0
    while start < count {
      try check()
      let end = min(count, start &+ 4 &* Self.interval)
      try body(start..<end)
      start = end
    }
  }
}

extension Sequence {
  /// Sorted as `sorted(by:)` does, unless nobody waits for it any more.
  func sorted(
    _ cancellation: CancellationCheck, by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) throws -> [Element] {
    try sorted { left, right in
      try cancellation.step()
      return try areInIncreasingOrder(left, right)
    }
  }
}

extension [UInt64] {
  /// From how many numbers on it takes a while to sort them.
  private static var long: Int { 1 << 16 }

  /// Ascending. Few numbers are sorted at once.
  mutating func sort(_ cancellation: CancellationCheck) throws {
    if count < Self.long { return sort() }
    try sort { left, right in
      try cancellation.step()
      return left < right
    }
  }
}
