/// The position of an object in results that are in sections.
public struct SectionPosition: Hashable, Sendable {
  /// The section, from 0.
  public var section: Int
  /// The object within its section, from 0.
  public var item: Int

  /// The position of an object in a section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A step of observed sections: first the sections as they are, then each change.
///
/// To follow along in an array of arrays, call ``apply(to:)``. It deletes the objects at `deletions`, then the sections at
/// `sectionDeletions`, each from the back to the front; then it inserts the sections at `sectionInsertions`, whole, and the
/// objects at `insertions`, each ascending.
public enum SectionsChange<Object: Model, Key: Sendable>: Sendable {
  /// The sections as they are when the observation begins.
  case initial([ResultsSection<Object, Key>])
  /// The sections after a change. `sectionDeletions` and `deletions` are positions before it; `sectionInsertions`,
  /// `insertions`, and `modifications` of objects that stayed in their place are positions after it. A section or object
  /// that moves is deleted and inserted. The objects of sections that come or go are not listed.
  case update(
    [ResultsSection<Object, Key>], sectionDeletions: [Int], sectionInsertions: [Int], deletions: [SectionPosition],
    insertions: [SectionPosition], modifications: [SectionPosition])
}

extension SectionsChange {
  /// Turns the identities of the objects before the change, section by section, into those after it.
  ///
  /// ```swift
  /// var shown: [[ObjectID<Quake>]] = []
  /// for try await change in quakes.sectioned(by: \.net).changes() { try change.apply(to: &shown) }
  /// ```
  ///
  /// - Parameter ids: The identities before the change, an array for each section; any for the initial one.
  /// - Throws: `IndexOutOfRange` when the array is not as it was after the change before; then the array is unchanged.
  public func apply(to ids: inout [[ObjectID<Object>]]) throws {
    switch self {
    case .initial(let sections): ids = sections.map(\.ids)
    case .update(let sections, let sectionDeletions, let sectionInsertions, let deletions, let insertions, _):
      var new = ids
      for position in deletions.reversed() {
        try position.section.check(in: new.indices)
        try position.item.check(in: new[position.section].indices)
        new[position.section].remove(at: position.item)
      }
      for section in sectionDeletions.reversed() {
        try section.check(in: new.indices)
        new.remove(at: section)
      }
      for section in sectionInsertions {
        try section.check(in: 0..<new.count + 1)
        try section.check(in: sections.indices)
        new.insert(sections[section].ids, at: section)
      }
      for position in insertions {
        try position.section.check(in: new.indices)
        try position.section.check(in: sections.indices)
        try position.item.check(in: 0..<new[position.section].count + 1)
        try position.item.check(in: 0..<sections[position.section].count)
        new[position.section].insert(sections[position.section].id(at: position.item), at: position.item)
      }
      ids = new
    }
  }
}

extension Int {
  fileprivate func check(in range: Range<Int>) throws {
    guard range.contains(self) else { throw IndexOutOfRange(index: self, count: range.count) }
  }
}

/// The changes of results in sections, one after the other, as they happen: ``SectionedResults/changes(keyPaths:)``.
///
/// Each `for try await` observes on its own.
public struct SectionsChanges<Object: Model, Key: Sendable>: AsyncSequence, Sendable {
  /// A step of the sections.
  public typealias Element = SectionsChange<Object, Key>

  let sectioned: SectionedResults<Object, Key>
  let paths: Result<[String]?, any Error>
  /// Names the observations, for `store.write(withoutNotifying:)`.
  public let token: ObservationToken

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One observation. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let observation: SectionsObservation<Object, Key>

    init(_ changes: SectionsChanges) {
      observation = SectionsObservation(changes.sectioned, paths: changes.paths, token: changes.token)
    }

    /// Waits for the next change; nil when the task was cancelled.
    ///
    /// - Throws: `QueryError` for errors in the query or in the key paths, usually at the first step; `QueryCancelled`;
    ///   `StoreError` if the store cannot be read, or a limit of it is exceeded.
    public mutating func next() async throws -> SectionsChange<Object, Key>? {
      try await observation.next()
    }
  }
}

extension SectionedResults {
  /// The sections, and then what each commit changes about them, by this process or another.
  ///
  /// ```swift
  /// for try await change in quakes.sectioned(by: \.net).changes() {
  ///   switch change {
  ///   case .initial(let sections): show(sections)
  ///   case .update(let sections, let gone, let come, let deletions, let insertions, let modifications):
  ///     show(sections)
  ///     print(gone, come, deletions, insertions, modifications)
  ///   }
  /// }
  /// ```
  ///
  /// As with ``Results/changes(keyPaths:)``, the sections show the version that the change is about, changes that come
  /// meanwhile are one, and the sequence ends with the task. A commit that can't matter costs next to nothing. One
  /// that does costs what it changes, if the predicate, the order and the sections depend on each object's own properties
  /// alone; otherwise, and with a limit, the sections are found again, which takes the time of ``sections()``.
  ///
  /// - Parameter keyPaths: The properties whose changes are modifications; all when empty.
  /// - Throws: at the first step `QueryError` for what is wrong with the query; at each `StoreError` when the store can't be
  ///   read.
  public func changes(keyPaths: [PartialKeyPath<Object>] = []) -> SectionsChanges<Object, Key> {
    SectionsChanges(sectioned: self, paths: Object.observedPaths(keyPaths), token: ObservationToken())
  }
}
