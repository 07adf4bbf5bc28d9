/// Texts of queries, some at a time, that a store cannot know any more: between two uses of one there are more others than
/// it remembers.
struct NewTexts {
  /// How many at a time.
  static let count = 100
  private let texts: [String]
  private var used = 0

  /// - Parameter text: The text with a number in it.
  init(_ text: (Int) -> String) { texts = (0..<20 * Self.count).map(text) }

  /// Those that were not used for longest.
  mutating func next() -> ArraySlice<String> {
    defer { used = (used + Self.count) % texts.count }
    return texts[used..<used + Self.count]
  }
}
