/// Moments as ISO 8601 text: reading what people and programs write, printing one form. It knows no other calendars.
public enum ISO8601 {
  /// The moment that `text` names, or nil when it is not a date.
  public static func instant(_ text: String) -> Instant? { nil }

  /// `2018-02-07T01:02:03.5Z`: UTC, with the least fraction that reads back as the same moment.
  public static func text(_ instant: Instant) -> String { "" }
}
