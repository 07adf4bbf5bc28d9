/// Whether whoever asked for a query still waits for it: told of every step of a loop over objects, elements or keys, it
/// asks now and then, and ends the query by an error when nobody does.
///
/// It does not know what a step is, but that many of them take no time worth telling of. One for each thread.
final class Patience {
  private let isCancelled: (() -> Bool)?
  private var steps = 0

  /// How many steps go by without a question, at most.
  static let interval = 1024

  /// Without a way to tell, it lasts for ever.
  init(_ isCancelled: (() -> Bool)? = nil) { self.isCancelled = isCancelled }

  /// Asks at once.
  @inline(__always)
  func check() throws {
    if let isCancelled, isCancelled() { throw QueryCancelled() }
  }

  /// Takes a step.
  @inline(__always)
  func step() throws { try step(1) }

  /// Takes several.
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
    _ patience: Patience, by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) throws -> [Element] {
    try sorted { left, right in
      try patience.step()
      return try areInIncreasingOrder(left, right)
    }
  }
}

extension [UInt64] {
  /// From how many numbers on it takes a while to sort them.
  private static var long: Int { 1 << 16 }

  /// Ascending. Few numbers are sorted at once.
  mutating func sort(_ patience: Patience) throws {
    if count < Self.long { return sort() }
    try sort { left, right in
      try patience.step()
      return left < right
    }
  }
}
