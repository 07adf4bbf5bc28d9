/// Nanoseconds that `body` takes, by the monotonic clock: the median of `repetitions` after a warm-up. What is shorter
/// than a millisecond is done several times in each, so that the clock itself does not count.
func median(_ repetitions: Int, _ body: () throws -> Void) rethrows -> Double {
  try body()
  let once = try nanoseconds(body)
  let times = max(1, min(1_000, Int(1e6 / max(once, 1))))
  var measured: [Double] = []
  for _ in 0..<max(1, repetitions) {
    measured.append(try nanoseconds { for _ in 0..<times { try body() } } / Double(times))
  }
  return median(of: measured)
}

/// The one in the middle; 0 of none.
func median(of values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// What `body` takes, once.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  seconds(try ContinuousClock().measure { try body() }) * 1e9
}

/// A duration in seconds.
func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// Keeps a result from being optimised away.
@inline(never) func blackHole<Result>(_ value: Result) {}
