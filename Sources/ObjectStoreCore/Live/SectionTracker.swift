internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// The sections of observed results, compared from step to step. It belongs to one observer.
final class SectionTracker {
  private let key: SortKeySyntax
  private let source: String
  private let isAscending: Bool?
  private(set) var sections: [ObservedSection] = []
  /// The difference that the last step made.
  private(set) var delta = SectionsDelta()

  /// - Parameter isAscending: Whether sections are in the order of their keys; nil for that of their first objects.
  init(by key: SortKeySyntax, source: String, isAscending: Bool?) {
    self.key = key
    self.source = source
    self.isAscending = isAscending
  }

  /// The columns that the sections depend on, those of the results among them.
  func reads(_ selection: Selection, for schema: StoredSchema) throws -> QueryReads {
    try selection.adding(.distinct([key.expression], SourceContext(source: source))).query(for: schema).reads
  }

  /// Finds the sections for the first time.
  func begin(_ selection: Selection, in snapshot: Snapshot) throws {
    sections = try found(selection, in: snapshot)
  }

  /// Goes on to a version in which some objects are modified.
  func follow(_ selection: Selection, modified: Set<ObjectNumber>, in snapshot: Snapshot) throws {
    let before = sections
    sections = try found(selection, in: snapshot)
    delta = SectionsDelta(from: before, to: sections, modified: modified)
  }

  private func found(_ selection: Selection, in snapshot: Snapshot) throws -> [ObservedSection] {
    try selection.sections(by: key, source: source, isAscending: isAscending, in: snapshot)
  }
}
