internal import FoundationEssentials
public import FoundationInternationalization
public import ObjectStoreCore

// Apart from the rest, for Foundation declares `SortDescriptor` where it keeps the texts and rules of all languages: a
// program that only reads and writes objects starts sooner without them.
extension Results {
  /// In the order of several properties, the most significant first.
  ///
  /// ```swift
  /// quakes.sorted(by: [SortDescriptor(\.magnitude, order: .reverse), SortDescriptor(\.time)])
  /// ```
  ///
  /// Text is ordered by its UTF-8 bytes whatever comparator a descriptor has.
  public func sorted(by descriptors: [SortDescriptor<Object>]) -> Results {
    sorted(byKeyPaths: descriptors.map { ($0.keyPath, $0.order == .forward) })
  }
}
