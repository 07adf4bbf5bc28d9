/// A point in time: seconds since 2001-01-01 00:00:00 UTC as a `Double`, with the same bits as Foundation's `Date`.
///
/// It knows nothing of calendars or text; see `CivilDate` and `ISO8601`.
public struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 2001-01-01 00:00:00 UTC (Foundation's `timeIntervalSinceReferenceDate`).
  public var seconds: Double

  /// 1970-01-01 00:00:00 UTC to 2001-01-01 00:00:00 UTC, in seconds.
  public static let secondsFrom1970To2001: Double = 978_307_200

  /// A moment by seconds since 2001-01-01 00:00:00 UTC.
  public init(seconds: Double) { self.seconds = seconds }

  /// A moment by seconds since 1970-01-01 00:00:00 UTC.
  public init(secondsSince1970: Double) { seconds = secondsSince1970 - Self.secondsFrom1970To2001 }

  /// Seconds since 1970-01-01 00:00:00 UTC.
  public var secondsSince1970: Double { seconds + Self.secondsFrom1970To2001 }

  /// Whether `left` is earlier.
  public static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
}

extension Instant {
  /// Creates an instant from whole seconds since 1970-01-01 00:00:00 UTC and nanoseconds after it (before it, if
  /// negative), rounded once to the precision of an instant.
  public init(secondsSince1970 seconds: Int, nanoseconds: Int) {
    self.init(
      seconds: (Double(seconds) - Self.secondsFrom1970To2001) + Double(nanoseconds) / 1_000_000_000)
  }
}
