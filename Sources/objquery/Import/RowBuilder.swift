import CSimdjson
import ObjectStoreCore

/// Makes a row of values, in the order of an entity's columns, of each record.
///
/// It knows which field goes to which column; it does not know the file's format or the store.
final class RowBuilder {
  private let columns: [Column]
  private let template: [Value]
  private let leaves: [String: Leaf]
  private let structures: [String: [Int]]
  private let requirements: [Requirement]
  private let propertyPaths: [String: String]
  /// Memory for a row where the caller has none.
  private let own: UnsafeMutableBufferPointer<Value>
  /// Where the row last built is.
  private var row: UnsafeMutableBufferPointer<Value>
  private var actions: [Action?] = []
  /// Which path of the data has a column.
  private var owners: [Int: Owner] = [:]
  /// Paths of the data that have no property, those in structs of lists last.
  var leftOut: [String] { ownLeftOut + lists.flatMap(\.leftOut) }
  private var ownLeftOut: [String] = []
  /// How the lists of structs are read.
  private let lists: [StructListReading]
  /// The objects within, and whether this is one of them.
  private unowned let nested: NestedRows
  /// The same where nobody else holds it.
  private let held: NestedRows?
  private let isNested: Bool
  private let entity: String
  /// Whether it matters which columns were given: for what links, or is linked.
  private let notesGiven: Bool
  /// The number that the object has in the data, of the row last built.
  private(set) var identity: ObjectNumber?
  /// What the links of the row last built lead to.
  private var links: [LinkedRow.Link] = []
  /// The columns that were given, perhaps more than once.
  private var given: [Int] = []
  /// The columns that have no value and need one, of an object within another.
  private var missing: [Int] = []

  /// What to do with a field.
  private enum Action {
    case ignore, identity, leaf(Leaf), structure([Int])
    /// A column of single values, in no struct that may be nil: most are so, and nothing is counted to get at it.
    case value(column: Int, ValueReading)
  }

  /// A path of the data that a column is filled from.
  private struct Owner {
    var path: Int
    var name: String
    /// Whether it was asked for or has the property's own name.
    var isExact: Bool
  }

  /// A column, how to read it, and the presence columns of the structs around it.
  private final class Leaf {
    let column: Int
    let reading: ValueReading
    /// How to read a collection; nil for single values.
    let collection: CollectionReading?
    /// How to read links; nil for values.
    let link: LinkReading?
    /// How to read a list of structs; nil for what is none.
    let list: StructListReading?
    let presence: [Int]

    init(
      column: Int, reading: ValueReading, collection: CollectionReading? = nil, link: LinkReading? = nil,
      list: StructListReading? = nil, presence: [Int]
    ) {
      self.column = column
      self.reading = reading
      self.collection = collection
      self.link = link
      self.list = list
      self.presence = presence
    }

    /// Whether objects there are not looked into.
    var isWhole: Bool { collection != nil || link != nil || list != nil }

    var action: Action { isWhole || !presence.isEmpty ? .leaf(self) : .value(column: column, reading) }
  }

  /// A column that must have a value when the structs around it are there.
  private struct Requirement {
    var column: Int
    var presence: Int?
    /// What it has when it is not given: a collection no elements.
    var substitute: Value?
    /// The default that is made anew for each object.
    var generated: GeneratedDefault?
  }

  /// - Parameters:
  ///   - columns: the columns of the rows, as the inserter has them.
  ///   - schema: where `entity` is declared, for defaults and what may be nil.
  ///   - nested: reads the objects within.
  ///   - paths: the property for each path of the data that does not have the property's name.
  init(
    columns: [Column], entity: Entity, schema: Schema, paths: [String: String], dates: [String: DateReading],
    nested: NestedRows? = nil, isNested: Bool = false
  ) {
    self.columns = columns
    self.entity = entity.name
    self.isNested = isNested
    let nested = nested ?? NestedRows(schema: schema) { schema.entity(named: $0).map(schema.columns) ?? [] }
    self.nested = nested
    held = isNested ? nil : nested
    propertyPaths = paths
    let position = Dictionary(columns.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    var template = [Value](repeating: .null, count: columns.count)
    var leaves: [String: Leaf] = [:]
    var structures: [String: [Int]] = [:]
    var requirements: [Requirement] = []

    let elements = ElementReader()
    var lists: [StructListReading] = []
    let structLists = StructList.lists(in: columns)
    func collect(_ properties: [Property], prefix: String, presence: [Int], enclosing: Set<String>) {
      for property in properties {
        let path = prefix + property.name
        switch property.type {
        case .scalar, .array, .set, .dictionary:
          guard let column = position[path] else { continue }
          let type = columns[column].element
          let reading = ValueReading(type: type, dates: dates[path])
          var collection: CollectionReading?
          var declared = property.defaultValue ?? .null
          if case .collection(let kind, _) = columns[column].kind {
            collection = CollectionReading(kind: kind, element: reading, reader: elements)
            // What is not given has no elements.
            if property.defaultValue == nil, !property.isOptional { declared = kind.empty }
          }
          if presence.isEmpty { template[column] = declared }
          if let generated = property.generatedDefault {
            requirements.append(Requirement(column: column, presence: presence.last, generated: generated))
          } else if !property.isOptional, presence.isEmpty ? declared.isNull : true {
            requirements.append(
              Requirement(column: column, presence: presence.last, substitute: collection?.kind.empty))
          }
          leaves[path] = Leaf(column: column, reading: reading, collection: collection, presence: presence)
        case .embedded(let name):
          guard let structure = schema.structure(named: name), !enclosing.contains(name) else { continue }
          let around = presence + (position[path].map { [$0] } ?? [])
          structures[path] = around
          collect(structure.properties, prefix: path + ".", presence: around, enclosing: enclosing.union([name]))
        case .link(let name), .list(let name):
          guard let column = position[path], let target = schema.entity(named: name) else { continue }
          let key = target.keyPath.flatMap { path in schema.columns(of: target).first { $0.path == path } }
          var isMany = false
          if case .list = property.type { isMany = true }
          if isMany, presence.isEmpty { template[column] = .list([]) }
          if isMany, !presence.isEmpty {
            requirements.append(Requirement(column: column, presence: presence.last, substitute: .list([])))
          }
          let link = LinkReading(
            target: name, isMany: isMany, key: key.map { ValueReading(type: $0.element, dates: nil) },
            keyPath: key?.path, elements: elements)
          let reading = ValueReading(type: .int, dates: nil)
          leaves[path] = Leaf(column: column, reading: reading, link: link, presence: presence)
        case .embeddedList:
          guard let list = structLists.first(where: { $0.path == path }) else { continue }
          let reading = StructListReading(list, columns: columns, dates: dates, elements: elements)
          lists.append(reading)
          // What is not given has no structs.
          for (column, empty) in [(list.column, Value.int(0))] + list.parts.map({ ($0, .list([])) }) {
            if presence.isEmpty {
              template[column] = empty
            } else {
              requirements.append(Requirement(column: column, presence: presence.last, substitute: empty))
            }
          }
          leaves[path] = Leaf(
            column: list.column, reading: ValueReading(type: .int, dates: nil), list: reading, presence: presence)
        case .linkingObjects: continue
        }
      }
    }
    collect(entity.properties, prefix: "", presence: [], enclosing: [entity.name])

    self.template = template
    self.leaves = leaves
    self.structures = structures
    self.requirements = requirements
    self.lists = lists
    notesGiven = isNested || columns.contains { $0.target != nil }
    own = .allocate(capacity: max(columns.count, 1))
    own.initialize(repeating: .null)
    row = own
  }

  deinit {
    own.deinitialize()
    own.deallocate()
  }

  /// The row last built.
  var values: UnsafeBufferPointer<Value> { UnsafeBufferPointer(rebasing: row[0..<columns.count]) }

  /// Whether any field of the data has a property.
  var hasAnyColumn: Bool {
    actions.contains { action in
      switch action {
      case .leaf, .value: true
      default: false
      }
    }
  }

  /// Builds the row of a record; a sentence when it can't be one.
  ///
  /// - Parameter target: where to; its values are replaced.
  func build(
    _ record: UnsafeBufferPointer<Field>, of reader: some FieldNames,
    into target: UnsafeMutableBufferPointer<Value>? = nil
  ) -> String? {
    let row = target ?? own
    self.row = row
    for (index, value) in template.enumerated() { row[index] = value }
    identity = nil
    if !links.isEmpty { links = [] }
    if notesGiven { given.removeAll(keepingCapacity: true) }
    if !missing.isEmpty { missing = [] }
    var actions = actions
    for field in record {
      let path = Int(field.path)
      let action: Action
      if path < actions.count, let known = actions[path] {
        action = known
      } else {
        action = learnAction(path, of: reader, field)
        actions = self.actions
      }
      switch action {
      case .ignore: continue
      case .value(let column, let reading):
        if notesGiven { given.append(column) }
        switch reading.read(field) {
        case .unfit(let reason): return "\(columns[column].path): \(reason)"
        case .value(.null): continue
        case .value(let value): row[column] = value
        }
      case .identity:
        guard case .value(.int(let number)) = Self.identityReading.read(field), number > 0 else {
          return "@id: an object's number is a whole number above 0"
        }
        identity = ObjectNumber(UInt64(number))
      case .structure(let presence):
        if notesGiven { given += presence }
        if field.kind == csj_object {
          for column in presence { row[column] = .bool(true) }
        } else if field.kind != csj_null {
          return "\(reader.name(ofPath: field.path)): expected an object"
        }
      case .leaf(let leaf):
        if notesGiven { given.append(leaf.column) }
        if let link = leaf.link {
          switch link.read(field) {
          case .unfit(let place, let reason): return "\(columns[leaf.column].path)\(place): \(reason)"
          case .ends(let ends):
            // Of two fields for one property the last is right, as with values.
            links.removeAll { $0.column == leaf.column }
            if !ends.isEmpty { links.append(LinkedRow.Link(column: leaf.column, ends: ends)) }
            if field.kind != csj_null { for column in leaf.presence { row[column] = .bool(true) } }
          }
          continue
        }
        if let list = leaf.list {
          switch list.read(field) {
          case .unfit(let reason): return "\(list.list.path)\(reason)"
          case .columns(let values):
            for (column, value) in values {
              row[column] = value
              if notesGiven { given.append(column) }
            }
            if !values.isEmpty { for column in leaf.presence { row[column] = .bool(true) } }
          }
          continue
        }
        switch leaf.collection?.read(field) ?? leaf.reading.read(field) {
        case .unfit(let reason): return "\(columns[leaf.column].path): \(reason)"
        case .value(.null): continue
        case .value(let value):
          row[leaf.column] = value
          for column in leaf.presence { row[column] = .bool(true) }
        }
      }
    }
    for index in requirements.indices where row[requirements[index].column].isNull {
      let requirement = requirements[index]
      if let presence = requirement.presence, row[presence].isNull { continue }
      if let substitute = requirement.substitute ?? requirement.generated?.make() {
        row[requirement.column] = substitute
        continue
      }
      guard isNested else { return "\(columns[requirement.column].path) has no value, and may not be nil" }
      missing.append(requirement.column)
    }
    return nil
  }

  /// What to do with a path that is met for the first time.
  private func learnAction(_ path: Int, of reader: some FieldNames, _ field: Field) -> Action {
    while actions.count <= path { actions.append(nil) }
    let action = newAction(reader.name(ofPath: field.path), path)
    if case .leaf(let leaf) = action, leaf.isWhole { reader.keepWhole(path: field.path) }
    actions[path] = action
    return action
  }

  private static let identityReading = ValueReading(type: .int, dates: nil)

  /// Whether the row last built has links.
  var hasLinks: Bool { !links.isEmpty }

  /// The links of the row last built, to be found out later; nil when objects stand there, see `linked()`.
  var laterLinks: LinkedRow? {
    if links.contains(where: \.hasObjects) { return nil }
    return LinkedRow(identity: identity, content: .keys(links, given: given))
  }

  enum Linked {
    case row(NewRow)
    case unfit(String)
  }

  /// The row last built, with what its links lead to.
  func linked(depth: Int = 0) -> Linked {
    var made = NewRow(entity: entity, values: Array(values), given: Set(given), missing: missing)
    // Reading what is within may build another row here.
    let links = links
    for link in links {
      let (column, ends) = (link.column, link.ends)
      guard let target = columns[column].target else { continue }
      var targets: [LinkTarget] = []
      targets.reserveCapacity(ends.count)
      for (place, end) in ends.enumerated() {
        switch end {
        case .key(let value): targets.append(.key(value))
        case .object(let text):
          switch nested.read(text, of: target, depth: depth) {
          case .unfit(let reason, let isWithin):
            var path = columns[column].path
            if case .links = columns[column].kind { path += "[\(place)]" }
            return .unfit("\(path)\(isWithin ? "." : ": ")\(reason)")
          case .target(let target): targets.append(target)
          }
        }
      }
      made.links.append(NewRow.Link(column: column, targets: targets))
    }
    return .row(made)
  }

  /// Why a record can't be an object, with all that stands within it.
  func problem(_ record: UnsafeBufferPointer<Field>, of reader: some FieldNames) -> String? {
    if let reason = build(record, of: reader) { return reason }
    guard hasLinks, case .unfit(let reason) = linked() else { return nil }
    return reason
  }

  /// Finds the property for a path of the data: as mapped, by its name, or by its name as an identifier.
  private func newAction(_ name: String, _ number: Int) -> Action {
    if name == "@id" { return .identity }
    let candidates = [
      propertyPaths[name], name, PropertyName.path(name).joined(separator: "."), PropertyName.nestedPath(name),
    ].compactMap(\.self)
    for path in candidates {
      if let leaf = leaves[path] {
        let isExact = path == name || path == propertyPaths[name]
        return take(leaf.column, Owner(path: number, name: name, isExact: isExact)) ? leaf.action : .ignore
      }
      // What lies within a dictionary is read with it; within a single value it is an error told there.
      if path.indices.contains(where: { path[$0] == "." && leaves[String(path[..<$0])] != nil }) { return .ignore }
      if let structure = structures[path] { return .structure(structure) }
    }
    // What lies within a struct that is left out need not be told one by one.
    if !ownLeftOut.contains(where: { name.hasPrefix($0 + ".") }) { ownLeftOut.append(name) }
    return .ignore
  }

  /// Gives a column to a path of the data. Of two that would fill the same one, that with the property's own name or
  /// asked for by `--map` does (both, when both are so), else the first; the other is left out, and told. False when it
  /// is this one.
  private func take(_ column: Int, _ owner: Owner) -> Bool {
    guard let first = owners[column] else {
      owners[column] = owner
      return true
    }
    guard owner.isExact else {
      ownLeftOut.append(owner.name)
      return false
    }
    if first.isExact { return true }
    owners[column] = owner
    ownLeftOut.append(first.name)
    if actions.indices.contains(first.path) { actions[first.path] = .ignore }
    return true
  }
}

extension Column {
  /// The type of its values, or of the elements of its collections.
  fileprivate var element: ScalarType {
    switch kind {
    case .scalar(let type), .collection(_, let type), .parts(let type, _): type
    case .presence, .presences: .bool
    case .link, .links, .structs: .int
    }
  }
}
