/// Counts steps, for tests that check how work grows, and how much of it lies between two questions whether to go on: bytes
/// read, tokens, nodes created and visited, rows, keys, plans. Does nothing in release builds.
package final class StepCounter: @unchecked Sendable {
  /// All steps so far.
  package private(set) var steps = 0

  package init() {}

  @inline(__always)
  package func add(_ more: Int) { steps += more }

  #if DEBUG
    /// The counter of the current task, or nil if steps are not counted.
    @TaskLocal package static var current: StepCounter?
  #endif

  /// The number of steps that `body` takes; nil in a release build, which does not count.
  package static func count(_ body: () throws -> Void) rethrows -> Int? {
    #if DEBUG
      let counter = StepCounter()
      try $current.withValue(counter) { try body() }
      return counter.steps
    #else
      try body()
      return nil
    #endif
  }

  /// Counts steps of the current task, if it has a counter.
  @inline(__always)
  package static func add(_ more: Int = 1) {
    #if DEBUG
      current?.add(more)
    #endif
  }
}
