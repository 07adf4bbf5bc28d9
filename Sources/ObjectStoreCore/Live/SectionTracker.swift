internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// A section of observed results: its key and the objects in it, in order.
struct ObservedSection {
  let key: Value
  /// Equal for the keys that are one section.
  let identity: Value
  var objects: [ObjectNumber]

  init(key: Value, objects: [ObjectNumber]) {
    self.key = key
    identity = DistinctKey.of(key)
    self.objects = objects
  }
}

/// The sections of observed results, compared from step to step. It belongs to one observer.
///
/// Where only some objects changed, and each by itself says which section it is in, these are taken out of their sections
/// and put into those they now belong to. Otherwise all sections are found again.
final class SectionTracker {
  private let key: SortKeySyntax
  private let source: String
  private let isAscending: Bool?
  /// Whether an object's own columns say in which section it is.
  private var isOfEachObject = false
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
    let reads = try selection.adding(.distinct([key.expression], SourceContext(source: source))).query(for: schema)
      .reads
    isOfEachObject = !reads.goesBeyondObject
    return reads
  }

  /// Finds the sections for the first time.
  func begin(_ selection: Selection, in snapshot: Snapshot) throws {
    sections = try found(selection, in: snapshot)
  }

  /// Goes on to a version in which some objects are modified.
  ///
  /// - Parameters:
  ///   - objects: The results.
  ///   - asked: The objects that can have come, gone, moved or changed their section, ascending; nil if others can too.
  func follow(
    _ selection: Selection, _ objects: OrderedObjects, asked: [ObjectNumber]?, modified: Set<ObjectNumber>,
    in snapshot: Snapshot
  ) throws {
    let before = sections
    if let asked, isOfEachObject, asked.count <= Self.fewObjects {
      try move(asked, among: objects, selection, in: snapshot)
    } else {
      sections = try found(selection, in: snapshot)
    }
    delta = SectionsDelta(from: before, to: sections, modified: modified)
  }

  /// To move more than these costs about as much as to find the sections again.
  private static let fewObjects = 64

  private func found(
    _ selection: Selection, given: [ObjectNumber]? = nil, in snapshot: Snapshot
  ) throws -> [ObservedSection] {
    try selection.sections(by: key, source: source, isAscending: isAscending, given: given, in: snapshot)
      .map { ObservedSection(key: $0.key, objects: $0.objects) }
  }

  /// Puts objects into the sections that they now belong to.
  private func move(
    _ asked: [ObjectNumber], among objects: OrderedObjects, _ selection: Selection, in snapshot: Snapshot
  ) throws {
    // The sections, by their keys' identities, whose place among the others may be another one.
    var displaced: Set<Value> = []
    for object in asked {
      for section in sections.indices {
        guard let item = sections[section].objects.firstIndex(of: object) else { continue }
        sections[section].objects.remove(at: item)
        if item == 0 { displaced.insert(sections[section].identity) }
        break
      }
    }
    let there = asked.filter { objects.position(of: $0) != nil }
    for part in there.isEmpty ? [] : try found(selection, given: there, in: snapshot) {
      let section: Int
      if let known = sections.firstIndex(where: { $0.identity == part.identity }) {
        section = known
      } else {
        section = sections.count
        sections.append(ObservedSection(key: part.key, objects: []))
        displaced.insert(part.identity)
      }
      for object in part.objects {
        let position = objects.position(of: object) ?? objects.count
        let item = sections[section].objects.firstPosition { (objects.position(of: $0) ?? 0) > position }
        sections[section].objects.insert(object, at: item)
        if item == 0 { displaced.insert(part.identity) }
      }
    }
    if displaced.isEmpty { return }
    let moving = sections.filter { displaced.contains($0.identity) && !$0.objects.isEmpty }
    sections.removeAll { displaced.contains($0.identity) }
    for section in moving {
      sections.insert(section, at: sections.firstPosition { isBefore(section, $0, among: objects) })
    }
  }

  /// Whether a section stands before another one.
  private func isBefore(_ section: ObservedSection, _ other: ObservedSection, among objects: OrderedObjects) -> Bool {
    func first(_ section: ObservedSection) -> Int { section.objects.first.flatMap(objects.position) ?? objects.count }
    guard let isAscending, section.key.sortsBefore(other.key) || other.key.sortsBefore(section.key) else {
      return first(section) < first(other)
    }
    return isAscending ? section.key.sortsBefore(other.key) : other.key.sortsBefore(section.key)
  }
}

extension Array {
  /// The position of the first element with a property that all elements behind it have as well.
  fileprivate func firstPosition(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
