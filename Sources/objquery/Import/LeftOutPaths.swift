/// The paths of the data that no property takes, in the order in which they were met, each once.
///
/// It does not know why they are left out.
struct LeftOutPaths {
  private(set) var paths: [String] = []
  private var known: Set<String> = []

  /// Adds a path, unless it is there.
  mutating func add(_ path: String) { if known.insert(path).inserted { paths.append(path) } }

  /// Whether a path or one around it is there.
  func cover(_ path: String) -> Bool {
    known.contains(path) || path.indices.contains { path[$0] == "." && known.contains(String(path[..<$0])) }
  }
}
