/// Finds the name somebody probably meant.
public enum Suggestion {
  /// The name among `candidates` nearest to `name`, or nil when none is near enough to be worth saying.
  public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    candidates.first { $0.lowercased() == name.lowercased() }
  }
}
