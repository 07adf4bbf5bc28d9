/// What one observation of sections last reported. It is used by one task.
final class SectionsObservation<Object: Model, Key: Sendable>: @unchecked Sendable {
  private let sectioned: SectionedResults<Object, Key>
  private let observer: ResultsObserver
  private let tracker: SectionTracker
  /// The sections as last reported; nil before the first time.
  private var sections: [ResultsSection<Object, Key>]?
  /// The step of the tracker that they are the sections of.
  private var step = 0

  init(
    _ sectioned: SectionedResults<Object, Key>, paths: Result<[String]?, any Error>, token: ObservationToken
  ) {
    self.sectioned = sectioned
    tracker = sectioned.tracker
    observer = ResultsObserver(sectioned.results.selection, paths: paths, token: token, sections: tracker)
  }

  /// Waits for the next change; nil when the task was cancelled.
  func next() async throws -> SectionsChange<Object, Key>? {
    guard try await observer.next() != nil else { return nil }
    let source = observer.results.source
    func section(_ section: TrackedSection) throws -> ResultsSection<Object, Key> {
      try sectioned.section(section.key, section.objects.chunks, in: source)
    }
    // Steps in between, about writes that leave this observation out, were not reported.
    guard var current = sections, let changed = tracker.changed, step == tracker.step - 1 else {
      let isFirst = sections == nil
      let current = try tracker.sections.map(section)
      sections = current
      step = tracker.step
      return isFirst ? .initial(current) : update(current)
    }
    // The array that was reported is changed in place, unless it is still in use.
    sections = []
    for position in tracker.delta.sectionDeletions.reversed() { current.remove(at: position) }
    for position in tracker.delta.sectionInsertions {
      current.insert(try section(tracker.sections[position]), at: position)
    }
    for position in changed { current[position].replace(tracker.sections[position].objects.chunks) }
    sections = current
    step = tracker.step
    return update(current)
  }

  private func update(_ sections: [ResultsSection<Object, Key>]) -> SectionsChange<Object, Key> {
    let delta = tracker.delta
    return .update(
      sections, sectionDeletions: delta.sectionDeletions, sectionInsertions: delta.sectionInsertions,
      deletions: delta.deletions, insertions: delta.insertions, modifications: delta.modifications)
  }
}
