/// A part of a schema by name, as used for removals: `Doc`, `Doc.body`, `Doc.site.town`, `@unique User.email`,
/// `@indexed Quake.magnitude+time`.
public enum SchemaPart: Hashable, Sendable {
  /// An entity, with its objects.
  case entity(String)
  /// A property by its dotted path; for a struct, with all its properties.
  case property(entity: String, path: String)
  /// An index. A unique index also enforces uniqueness.
  case index(entity: String, Index)

  /// The part that a name refers to; nil for an invalid name.
  public init?(_ name: String) {
    let words = name.split(separator: " ", omittingEmptySubsequences: true)
    let isIndex = words.first?.first == "@"
    guard words.count == (isIndex ? 2 : 1), let last = words.last else { return nil }
    let steps = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let entity = steps.first, !entity.isEmpty, steps.count == 1 || Self.isPath(steps[1]) else { return nil }
    switch (isIndex, steps.count) {
    case (false, 1): self = .entity(entity)
    case (false, _): self = .property(entity: entity, path: steps[1])
    case (true, 2):
      guard let kind = words.first.flatMap({ IndexKind(attribute: String($0.dropFirst())) }) else { return nil }
      self = .index(entity: entity, Index(kind: kind, paths: steps[1].split(separator: "+").map(String.init)))
    case (true, _): return nil
    }
  }

  /// The same part with entities renamed.
  public func renaming(_ names: [String: String]) -> SchemaPart {
    switch self {
    case .entity(let name): .entity(names[name] ?? name)
    case .property(let entity, let path): .property(entity: names[entity] ?? entity, path: path)
    case .index(let entity, let index): .index(entity: names[entity] ?? entity, index)
    }
  }

  private static func isPath(_ text: String) -> Bool {
    text.split(separator: "+", omittingEmptySubsequences: false).allSatisfy { path in
      path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
  }

  /// How names are written, for messages.
  public static let spelling =
    "an entity is named as in 'Doc', a property as in 'Doc.body', an index as in '@unique User.email' "
    + "(or \(otherIndexWords))"

  /// How the names of indexes begin that are not unique.
  package static let otherIndexWords = IndexKind.built.filter { $0 != .unique }.map { "@\($0.attribute)" }
    .joined(separator: ", ")
}

extension SchemaPart: CustomStringConvertible {
  /// The name.
  public var description: String {
    switch self {
    case .entity(let name): name
    case .property(let entity, let path): "\(entity).\(path)"
    case .index(let entity, let index): "@\(index.kind.attribute) \(entity).\(index.name)"
    }
  }
}

/// A property by the structure that declares it: where structs are embedded several times, several paths lead to it.
public struct PropertyPlace: Hashable, Sendable {
  /// The entity or struct.
  public var structure: String
  /// The property's name.
  public var property: String

  /// A property of a structure.
  public init(structure: String, property: String) {
    self.structure = structure
    self.property = property
  }
}

extension Schema {
  /// The property at a dotted path of an entity, with the structure that declares it.
  public func place(at path: String, of entity: String) -> PropertyPlace? {
    properties(along: path, of: entity).last.map {
      PropertyPlace(structure: $0.structure.name, property: $0.property.name)
    }
  }

  /// The properties along a dotted path of an entity, outermost first, each with the structure that declares it and its
  /// own path; empty when there is no such path.
  public func properties(
    along path: String, of entity: String
  ) -> [(structure: Entity, property: Property, path: String)] {
    var found: [(structure: Entity, property: Property, path: String)] = []
    var structure = self.entity(named: entity)
    for name in path.split(separator: ".") {
      guard let here = structure, let property = here.property(named: String(name)) else { return [] }
      found.append((here, property, (found.last.map { $0.path + "." } ?? "") + property.name))
      structure = property.type.embeddedStructure.flatMap { self.structure(named: $0) }
    }
    return found
  }

  /// The path of a structure: `Doc` for an entity, and `Doc.site` where it is embedded.
  public func places(of structure: String) -> [String] {
    var places: [String] = entity(named: structure).map { [$0.name] } ?? []
    var waiting = entities.reversed().map { (prefix: $0.name, structure: $0, enclosing: [$0.name]) }
    while let (prefix, outer, enclosing) = waiting.popLast() {
      for property in outer.properties {
        guard let name = property.type.embeddedStructure, !enclosing.contains(name) else { continue }
        let path = "\(prefix).\(property.name)"
        if name == structure { places.append(path) }
        if let inner = self.structure(named: name) { waiting.append((path, inner, enclosing + [name])) }
      }
    }
    return places
  }
}
