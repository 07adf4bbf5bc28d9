import CSimdjson
import ObjectStoreCore
internal import Schema

/// Converts each record to a row of values, in the order of an entity's columns.
///
/// It knows the column for each field; it knows neither the file's format nor the store.
final class RowBuilder {
  private let columns: [Column]
  private let template: [Value]
  private let leaves: [String: Leaf]
  private let structures: [String: [Int]]
  private let requirements: [Requirement]
  private let propertyPaths: [String: String]
  /// Memory for a row when the caller provides none.
  private let own: UnsafeMutableBufferPointer<Value>
  /// The location of the row last built.
  private var row: UnsafeMutableBufferPointer<Value>
  private var actions: [Action?] = []
  /// The first path of the data that fills a column, by column.
  private var owners: [Int: Owner] = [:]
  /// The properties that several names fill, by column.
  private var shared: [Int: SharedProperty] = [:]
  /// Paths of the data without a property, those within structs of lists last.
  var leftOut: [String] { ownLeftOut.paths + lists.flatMap(\.leftOut) }
  private var ownLeftOut = LeftOutPaths()
  /// The paths of the data so far.
  private(set) var names: Set<String> = []
  /// How the lists of structs are read.
  private let lists: [StructListReading]
  /// The nested objects, and whether this builder is for one of them.
  private unowned let nested: NestedRows
  /// The owning reference, if this builder is the only owner.
  private let held: NestedRows?
  private let isNested: Bool
  private let entity: String
  /// Whether it matters which columns were given: for entities that link or are linked.
  private let notesGiven: Bool
  /// The number that the object has in the data, of the row last built.
  private(set) var identity: ObjectNumber?
  /// The link targets of the row last built.
  private var links: [LinkedRow.Link] = []
  /// The columns that were given, possibly with duplicates.
  private var given: [Int] = []
  /// The required columns without a value, of a nested object.
  private var missing: [Int] = []

  /// The action for a field.
  private enum Action {
    case ignore, identity, leaf(Leaf), structure([Int])
    /// A column of single values that is not in an optional struct: the most common case, which avoids reference
    /// counting.
    case value(column: Int, ValueReading)
  }

  /// A path of the data that a column is filled from.
  private struct Owner {
    var path: Int
    var name: String
    var standing: SharedProperty.Standing
  }

  /// A column, how to read it, and the presence columns of the structs around it.
  private final class Leaf {
    let column: Int
    let reading: ValueReading
    /// How to read a collection; nil for single values.
    let collection: CollectionReading?
    /// How to read links; nil for values.
    let link: LinkReading?
    /// How to read a list of structs; nil for other fields.
    let list: StructListReading?
    let presence: [Int]
    /// The name that leads here, if others do too.
    let name: SharedProperty.Name?

    init(
      column: Int, reading: ValueReading, collection: CollectionReading? = nil, link: LinkReading? = nil,
      list: StructListReading? = nil, presence: [Int], name: SharedProperty.Name? = nil
    ) {
      self.column = column
      self.reading = reading
      self.collection = collection
      self.link = link
      self.list = list
      self.presence = presence
      self.name = name
    }

    /// The same, for one of several names.
    func named(_ name: SharedProperty.Name) -> Leaf {
      Leaf(
        column: column, reading: reading, collection: collection, link: link, list: list, presence: presence, name: name
      )
    }

    /// Whether objects at the path are read as a whole.
    var isWhole: Bool { collection != nil || link != nil || list != nil }

    var action: Action { isWhole || !presence.isEmpty || name != nil ? .leaf(self) : .value(column: column, reading) }
  }

  /// A column that must have a value when the structs around it are there.
  private struct Requirement {
    var column: Int
    var presence: Int?
    /// The value when it is not given: an empty collection.
    var substitute: Value?
    /// The default that is generated for each object.
    var generated: GeneratedDefault?
  }

  /// - Parameters:
  ///   - columns: The columns of the rows, in the order of the inserter.
  ///   - schema: The declaration of `entity`, for defaults and optional properties.
  ///   - nested: Reads nested objects.
  ///   - paths: The property for each path of the data with a different name.
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
            // A collection that is not given is empty.
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
          // A list of structs that is not given is empty.
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

  /// Builds the row for a record; returns a sentence when it is invalid.
  ///
  /// - Parameter target: The memory for the row, whose values are replaced.
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
    if !shared.isEmpty, let reason = choose(record) { return reason }
    var actions = actions
    for field in record {
      let path = Int(field.path)
      let action: Action
      if path < actions.count, let known = actions[path] {
        action = known
      } else {
        // While there is a second reference, adding to the array would copy it: for each of a hundred thousand names.
        actions = []
        action = learnAction(path, of: reader, field)
        actions = self.actions
        // A new name for a property that another name of this row may have filled.
        if case .leaf(let leaf) = action, leaf.name != nil { return build(record, of: reader, into: target) }
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
        if let name = leaf.name, !name.counts { continue }
        if notesGiven { given.append(leaf.column) }
        if let link = leaf.link {
          switch link.read(field) {
          case .unfit(let place, let reason): return "\(columns[leaf.column].path)\(place): \(reason)"
          case .ends(let ends):
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

  /// The action for a path that occurs for the first time.
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

  /// The links of the row last built, to be resolved later; nil with nested objects, see `linked()`.
  var laterLinks: LinkedRow? {
    if links.contains(where: \.hasObjects) { return nil }
    return LinkedRow(identity: identity, content: .keys(links, given: given))
  }

  enum Linked {
    case row(NewRow)
    case unfit(String)
  }

  /// The row last built, with its link targets.
  func linked(depth: Int = 0) -> Linked {
    var made = NewRow(entity: entity, values: Array(values), given: Set(given), missing: missing)
    // Reading nested objects may build another row here.
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

  /// The reason a record can't be an object, including its nested objects.
  func problem(_ record: UnsafeBufferPointer<Field>, of reader: some FieldNames) -> String? {
    if let reason = build(record, of: reader) { return reason }
    guard hasLinks, case .unfit(let reason) = linked() else { return nil }
    return reason
  }

  /// Finds the property for a path of the data: as mapped, by its name, or by its name as an identifier.
  private func newAction(_ name: String, _ number: Int) -> Action {
    names.insert(name)
    if name == "@id", propertyPaths[name] == nil { return .identity }
    let candidates = [
      mapped(name), name, PropertyName.path(name).joined(separator: "."), PropertyName.nestedPath(name),
    ].compactMap(\.self)
    for path in candidates {
      if let leaf = leaves[path] {
        let standing: SharedProperty.Standing = path == mapped(name) ? .mapped : path == name ? .own : .similar
        return share(leaf, Owner(path: number, name: name, standing: standing))
      }
      // Fields within a dictionary are read with it; fields within a single value are reported as an error there.
      if path.indices.contains(where: { path[$0] == "." && leaves[String(path[..<$0])] != nil }) { return .ignore }
      if let structure = structures[path] { return .structure(structure) }
    }
    // Parts of an object that is no struct here may be mapped.
    if propertyPaths.keys.contains(where: { $0.hasPrefix(name + ".") }) { return .ignore }
    // Fields within a struct that is left out need not be reported separately.
    if !ownLeftOut.cover(name) { ownLeftOut.add(name) }
    return .ignore
  }

  /// The property that a path of the data was mapped to, by itself or with a path around it.
  private func mapped(_ name: String) -> String? {
    var prefix = name[...]
    while true {
      if let path = propertyPaths[String(prefix)] { return path + name[prefix.endIndex...] }
      guard let dot = prefix.lastIndex(of: ".") else { return nil }
      prefix = prefix[..<dot]
    }
  }

  /// The action for a path of the data that fills a property, which it may share with other paths.
  private func share(_ leaf: Leaf, _ owner: Owner) -> Action {
    guard let first = owners[leaf.column] else {
      owners[leaf.column] = owner
      return leaf.action
    }
    let property: SharedProperty
    if let known = shared[leaf.column] {
      property = known
    } else {
      property = SharedProperty(path: columns[leaf.column].path, isNested: isNested)
      shared[leaf.column] = property
      if actions.indices.contains(first.path) {
        actions[first.path] = leaf.named(property.add(first.name, first.standing)).action
      }
    }
    return leaf.named(property.add(owner.name, owner.standing)).action
  }

  /// Chooses the name that counts in a record for each property that several names fill; returns a sentence if it is
  /// not known.
  private func choose(_ record: UnsafeBufferPointer<Field>) -> String? {
    for property in shared.values { property.begin() }
    for field in record {
      guard actions.indices.contains(Int(field.path)), case .leaf(let leaf)? = actions[Int(field.path)] else {
        continue
      }
      if let name = leaf.name { name.property.meet(name, hasValue: field.kind != csj_null) }
    }
    return shared.sorted { $0.key < $1.key }.lazy.compactMap(\.value.problem).first
  }

  /// Sentences on properties that several names fill.
  var notes: [String] { shared.sorted { $0.key < $1.key }.map(\.value.note) }
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
