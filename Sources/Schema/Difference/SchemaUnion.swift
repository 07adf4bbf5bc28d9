/// Combines the schema of a file with a declared schema: declared parts take their declared form, and parts that the
/// declaration lacks stay unchanged.
///
/// It compares only declarations, without objects or column numbers.
public struct SchemaUnion: Hashable, Sendable {
  /// A property missing from the declaration, while the declaration has a new property of the same type.
  public struct ProbableRename: Hashable, Sendable {
    /// The missing property.
    public let former: PropertyPlace
    /// Its paths, one for each place of its structure; the first is the one next to the new paths.
    public let formerPaths: [String]
    /// The paths of the new properties.
    public let newPaths: [String]
  }

  /// An entity missing from the declaration, while the declaration has a new entity with similar properties.
  public struct ProbableEntityRename: Hashable, Sendable {
    /// The missing entity.
    public let former: String
    /// The new entities.
    public let newNames: [String]
  }

  /// The combined schema. Conflicting parts keep their form in the file.
  public private(set) var schema: Schema
  /// Properties whose values in the file don't fit the declared type, one sentence for each.
  public private(set) var conflicts: [String] = []
  /// The properties that were probably renamed without a declaration.
  public private(set) var probableRenames: [ProbableRename] = []
  /// The entities that were probably renamed without a declaration.
  public private(set) var probableEntityRenames: [ProbableEntityRename] = []

  private let current: Schema
  private let declared: Schema
  private var compared: Set<[String]> = []

  /// - Parameters:
  ///   - declared: the declared schema, which is valid.
  ///   - current: the schema of the file.
  public init(of declared: Schema, into current: Schema) {
    let current = current.renaming(current.renames(to: declared))
    schema = current
    self.current = current
    self.declared = declared
    for entity in declared.entities {
      let merged = Self.merge(entity, into: current.entity(named: entity.name) ?? current.structure(named: entity.name))
      schema.embedded.removeAll { $0.name == entity.name }
      if let position = schema.entities.firstIndex(where: { $0.name == entity.name }) {
        schema.entities[position] = merged
      } else {
        schema.entities.append(merged)
      }
    }
    for structure in declared.embedded {
      if let position = schema.embedded.firstIndex(where: { $0.name == structure.name }) {
        schema.embedded[position] = Self.merge(structure, into: schema.embedded[position])
      } else if let position = schema.entities.firstIndex(where: { $0.name == structure.name }) {
        // Its objects stay.
        schema.entities[position] = Self.merge(structure, into: schema.entities[position])
      } else {
        schema.embedded.append(structure)
      }
    }
    findRenamedEntities()
    for structure in declared.entities + declared.embedded {
      if let former = current.structure(named: structure.name) { compare(structure, former) }
    }
    followRenames()
    forgetNamesInUse()
    removeUnusedStructures()
    for position in schema.entities.indices { schema.entities[position].originalNames = [] }
    for position in schema.embedded.indices { schema.embedded[position].originalNames = [] }
  }

  // MARK: Merging

  /// The properties of both, in the order of the file unless the declaration has a different order, and the declared
  /// indexes after those of the file.
  private static func merge(_ declared: Entity, into known: Entity?) -> Entity {
    guard let known else { return declared }
    var sources: [String: String] = [:]
    for property in declared.properties {
      if let former = property.former(in: known, of: declared) { sources[former.name] = property.name }
    }
    var properties = known.properties
    let matched = properties.indices.filter { sources[properties[$0].name] != nil }
    let names = Set(sources.values)
    for (position, property) in zip(matched, declared.properties.filter({ names.contains($0.name) })) {
      properties[position] = property
    }
    var next = properties.count
    for property in declared.properties.reversed() {
      if let position = properties.firstIndex(where: { $0.name == property.name }) {
        next = position
      } else {
        properties.insert(property, at: next)
      }
    }
    let indexes = known.indexes + declared.indexes.filter { !known.indexes.contains($0) }
    return Entity(name: declared.name, properties: properties, indexes: indexes)
  }

  // MARK: Comparing

  /// Compares a declared structure with its counterpart in the file.
  private mutating func compare(_ new: Entity, _ old: Entity) {
    guard compared.insert([new.name, old.name]).inserted else { return }
    var matched: Set<String> = []
    for property in new.properties {
      guard let former = property.former(in: old, of: new) else { continue }
      matched.insert(former.name)
      guard property.type.takesOver(former.type) || converts(former.type, to: property.type) else {
        revert(property, of: new, to: former)
        // It links to an entity that was probably renamed: one question is enough.
        if isProbably(property.type, former.type) { continue }
        let place = current.places(of: old.name).first ?? old.name
        conflicts.append(
          "\(place).\(former.name) is \(former.type.text) in the file and \(property.type.text) in the models"
            + (former.name == property.name ? "" : ", as \(property.name)")
            + ": declare it as \(former.type.text); or convert the values in a step of a MigrationPlan; or give what is new "
            + "another name, so that the old values stay and can be asked for by theirs; or, if they may go, "
            + "'objquery drop STORE \(place).\(former.name)' first")
        continue
      }
      if let name = property.type.embeddedStructure, let formerName = former.type.embeddedStructure,
        let inner = declared.structure(named: name), let formerInner = current.structure(named: formerName)
      {
        if name != formerName { adopt(formerInner, into: inner) }
        compare(inner, formerInner)
      }
    }
    let gone = old.properties.filter { !matched.contains($0.name) && !$0.type.isInverse }
    let added = new.properties.filter { $0.former(in: old, of: new) == nil }
    for former in gone {
      let alike = added.filter { isAlike($0, former) }
      if alike.isEmpty { continue }
      let newPlaces = declared.places(of: new.name)
      var places = current.places(of: old.name)
      // Both names refer to one place, though a struct may be in several places, and in different ones in the file.
      let common = places.firstIndex(where: newPlaces.contains)
      if let common { places.insert(places.remove(at: common), at: 0) }
      let newPlace = common == nil ? newPlaces.first : places.first
      probableRenames.append(
        ProbableRename(
          former: PropertyPlace(structure: old.name, property: former.name),
          formerPaths: places.map { "\($0).\(former.name)" },
          newPaths: alike.map { "\(newPlace ?? new.name).\($0.name)" }))
    }
  }

  /// Whether values convert to another type automatically. Structs in lists have only single values.
  private func converts(_ former: PropertyType, to new: PropertyType) -> Bool {
    guard new.converts(from: former) else { return false }
    guard let structure = former.embeddedStructure else { return true }
    return hasSingleValues(structure, within: [])
  }

  private func hasSingleValues(_ structure: String, within enclosing: [String]) -> Bool {
    guard !enclosing.contains(structure), let known = current.structure(named: structure) else { return false }
    return known.properties.allSatisfy { property in
      switch property.type {
      case .scalar: true
      case .embedded(let name): hasSingleValues(name, within: enclosing + [structure])
      case .array, .set, .dictionary, .embeddedList, .link, .list, .linkingObjects: false
      }
    }
  }

  /// Finds missing entities for which a new entity shares more than half of all their properties.
  private mutating func findRenamedEntities() {
    let added = declared.entities.filter { current.structure(named: $0.name) == nil }
    for former in current.entities where declared.structure(named: former.name) == nil {
      let alike = added.filter { new in
        func own(_ entity: Entity) -> [Property] { entity.properties.filter { !$0.type.isInverse } }
        let common = own(new).filter { property in
          guard let old = former.property(named: property.name) else { return false }
          return isAlike(property, old) || property.type == old.type.renaming([former.name: new.name])
        }
        return common.count * 2 > max(own(new).count, own(former).count)
      }
      if alike.isEmpty { continue }
      probableEntityRenames.append(ProbableEntityRename(former: former.name, newNames: alike.map(\.name)))
    }
  }

  /// Whether types differ only by the name of an entity that was probably renamed.
  private func isProbably(_ new: PropertyType, _ former: PropertyType) -> Bool {
    probableEntityRenames.contains { rename in
      rename.newNames.contains { former.renaming([rename.former: $0]) == new }
    }
  }

  /// Keeps a property as it is in the file, under its new name.
  private mutating func revert(_ property: Property, of structure: Entity, to former: Property) {
    var reverted = former
    reverted.name = property.name
    reverted.originalNames = property.originalNames
    func revert(_ structures: inout [Entity]) {
      for number in structures.indices where structures[number].name == structure.name {
        for place in structures[number].properties.indices
        where structures[number].properties[place].name == property.name {
          structures[number].properties[place] = reverted
        }
      }
    }
    revert(&schema.entities)
    revert(&schema.embedded)
  }

  /// Adds to a struct that replaces another the properties of that one that it lacks.
  private mutating func adopt(_ former: Entity, into declared: Entity) {
    let matched = Set(declared.properties.compactMap { $0.former(in: former, of: declared)?.name })
    func extend(_ structures: inout [Entity]) {
      for position in structures.indices where structures[position].name == declared.name {
        structures[position].properties += former.properties.filter { property in
          !property.type.isInverse && !matched.contains(property.name)
            && structures[position].property(named: property.name) == nil
        }
      }
    }
    extend(&schema.entities)
    extend(&schema.embedded)
  }

  /// Whether one property may be the other under a new name. It may have become optional or required at the same time.
  private func isAlike(_ new: Property, _ former: Property) -> Bool {
    if new.type == former.type { return true }
    switch (new.type, former.type) {
    case (.embedded(let name), .embedded(let formerName)), (.embeddedList(let name), .embeddedList(let formerName)):
      let names = declared.structure(named: name)?.properties.map(\.name)
      let formerNames = current.structure(named: formerName)?.properties.map(\.name)
      return Set(names ?? []) == Set(formerNames ?? [])
    case (.linkingObjects, _), (_, .linkingObjects): return false
    case (.scalar, _), (.array, _), (.set, _), (.dictionary, _), (.embedded, _), (.embeddedList, _), (.link, _),
      (.list, _):
      return new.type.takesOver(former.type)
    }
  }

  // MARK: What follows

  /// Applies renames to undeclared indexes and inverses, and removes inverses whose link is missing.
  private mutating func followRenames() {
    var renamed: [String: [String: String]] = [:]
    for entity in schema.entities {
      guard let former = current.entity(named: entity.name) else { continue }
      let paths = schema.formerPaths(of: entity, in: current, former)
      renamed[entity.name] = Dictionary(paths.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for position in schema.entities.indices {
      let entity = schema.entities[position]
      let paths = renamed[entity.name] ?? [:]
      let own = declared.entity(named: entity.name)?.indexes ?? []
      var indexes: [Index] = []
      for index in entity.indexes {
        let followed =
          own.contains(index) ? index : Index(kind: index.kind, paths: index.paths.map { paths[$0] ?? $0 })
        if !indexes.contains(followed) { indexes.append(followed) }
      }
      schema.entities[position].indexes = indexes
      schema.entities[position].properties = entity.properties.compactMap { property in
        guard case .linkingObjects(let source, let path) = property.type,
          declared.structure(named: entity.name)?.property(named: property.name) == nil
        else { return property }
        var property = property
        let followed = renamed[source]?[path] ?? path
        property.type = .linkingObjects(entity: source, property: followed)
        let link = schema.entity(named: source).flatMap { schema.columns(of: $0).first { $0.path == followed } }
        return link?.target == entity.name ? property : nil
      }
    }
  }

  /// An original name is ignored if another property has it or a declared property claims it.
  private mutating func forgetNamesInUse() {
    func forget(_ structures: inout [Entity]) {
      for position in structures.indices {
        let structure = structures[position]
        let own = declared.structure(named: structure.name)
        let claimed = Set(own?.properties.flatMap(\.originalNames) ?? [])
        for place in structure.properties.indices where !structure.properties[place].originalNames.isEmpty {
          let isDeclared = own?.property(named: structure.properties[place].name) != nil
          structures[position].properties[place].originalNames.removeAll { name in
            structure.property(named: name) != nil || !isDeclared && claimed.contains(name)
          }
        }
      }
    }
    forget(&schema.entities)
    forget(&schema.embedded)
  }

  private mutating func removeUnusedStructures() {
    var used: Set<String> = []
    var waiting = schema.entities
    while let structure = waiting.popLast() {
      for property in structure.properties {
        guard let name = property.type.embeddedStructure, used.insert(name).inserted else { continue }
        if let next = schema.structure(named: name) { waiting.append(next) }
      }
    }
    schema.embedded.removeAll { !used.contains($0.name) }
  }
}

extension PropertyType {
  /// Whether all values of a property of the other type, apart from nil, are also values of this type.
  func takesOver(_ other: PropertyType) -> Bool {
    switch (other, self) {
    case (.scalar(let old), .scalar(let new)), (.array(let old), .array(let new)), (.set(let old), .set(let new)),
      (.dictionary(let old), .dictionary(let new)):
      old == new || old.widens(to: new)
    // The name of a struct does not matter, only its leaves.
    case (.embedded, .embedded), (.embeddedList, .embeddedList): true
    case (.link(let old), .link(let new)), (.list(let old), .list(let new)): old == new
    // An inverse stores no values.
    case (.linkingObjects, _): true
    default: false
    }
  }
}
