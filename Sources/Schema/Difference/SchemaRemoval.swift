/// A schema without the parts to be removed.
///
/// Parts that don't exist are ignored, since the same program opens a store repeatedly. Parts that are still declared
/// are an error.
public struct SchemaRemoval: Hashable, Sendable {
  /// The remaining schema.
  public private(set) var schema: Schema
  /// The parts that were there, each once.
  public private(set) var parts: [SchemaPart] = []
  /// The reasons why parts can't be removed, one sentence for each.
  public private(set) var problems: [String] = []
  /// The names of parts without which these can't be removed.
  private var companions: Set<String> = []

  private let current: Schema
  private let isReplacement: Bool
  private var properties: [PropertyPlace: Set<String>] = [:]

  /// - Parameters:
  ///   - names: The names of the parts, as parsed by `SchemaPart`.
  ///   - current: The schema that contains them.
  ///   - declared: The schema that must not contain them.
  ///   - isReplacement: Whether the removed parts are replaced, so that a structure may lose its last property.
  public init(
    of names: [String], from current: Schema, declared: Schema = Schema(), isReplacement: Bool = false
  ) {
    schema = current
    self.current = current
    self.isReplacement = isReplacement
    if names.isEmpty { return }
    for name in names { note(name, declared) }
    for (place, named) in properties { remove(place, named, declared) }
    for part in parts { if case .entity(let name) = part { remove(name) } }
    refuseOpenLinks()
    problems.sort()
  }

  /// The names to remove a part with all that can't stay without it; nil if it can't be removed.
  public static func complete(_ name: String, from current: Schema) -> [String]? {
    var names = [name]
    while true {
      let removal = SchemaRemoval(of: names, from: current)
      if removal.problems.isEmpty { return names }
      let more = removal.companions.subtracting(names).sorted()
      if more.isEmpty { return nil }
      // What is removed as a whole need not be named in parts.
      names.removeAll { name in more.contains { name.hasPrefix($0 + ".") } }
      names += more
    }
  }

  private mutating func note(_ name: String, _ declared: Schema) {
    guard let part = SchemaPart(name) else {
      problems.append("'\(name)' can't be removed: \(SchemaPart.spelling)")
      return
    }
    guard !part.isIn(declared) else {
      problems.append(
        "'\(part)' is to be removed and is declared: take it out of the declaration, or out of 'removing:'")
      return
    }
    guard part.isIn(current), !parts.contains(part) else { return }
    parts.append(part)
    switch part {
    case .entity: break
    case .property(let entity, let path):
      if let place = current.place(at: path, of: entity) { properties[place, default: []].insert(part.description) }
    case .index(let entity, let index):
      for position in schema.entities.indices where schema.entities[position].name == entity {
        schema.entities[position].indexes.removeAll { $0 == index }
      }
    }
  }

  private mutating func remove(_ place: PropertyPlace, _ named: Set<String>, _ declared: Schema) {
    let paths = current.places(of: place.structure).map { "\($0).\(place.property)" }
    let others = paths.filter { path in !named.contains(path) && !isWithin(path) }
    if !others.isEmpty {
      companions.formUnion(others)
      problems.append(
        "\(named.sorted().joined(separator: ", ")) is in the struct \(place.structure), which is elsewhere too: name "
          + others.map { "'\($0)'" }.joined(separator: ", ") + " as well")
    }
    func shorten(_ structures: inout [Entity]) {
      for position in structures.indices where structures[position].name == place.structure {
        structures[position].properties.removeAll { $0.name == place.property }
        // The declared parts replace the removed ones.
        let isLeft = isReplacement || declared.structure(named: place.structure) != nil
        if !isLeft, structures[position].properties.allSatisfy(\.type.isInverse) {
          let whole = current.places(of: place.structure).first ?? place.structure
          companions.insert(whole)
          problems.append(
            "\(named.sorted().joined(separator: ", ")) is the last property of \(place.structure): name '\(whole)' to "
              + "remove all of it")
        }
      }
    }
    shorten(&schema.entities)
    shorten(&schema.embedded)
    for position in schema.entities.indices {
      let prefix = schema.entities[position].name + "."
      schema.entities[position].indexes.removeAll { index in
        index.paths.contains { path in paths.contains { prefix + path == $0 || (prefix + path).hasPrefix($0 + ".") } }
      }
    }
  }

  /// Whether a path leads into a part that is removed as a whole.
  private func isWithin(_ path: String) -> Bool {
    parts.contains { part in
      switch part {
      case .entity, .property: path.hasPrefix(part.description + ".")
      case .index: false
      }
    }
  }

  private mutating func remove(_ name: String) {
    guard let entity = schema.entity(named: name) else { return }
    schema.entities.removeAll { $0.name == name }
    // Its values may still be part of other objects.
    let isEmbedded = (schema.entities + schema.embedded).contains { structure in
      structure.properties.contains { $0.type.embeddedStructure == name }
    }
    if isEmbedded {
      schema.embedded.append(
        Entity(name: name, properties: entity.properties.filter { !$0.type.isInverse }, indexes: []))
    }
  }

  private mutating func refuseOpenLinks() {
    for structure in schema.entities + schema.embedded {
      for property in structure.properties {
        switch property.type {
        case .link(let target), .list(let target):
          guard schema.entity(named: target) == nil, current.entity(named: target) != nil else { continue }
          for place in schema.places(of: structure.name) {
            companions.insert("\(place).\(property.name)")
            problems.append("'\(place).\(property.name)' links to \(target): name it as well to remove \(target)")
          }
        case .scalar, .embedded, .array, .set, .dictionary, .embeddedList, .linkingObjects: continue
        }
      }
    }
  }
}

extension Schema {
  /// The names of all parts of the same kind as the given one.
  public func partNames(like part: SchemaPart) -> [String] {
    entities.flatMap { entity -> [String] in
      switch part {
      case .entity: [entity.name]
      case .property: columns(of: entity).map { "\(entity.name).\($0.path)" }
      case .index: entity.indexes.map { SchemaPart.index(entity: entity.name, $0).description }
      }
    }
  }
}

extension SchemaPart {
  /// Whether a schema contains it.
  public func isIn(_ schema: Schema) -> Bool {
    switch self {
    case .entity(let name): schema.entity(named: name) != nil
    case .property(let entity, let path): schema.place(at: path, of: entity) != nil
    case .index(let entity, let index): schema.entity(named: entity)?.indexes.contains(index) ?? false
    }
  }
}
