internal import FoundationEssentials
public import FoundationInternationalization
public import ObjectStoreCore

// In a separate module, since Foundation declares `SortDescriptor` in the part with the localisation data of all
// languages: programs that only read and write objects start faster without it.
extension Results {
  /// The results in the order of several properties, most significant first.
  ///
  /// ```swift
  /// let strongest = quakes.sorted(by: [SortDescriptor(\.magnitude, order: .reverse), SortDescriptor(\.time)])
  /// ```
  ///
  /// Text is ordered by its UTF-8 bytes: Foundation on Linux has no comparator but `.lexical`.
  /// `sorted(by:order:options:)` orders text for people.
  public func sorted(by descriptors: [SortDescriptor<Object>]) -> Results {
    sorted(byKeyPaths: descriptors.map { ($0.keyPath, $0.order == .forward) })
  }
}
