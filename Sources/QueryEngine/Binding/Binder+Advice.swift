internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage

/// Notes for errors where an object or a struct stands in the place of a value.
extension Binder {
  /// The path of an entity's first property with a fitting type.
  func property(of entity: StoredEntity, where fits: (ExpressionType) -> Bool) -> String? {
    entity.columns.first { column in
      guard case .scalar = column.column.kind else { return false }
      return fits(column.elementType)
    }?.path
  }

  /// The struct type at the end of a path; nil if the path ends in anything else.
  func structure(of syntax: ExpressionSyntax) -> Entity? {
    guard case .path(let path) = syntax.kind, let way = written(path), case .name(let name)? = way.last.last?.kind
    else { return nil }
    let entity = way.entity.entity
    var structure = entity
    for step in way.last.dropLast() {
      guard case .name(let name) = step.kind, let type = structure.property(named: name)?.type.structure,
        let inner = schema.schema.structure(named: type)
      else { return nil }
      structure = inner
    }
    return structure.property(named: name)?.type.structure.flatMap { schema.schema.structure(named: $0) }
  }

  /// The entity in which a path of names ends, and the remaining steps within it.
  private func written(_ path: PathSyntax) -> (entity: StoredEntity, last: ArraySlice<PathSyntax.Step>)? {
    guard var entity = start(of: path) else { return nil }
    var rest = steps(of: path).prefix { !$0.isItem }
    while let (target, after) = try? PathResolver(entity: entity, schema: schema.schema).follow(
      PathSyntax(steps: Array(rest)), range: SourceRange(0, 0)), !after.isEmpty
    {
      switch target {
      case .link(_, let name), .links(_, let name), .sources(let name, _):
        guard let next = linkedEntity(name)?.stored, after.count < rest.count else { return nil }
        entity = next
        rest = ArraySlice(after)
      default: return nil
      }
    }
    return (entity, rest)
  }

  /// Reports a name without a variable that is not a property of the outer object but one of a SUBQUERY's element.
  mutating func isOfElement(_ path: PathSyntax, range: SourceRange) -> Bool {
    guard !variables.isEmpty, let step = path.steps.first, case .name(let name) = step.kind,
      entity.entity.property(named: name) == nil
    else { return false }
    let isNear = Suggestion.nearest(to: name, among: entity.entity.properties.map(\.name)) != nil
    for variable in variables.reversed() {
      guard let element = element(of: variable) else { continue }
      let names = element.properties.map(\.name)
      guard let meant = names.contains(name) ? name : isNear ? nil : Suggestion.nearest(to: name, among: names) else {
        continue
      }
      let place = step.place(in: range)
      let isWritten = place.upperBound - place.lowerBound == name.utf8.count
      report(
        .unknownProperty, "\(entity.name) has no property '\(name)'", place,
        notes: [
          "'\(meant)' of the \(element.name) is '$\(variable.name).\(meant)': a path without a variable begins at the outer object"
        ],
        fixes: isWritten
          ? [
            Fix(
              message: "write '$\(variable.name).\(meant)'", range: place, replacement: "$\(variable.name).\(meant)")
          ] : [])
      return true
    }
    return false
  }

  /// The properties of a SUBQUERY's element: those of an entity or of a struct.
  private func element(of variable: Variable) -> Entity? {
    var whole = variable.type.objectEntity.flatMap(linkedEntity)?.stored.entity
    if let owner = variable.owner { whole = schema.schema.structure(named: owner.list.structure) }
    return variable.inside.reduce(whole) { around, step in
      if step.isItem { return around }
      guard case .name(let name) = step.kind, let type = around?.property(named: name)?.type.structure else {
        return nil
      }
      return schema.schema.structure(named: type)
    }
  }

  /// Reports members that other languages have on collections, such as `tasks.count` and `tasks.first`, after a
  /// collection of objects or structs. Returns false for a property and for any other name.
  mutating func isForeignMember(
    _ steps: ArraySlice<PathSyntax.Step>, of collection: BoundCollection, range: SourceRange
  ) -> Bool {
    guard let step = steps.first, case .name(let name) = step.kind else { return false }
    let element: Entity?
    if let owner = owner(of: collection) {
      element = schema.schema.structure(named: owner.list.structure)
    } else {
      element = collection.elementType?.objectEntity.flatMap(linkedEntity)?.stored.entity
    }
    guard let element, element.property(named: name) == nil else { return false }
    let place = step.place(in: range)
    let before = written(SourceRange(range.lowerBound, max(range.lowerBound, place.lowerBound - 1)))
    let text = before ?? "…"
    let note: String
    switch name.lowercased() {
    case "count", "length", "size": note = "how many there are is '\(text).@count'"
    case "isempty", "empty": note = "whether there are none is '\(text).@count == 0'"
    case "first": note = "the first one is '\(text)[FIRST]'"
    case "last": note = "the last one is '\(text)[LAST]'"
    case "any", "all", "none", "some":
      note = "\(name.uppercased()) goes before the path: '\(name.uppercased()) \(text).… == …'"
    default: return false
    }
    report(.unknownProperty, "\(element.name) has no property '\(name)'", place, notes: [note])
    return true
  }

  /// The note for an aggregate that cannot take the elements of a collection.
  func aggregateAdvice(_ name: String, _ reduction: AggregateFunction, of collection: BoundCollection) -> [String] {
    if let owner = owner(of: collection) {
      let structure = schema.schema.structure(named: owner.list.structure)
      let fitting = structure?.properties.first { property in
        if case .scalar(let type) = property.type { reduction.type(of: ExpressionType(type)) != nil } else { false }
      }
      return ["write the path of one of their properties after it: '@\(name).\(fitting?.name ?? "…")'"]
    }
    if let entity = collection.elementType?.objectEntity.flatMap(linkedEntity)?.stored {
      let fitting = property(of: entity) { reduction.type(of: $0) != nil }
      return ["write the path of one of their properties after it: '@\(name).\(fitting ?? "…")'"]
    }
    guard let type = collection.elementType else { return [] }
    let others = AggregateFunction.functions.filter { $0 != reduction && $0.type(of: type) != nil }
      .map { "'@\($0.rawValue)'" }
    guard let last = others.last, others.count > 1 else { return [] }
    return ["of these there are \(others.dropLast().joined(separator: ", ")) and \(last)"]
  }

  /// The note for an aggregate of a group over objects: a property that the aggregate can take.
  func propertyAdvice(
    _ type: ExpressionType?, _ name: String, _ path: PathSyntax, where fits: (ExpressionType) -> Bool
  ) -> [String] {
    guard let entity = type?.objectEntity.flatMap(linkedEntity)?.stored else { return [] }
    return ["write the path of one of their properties: '\(name).\(path).\(property(of: entity, where: fits) ?? "…")'"]
  }

  /// Reports an aggregate or index after a link to one object.
  mutating func isMisplacedOnLink(_ rest: ArraySlice<PathSyntax.Step>, to name: String, range: SourceRange) -> Bool {
    guard let step = rest.first else { return false }
    let place = step.place(in: range)
    let before = written(SourceRange(range.lowerBound, place.lowerBound))?.trimmed
    let link = before.map { "'\($0)'" } ?? "this"
    switch step.kind {
    case .name, .placeholder, .operation("type"), .operation("links"): return false
    case .operation(let operation):
      report(
        .typeMismatch, "\(link) is a link to one \(name), so it has no '@\(operation)'", place,
        notes: operation == "count" ? ["whether there is one is '\(before ?? "…") != nil'"] : [])
    default: report(.typeMismatch, "\(link) is a link to one \(name), and has no elements", place)
    }
    return true
  }

  /// Notes for objects or structs that are compared with a value of another type, or used as a string.
  func advice(_ syntax: ExpressionSyntax, _ type: ExpressionType?, isMany: Bool, with other: ExpressionType?)
    -> [String]
  {
    let text = syntax.predicateFormat
    guard text.utf8.count <= 60 else { return ["write one of the properties after a dot"] }
    var notes: [String] = []
    func fits(_ found: ExpressionType) -> Bool { found == other || found.isNumeric && other?.isNumeric ?? false }
    if let name = type?.objectEntity, let entity = linkedEntity(name)?.stored {
      let example = property(of: entity, where: fits) ?? property(of: entity) { _ in true }
      notes.append("a property of \(name) stands after a dot" + (example.map { ": '\(text).\($0)'" } ?? ""))
    } else if type == .structure {
      let structure = structure(of: syntax)
      let properties = structure?.properties.filter { if case .scalar = $0.type { true } else { false } } ?? []
      let example = properties.first { property in
        if case .scalar(let scalar) = property.type { fits(ExpressionType(scalar)) } else { false }
      }
      let shown = (example ?? properties.first)?.name
      notes.append(
        "a property of \(structure?.name ?? "the struct") stands after a dot"
          + (shown.map { ": '\(text).\($0)'" } ?? ""))
    }
    if isMany, other?.isNumeric ?? false { notes.append("how many there are is '\(text).@count'") }
    if other == .bool {
      notes.append(
        isMany ? "whether there are any is '\(text).@count > 0'" : "whether there is one is '\(text) != nil'")
    }
    return notes
  }
}

extension String {
  /// The string without trailing dots, brackets and spaces.
  fileprivate var trimmed: String {
    var text = self
    while text.last == "." || text.last == "[" || text.last == " " { text.removeLast() }
    return text
  }
}

extension PropertyType {
  /// The name of the struct type that a property holds, alone or in a list.
  fileprivate var structure: String? {
    switch self {
    case .embedded(let name), .embeddedList(let name): name
    default: nil
    }
  }
}
