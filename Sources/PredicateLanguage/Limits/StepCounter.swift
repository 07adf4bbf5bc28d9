/// Counts what reading and printing do, for tests that hold it against the length of a text: bytes looked at, tokens
/// cut, nodes made and visited. Release builds have none of it.
package final class StepCounter: @unchecked Sendable {
  /// All steps so far.
  package private(set) var steps = 0

  package init() {}

  @inline(__always)
  package func add(_ more: Int) { steps += more }

  #if DEBUG
    /// The counter of the task at hand, if somebody counts.
    @TaskLocal package static var current: StepCounter?
  #endif

  /// The steps that `body` takes; nil in a release build, which cannot tell.
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

  /// Counts steps of whoever is at work, where somebody counts.
  @inline(__always)
  package static func add(_ more: Int = 1) {
    #if DEBUG
      current?.add(more)
    #endif
  }
}
