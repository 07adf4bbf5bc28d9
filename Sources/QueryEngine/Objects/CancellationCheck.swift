/// Polls for cancellation every `interval` steps of a loop over objects, elements or keys, and throws `QueryCancelled`
/// once the caller no longer waits. It also counts the memory that the query holds. One for each thread.
///
/// It does not depend on the kind of step.
final class CancellationCheck {
  private let isCancelled: (() throws -> Bool)?
  private let memory: MemoryBudget?
  private var steps = 0
  /// Why work on a long string was abandoned; its result means nothing.
  private var failure: (any Error)?

  /// The maximum number of steps between two polls.
  static let interval = 1024
  /// The steps that one part of an AND or OR counts as, for one cluster: a predicate may have ten thousand parts.
  static let stepsPerPart = 64

  /// Without a closure the check never cancels, and without a budget it counts no memory.
  init(_ isCancelled: (() throws -> Bool)? = nil, _ memory: MemoryBudget? = nil) {
    self.isCancelled = isCancelled
    self.memory = memory
  }

  /// Counts memory that the query holds from now on.
  @inline(__always)
  func hold(_ bytes: Int) throws {
    if let memory { try memory.hold(bytes) }
  }

  /// Polls now.
  @inline(__always)
  func check() throws {
    try throwIfGivenUp()
    if let isCancelled, try isCancelled() { throw QueryCancelled() }
  }

  /// Polls within work that cannot throw. Once this returns true, the result of that work must not be used.
  func isGivenUp() -> Bool {
    do {
      try check()
      return false
    } catch {
      failure = error
      return true
    }
  }

  /// Throws if the result of some work must not be used. It does not poll.
  @inline(__always)
  func throwIfGivenUp() throws {
    if let failure { throw failure }
  }

  /// Runs `body`, within which work on long strings polls too.
  func during<R>(_ body: () throws -> R) throws -> R {
    if isCancelled == nil { return try body() }
    do {
      let result = try LongText.during({ self.isGivenUp() }, body)
      try throwIfGivenUp()
      return result
    } catch {
      // A result that means nothing may have led to another error.
      throw failure ?? error
    }
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

  /// Calls `body` with parts of a range in order, and polls before each, for loops that should contain nothing else.
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
  /// Sorts as `sorted(by:)` does, but throws if the query is cancelled.
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
  /// The count from which sorting takes noticeable time.
  private static var long: Int { 1 << 16 }

  /// Sorts in ascending order. A short array is sorted without polling.
  mutating func sort(_ cancellation: CancellationCheck) throws {
    if count < Self.long { return sort() }
    try sort { left, right in
      try cancellation.step()
      return left < right
    }
  }
}
