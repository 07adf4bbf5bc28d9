public import FoundationInternationalization
public import ObjectStoreCore

extension ObservedQuery {
  /// The order of the objects, the most significant first; that of the results observed where it is empty.
  ///
  /// ```swift
  /// live.sort = [SortDescriptor(\.magnitude, order: .reverse), SortDescriptor(\.time)]
  /// ```
  ///
  /// What is wrong with it is thrown by the changes.
  public var sort: [SortDescriptor<Object>] {
    get { sortAsSet as? [SortDescriptor<Object>] ?? [] }
    set { setSort(newValue) { $0.sorted(by: newValue) } }
  }
}
