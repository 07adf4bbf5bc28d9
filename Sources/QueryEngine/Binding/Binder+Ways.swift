internal import PredicateLanguage
internal import Schema
internal import Storage

/// Resolves paths by their names alone: whether they end in a struct, and in how many.
extension Binder {
  /// The target of the steps of a path. Resolving it is fast and reports nothing.
  struct Way {
    /// The entity of the objects at the end, if the path ends in objects.
    var end: StoredEntity?
    /// The index of the step where the final struct begins; each object or struct before that step has the struct.
    var structure: Int?
    /// Whether the path may lead to several objects or structs.
    var isMany = false
    /// Whether the struct belongs to structs of a list, not to objects.
    var isInList = false
  }

  /// The entity of the object where a path begins.
  func start(of path: PathSyntax) -> StoredEntity? {
    guard let name = path.variable else { return entity }
    return variables.last { $0.name == name }?.type.objectEntity.flatMap(linkedEntity)?.stored
  }

  /// The steps of a path, preceded by those from its variable's object to the struct that the variable names.
  func steps(of path: PathSyntax) -> [PathSyntax.Step] {
    guard let name = path.variable, let variable = variables.last(where: { $0.name == name }) else { return path.steps }
    return variable.inside + path.steps
  }

  /// The target of a path; nil if the entity of its first object is unknown.
  func way(of path: PathSyntax) -> Way? {
    guard let start = start(of: path) else { return nil }
    let all = steps(of: path)
    var way = way(all, from: start)
    way.structure = way.structure.map { $0 - (all.count - path.steps.count) }
    return way
  }

  /// The target of a sequence of steps from an entity.
  func way(_ steps: [PathSyntax.Step], from entity: StoredEntity) -> Way {
    var way = Way(end: entity)
    var entity = entity
    var rest = steps[...]
    while !rest.isEmpty, steps.count <= SyntaxLimits.nesting {
      way.end = nil
      let resolver = PathResolver(entity: entity, schema: schema.schema)
      guard let (target, after) = try? resolver.follow(PathSyntax(steps: Array(rest)), range: SourceRange(0, 0)) else {
        return way
      }
      let isItem = after.first?.isItem == true
      let next: String
      switch target {
      case .structure:
        if after.isEmpty { way.structure = steps.count - rest.count }
        return way
      case .structs(let column):
        let within = Array(isItem ? after.dropFirst() : after)
        guard leadsToStructure(within, in: column, of: entity, isItem: isItem) else { return way }
        way.structure = steps.count - (isItem ? rest.count : within.count)
        way.isMany = way.isMany || !isItem
        way.isInList = !isItem
        return way
      case .link(_, let name): next = name
      case .links(_, let name), .sources(let name, _):
        next = name
        way.isMany = way.isMany || !isItem
      default: return way
      }
      guard let stored = linkedEntity(next)?.stored else { return way }
      entity = stored
      way.end = entity
      rest = isItem ? after.dropFirst() : after
    }
    if !rest.isEmpty { way.end = nil }
    return way
  }

  /// Whether a path of names leads from each element of a collection to a struct.
  func leadsToStructures(_ names: ArraySlice<PathSyntax.Step>, of collection: BoundCollection) -> Bool {
    if let owner = owner(of: collection) {
      return leadsToStructure(
        Array(names), in: owner.list.column, of: owner.origin.entity(or: entity), isItem: false)
    }
    let elements = collection.elementType?.objectEntity.flatMap(linkedEntity)
    return elements.map { way(Array(names), from: $0.stored).structure != nil } ?? false
  }

  /// Whether steps lead from a struct of a list to a struct within it. Without steps only an item leads to a struct,
  /// itself.
  private func leadsToStructure(
    _ steps: [PathSyntax.Step], in column: Int, of entity: StoredEntity, isItem: Bool
  ) -> Bool {
    guard let list = entity.structLists.first(where: { $0.column == column }) else { return false }
    if steps.isEmpty { return isItem }
    let resolver = PathResolver(entity: entity, schema: schema.schema, list: list)
    guard let (target, rest) = try? resolver.follow(PathSyntax(steps: steps), range: SourceRange(0, 0)),
      case .structure = target
    else { return false }
    return rest.isEmpty
  }

  /// Splits a path to one struct of each of many objects or structs: into the path to the many, and the path from each
  /// to its struct. Returns nil for other paths.
  func structsOfMany(_ path: PathSyntax) -> (elements: PathSyntax, inside: [PathSyntax.Step])? {
    guard let way = way(of: path), way.isMany, let structure = way.structure, structure > 0 else { return nil }
    let before = PathSyntax(variable: path.variable, steps: Array(path.steps[..<structure]))
    return (before, Array(path.steps[structure...]))
  }
}
