internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// The sections of observed results, compared from step to step. It belongs to one observer.
///
/// If an object's section depends on its own properties alone, only changed objects are moved. Otherwise the sections are
/// found again.
final class SectionTracker {
  private let key: SortKeySyntax
  private let source: String
  private let isAscending: Bool?
  private(set) var sections: [TrackedSection] = []
  /// The difference that the last step made.
  private(set) var delta = SectionsDelta()
  /// The positions of sections that were there before the last step and have other objects since; nil if all sections
  /// were found again.
  private(set) var changed: [Int]?
  /// The number of steps so far.
  private(set) var step = 0

  /// The columns that decide which section an object is in, if they are its own; otherwise nil.
  private(set) var keyColumns: Set<UInt32>?
  private var rows: CompiledRows?
  private var sectionsByKey: [Value: TrackedSection] = [:]
  /// The section of each object; nil until it is needed.
  private var sectionsByObject: [ObjectNumber: TrackedSection]?

  /// - Parameter isAscending: Whether sections are in the order of their keys; nil for that of their first objects.
  init(by key: SortKeySyntax, source: String, isAscending: Bool?) {
    self.key = key
    self.source = source
    self.isAscending = isAscending
  }

  /// Compiles the key for a schema, and returns the columns that the sections depend on.
  func reads(_ query: CompiledQuery, for schema: StoredSchema) throws -> QueryReads? {
    let rows = try CompiledRows(
      QueryDescription(entity: query.entity.name),
      RowDescription(
        select: nil, sectionsBy: key.expression, sectionOptions: key.options, context: SourceContext(source: source)),
      schema: schema)
    let reads = rows.sectionReads
    keyColumns = reads.flatMap { $0.isOfEachObject ? $0.columns[query.entity.number] ?? [] : nil }
    self.rows = rows
    return reads
  }

  // MARK: All sections

  /// Finds the sections.
  func begin(_ selection: Selection, _ results: OrderedObjects, in snapshot: Snapshot) throws {
    sections = try selection.sections(by: key, source: source, isAscending: isAscending, in: snapshot)
      .map { TrackedSection($0.key, $0.objects, isAscending: results.isAscending) }
    sectionsByKey = [:]
    for section in sections { sectionsByKey[DistinctKey.of(section.key)] = section }
    sectionsByObject = nil
    changed = nil
  }

  /// Finds the sections again, in a version in which some objects are modified.
  func beginAgain(
    _ selection: Selection, _ results: OrderedObjects, modified: Set<ObjectNumber>, in snapshot: Snapshot
  ) throws {
    step += 1
    let before = sections.map(\.observed)
    try begin(selection, results, in: snapshot)
    delta = SectionsDelta(from: before, to: sections.map(\.observed), modified: modified)
  }

  // MARK: Changed objects

  /// What happens to the objects of one section in a step.
  private struct Step {
    let section: TrackedSection
    let first: ObjectNumber?
    var taken: [TakenObject] = []
    var entering: [ObjectNumber] = []
    var delta = ResultsDelta()

    /// Whether the section may have another place among sections in the order of their first objects.
    var isDisplaced: Bool {
      let now = section.objects.first
      return now != first || now.map(entering.contains) ?? false
    }
  }

  /// Moves changed objects to their sections, for results that have them already. Returns false if the sections must
  /// be found again instead.
  func follow(
    _ touched: TouchedObjects, _ results: OrderedObjects, modified: Set<ObjectNumber>, in snapshot: Snapshot
  ) throws -> Bool {
    guard keyColumns != nil, let rows, touched.objects.count <= max(64, results.count / 64) else { return false }
    var steps = try steps(touched, rows, isAscending: results.isAscending, in: snapshot)
    step += 1
    for index in steps.indices { rearrange(&steps[index], in: results) }
    let before = sections
    arrange(steps, in: results)
    report(steps, before, modified)
    return true
  }

  /// Finds out which objects leave and enter which sections.
  private func steps(
    _ touched: TouchedObjects, _ rows: CompiledRows, isAscending: Bool, in snapshot: Snapshot
  ) throws -> [Step] {
    var sectionsByObject = known()
    let unkeyed = touched.found.filter { sectionsByObject[$0] == nil || touched.rekeyed.contains($0) }
    var targets: [ObjectNumber: TrackedSection] = [:]
    for (key, objects) in unkeyed.isEmpty ? [] : try rows.sections(of: unkeyed.sorted(), in: snapshot) {
      let section = section(of: key, isAscending: isAscending)
      for object in objects { targets[object] = section }
    }
    var steps: [Step] = []
    var places: [ObjectIdentifier: Int] = [:]
    func place(_ section: TrackedSection) -> Int {
      if let place = places[ObjectIdentifier(section)] { return place }
      places[ObjectIdentifier(section)] = steps.count
      steps.append(Step(section: section, first: section.objects.first))
      return steps.count - 1
    }
    let found = Set(touched.found)
    var staying: Set<ObjectNumber> = []
    for object in touched.objects {
      guard let section = sectionsByObject[object], let position = section.objects.position(of: object) else {
        continue
      }
      if found.contains(object), targets[object] ?? section === section, !touched.reordered.contains(object) {
        staying.insert(object)
      } else {
        steps[place(section)].taken.append((object, position))
      }
    }
    for object in touched.found where !staying.contains(object) {
      guard let section = targets[object] ?? sectionsByObject[object] else { continue }
      steps[place(section)].entering.append(object)
      sectionsByObject[object] = section
    }
    for object in touched.objects where !found.contains(object) { sectionsByObject[object] = nil }
    self.sectionsByObject = sectionsByObject
    return steps
  }

  /// The section of each object. The caller keeps it, so that it is not copied when it changes.
  private func known() -> [ObjectNumber: TrackedSection] {
    defer { sectionsByObject = nil }
    if let sectionsByObject { return sectionsByObject }
    var known: [ObjectNumber: TrackedSection] = [:]
    known.reserveCapacity(sections.reduce(0) { $0 + $1.objects.count })
    for section in sections { for object in section.objects.all { known[object] = section } }
    return known
  }

  private func section(of key: Value, isAscending: Bool) -> TrackedSection {
    let distinct = DistinctKey.of(key)
    if let known = sectionsByKey[distinct] { return known }
    let section = TrackedSection(key, [], isAscending: isAscending)
    sectionsByKey[distinct] = section
    return section
  }

  private func rearrange(_ step: inout Step, in results: OrderedObjects) {
    step.taken.sort { $0.position < $1.position }
    step.section.objects.take(step.taken)
    let places = step.entering.map { step.section.objects.entry(of: $0, inOrderOf: results) }
    step.delta = step.section.objects.put(step.entering, at: places, taken: step.taken)
  }

  /// Puts sections that came or may have moved in their places, and drops empty ones.
  private func arrange(_ steps: [Step], in results: OrderedObjects) {
    var displaced: [TrackedSection] = []
    var removed: Set<ObjectIdentifier> = []
    for step in steps {
      let isNew = step.first == nil
      if step.section.objects.count == 0 {
        sectionsByKey[DistinctKey.of(step.section.key)] = nil
      } else if isNew || isAscending == nil && step.isDisplaced {
        displaced.append(step.section)
      } else {
        continue
      }
      if !isNew { removed.insert(ObjectIdentifier(step.section)) }
    }
    if !removed.isEmpty { sections.removeAll { removed.contains(ObjectIdentifier($0)) } }
    for section in displaced {
      let isAfter = comparison(with: section, in: results)
      sections.insert(section, at: OrderedObjects.first(in: 0..<sections.count) { isAfter(sections[$0]) })
    }
  }

  /// Whether other sections come after a section.
  private func comparison(with section: TrackedSection, in results: OrderedObjects) -> (TrackedSection) -> Bool {
    if let isAscending {
      return { isAscending ? section.key.sortsBefore($0.key) : $0.key.sortsBefore(section.key) }
    }
    func rank(_ section: TrackedSection) -> Int { section.objects.first.flatMap(results.position) ?? results.count }
    let own = rank(section)
    return { rank($0) > own }
  }

  /// Describes a step by positions.
  private func report(_ steps: [Step], _ before: [TrackedSection], _ modified: Set<ObjectNumber>) {
    let order = ResultsDelta(from: before.map { ObjectIdentifier($0) }, to: sections.map { ObjectIdentifier($0) })
    delta = SectionsDelta(order: order)
    changed = []
    let come = Set(delta.sectionInsertions)
    var entered: Set<ObjectNumber> = []
    for step in steps {
      guard let after = sections.firstIndex(where: { $0 === step.section }), !come.contains(after),
        let position = before.firstIndex(where: { $0 === step.section })
      else { continue }
      changed?.append(after)
      delta.add(step.delta, before: position, after: after)
      for move in step.delta.insertions + step.delta.moves.map(\.to) { entered.insert(step.section.objects[move]) }
    }
    for object in modified where !entered.contains(object) {
      guard let section = sectionsByObject?[object], let after = sections.firstIndex(where: { $0 === section }),
        !come.contains(after), let item = section.objects.position(of: object)
      else { continue }
      delta.modifications.append(SectionPosition(section: after, item: item))
    }
    delta.sort()
  }
}
