internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage

/// Looks up paths in an entity; errors suggest the name that was probably meant.
struct PathResolver {
  let entity: StoredEntity
  let schema: Schema
  /// The list whose structs the paths begin in; nil if paths begin in an object.
  var list: StructList?

  /// The target of a path of names. `range` is the whole path's, for steps without a range.
  func resolve(_ path: PathSyntax, range: SourceRange) throws(Diagnostic) -> PathTarget {
    let (target, rest) = try follow(path, range: range)
    guard let step = rest.first else { return target }
    throw Diagnostic(
      code: .typeMismatch, message: "'\(path)' is computed, not a property", range: step.place(in: range))
  }

  /// The target of the names of a path, and the remaining steps, which are applied to that target.
  func follow(
    _ path: PathSyntax, range: SourceRange
  ) throws(Diagnostic) -> (target: PathTarget, rest: ArraySlice<PathSyntax.Step>) {
    if let variable = path.variable {
      throw Diagnostic(
        code: .unknownVariable, message: "'$\(variable)' is not the variable of a SUBQUERY around it", range: range)
    }
    var structure = list.flatMap { schema.structure(named: $0.structure) } ?? entity.entity
    var names = list.map { $0.path.split(separator: ".").map(String.init) } ?? []
    var reached: Property?
    var rest = path.steps[...]
    while let step = rest.first, case .name(let name) = step.kind {
      // Stop at a link or a list, whose targets and structs have properties of their own, and at `.length` of a string.
      if let reached, reached.type.leadsElsewhere || step.isLength && reached.type.isOfTexts { break }
      rest = rest.dropFirst()
      let place = step.place(in: range)
      if let reached {
        guard case .embedded(let type) = reached.type, let inner = schema.structure(named: type) else {
          throw notAStructure(reached, at: names.joined(separator: "."), name, range: place)
        }
        structure = inner
      }
      guard let property = structure.property(named: name) else {
        throw unknown(name, in: structure, prefix: names, range: place)
      }
      names.append(name)
      reached = property
    }
    guard let reached else {
      guard let step = rest.first else { return (.object, rest) }
      if list != nil { throw misplaced(step, range: step.place(in: range)) }
      if case .operation("type") = step.kind, rest.dropFirst().first?.isLength ?? true {
        return (.entityName, rest.dropFirst())
      }
      if case .operation("links") = step.kind { return try sources(rest.dropFirst(), step.place(in: range), range) }
      throw misplaced(step, range: step.place(in: range))
    }
    let full = names.joined(separator: ".")
    let target = try target(reached, full, range: range)
    switch target {
    case .collection, .link, .links, .sources, .structs: break
    case .column where rest.first?.isLength == true: break
    default: if let step = rest.first { throw misplaced(step, after: reached, at: full, range: step.place(in: range)) }
    }
    return (target, rest)
  }

  private func target(_ property: Property, _ path: String, range: SourceRange) throws(Diagnostic) -> PathTarget {
    switch property.type {
    case .scalar: if let column = entity.column(at: path) { return .column(column) }
    case .array, .set, .dictionary: if let column = entity.column(at: path) { return .collection(column) }
    case .link(let target): if let column = entity.column(at: path) { return .link(column, entity: target) }
    case .list(let target): if let column = entity.column(at: path) { return .links(column, entity: target) }
    case .linkingObjects(let source, let property): return .sources(entity: source, path: property)
    case .embeddedList: if let column = entity.column(at: path) { return .structs(column) }
    case .embedded:
      let columns = entity.columns.indices.filter { entity.columns[$0].path.hasPrefix(path + ".") }
      return .structure(columns: columns, presence: property.isOptional ? entity.column(at: path) : nil)
    }
    throw Diagnostic(
      code: .unknownProperty, message: "the file has no column for '\(path)' of \(entity.name)", range: range)
  }

  /// The error for an operator or index after a value that is no collection.
  private func misplaced(
    _ step: PathSyntax.Step, after property: Property? = nil, at path: String = "", range: SourceRange
  ) -> Diagnostic {
    let what =
      property.map { "'\($0.name)' is a single value" } ?? "\(list == nil ? "an object" : "a struct") is a single value"
    switch step.kind {
    case .operation(let name):
      var notes: [String] = []
      if property == nil, list == nil {
        notes = [
          "'@\(name)' goes after the path of a collection, or alone in SELECT and HAVING for all objects of a group"
        ]
      } else if let property, case .scalar(.string) = property.type, name == "count" {
        notes = ["for the length of a string, write length(\(property.name))"]
      } else if property != nil, list == nil, let function = AggregateFunction(operation: name), function != .count {
        notes = ["over all objects, or those of a group, it is '@\(name).\(path)'"]
      }
      return Diagnostic(
        code: .typeMismatch, message: "\(what), so it has no '@\(name)'", range: range, notes: notes)
    case .name, .placeholder, .index, .first, .last, .size:
      var notes: [String] = []
      if let property, case .scalar(.string) = property.type {
        notes = [
          (step.meantOption.map { "did you mean '[\($0)]'? " } ?? "")
            + "the options of a key of SORT BY are [c], [d], [cd] and [numeric]; a key of GROUP BY has none"
        ]
      }
      return Diagnostic(code: .typeMismatch, message: "\(what) and has no elements", range: range, notes: notes)
    }
  }

  /// The target of `@links` and the steps after it: `@links.Project.tasks`, or `@links` alone.
  private func sources(
    _ steps: ArraySlice<PathSyntax.Step>, _ place: SourceRange, _ range: SourceRange
  ) throws(Diagnostic) -> (target: PathTarget, rest: ArraySlice<PathSyntax.Step>) {
    guard let step = steps.first, case .name(let name) = step.kind else { return (.allSources, steps) }
    guard let source = schema.entity(named: name) else {
      let names = schema.entities.map(\.name)
      let near = Suggestion.nearest(to: name, among: names)
      throw Diagnostic(
        code: .unknownEntity, message: "there is no entity '\(name)'", range: step.place(in: range),
        notes: [(near.map { "did you mean '\($0)'? " } ?? "") + "the store has \(names.joined(separator: ", "))"],
        fixes: near.map { [Fix(message: "write '\($0)'", range: step.place(in: range), replacement: $0)] } ?? [])
    }
    var rest = steps.dropFirst()
    var names: [String] = []
    var structure = source
    while let step = rest.first, case .name(let name) = step.kind {
      rest = rest.dropFirst()
      names.append(name)
      guard let property = structure.property(named: name) else { break }
      if property.type.target == entity.name {
        return (.sources(entity: source.name, path: names.joined(separator: ".")), rest)
      }
      guard case .embedded(let type) = property.type, let inner = schema.structure(named: type) else { break }
      structure = inner
    }
    let links = schema.columns(of: source).filter { $0.target == entity.name }.map(\.path)
    let asked = names.isEmpty ? nil : Suggestion.nearest(to: names.joined(separator: "."), among: links)
    let meant = (asked ?? links.first).map { "@links.\(source.name).\($0)" }
    throw Diagnostic(
      code: names.isEmpty ? .typeMismatch : .unknownProperty,
      message: names.isEmpty
        ? "'@links.\(source.name)' needs the name of a link"
        : "'\(names.joined(separator: "."))' of \(source.name) is not a link to \(entity.name)",
      range: (steps.prefix(names.count + 1).last ?? step).place(in: range),
      notes: [
        meant.map { "write '\($0)'" + (names.isEmpty ? ", and how many there are is '\($0).@count'" : "") }
          ?? "\(source.name) has no link to \(entity.name)"
      ])
  }

  /// Names in other languages for the number of elements, or for a test whether it is 0.
  private static let countingNames: Set<String> = ["count", "length", "size", "isempty"]

  private func notAStructure(
    _ property: Property, at path: String, _ name: String, range: SourceRange
  ) -> Diagnostic {
    var notes =
      Self.countingNames.contains(name.lowercased()) ? ["to count the elements, write \(path).@count"] : []
    let type: String
    switch property.type {
    case .scalar(let scalar):
      type = scalar.rawValue
      if !notes.isEmpty { notes = scalar == .string ? ["for the length of a string, write length(\(path))"] : [] }
      if scalar == .data { notes.append("no path leads into Data: a struct with properties is an '@Model' struct") }
    case .array(let element): type = CollectionKind.array.name(of: element)
    case .set(let element): type = CollectionKind.set.name(of: element)
    case .dictionary(let element):
      type = CollectionKind.dictionary.name(of: element)
      notes += ["the value of a key is \(path)[\"\(name)\"]"]
    case .linkingObjects(let entity, _): type = "a collection of \(entity)"
    default: type = "a struct"
    }
    return Diagnostic(
      code: .unknownProperty, message: "'\(property.name)' is \(type), so it has no property '\(name)'",
      range: range, notes: notes)
  }

  private func unknown(
    _ name: String, in structure: Entity, prefix: [String], range: SourceRange
  ) -> Diagnostic {
    let names = structure.properties.map(\.name)
    let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " and \(names.count - 20) more" : "")
    let listing = names.isEmpty ? "\(structure.name) has no properties" : "\(structure.name) has \(shown)"
    var notes = [listing]
    // A property of an embedded struct is often written without the struct's name.
    let leaves = entity.columns.map(\.path)
    let meant =
      (prefix.isEmpty && name.lowercased() == "none" ? "nil" : nil)
      ?? (prefix.isEmpty ? leaves.first { $0.lowercased().hasSuffix("." + name.lowercased()) } : nil)
      ?? Suggestion.nearest(to: name, among: names)
      ?? (prefix.isEmpty ? Suggestion.nearest(to: name, among: ["TRUE", "FALSE", "nil", "TRUEPREDICATE"]) : nil)
    if prefix.isEmpty, list == nil, name == entity.name {
      notes = ["a path begins with a property: '\(name)' itself is not written"] + notes
    } else if let list, prefix.joined(separator: ".") == list.path,
      Self.countingNames.contains(name.lowercased())
    {
      notes = ["how many structs there are is \(list.path).@count"] + notes
    } else if let meant {
      notes = ["did you mean '\(meant)'? " + listing]
    }
    if prefix.isEmpty, PathSyntax.isKeyword(name) {
      notes.insert("'\(name)' is a keyword, and where it stands it can only be read as a name", at: 0)
    }
    // A name from an argument does not occur in the source text.
    let isWritten = range.upperBound - range.lowerBound == name.utf8.count
    return Diagnostic(
      code: .unknownProperty, message: "\(structure.name) has no property '\(name)'", range: range, notes: notes,
      fixes: isWritten ? meant.map { [Fix(message: "write '\($0)'", range: range, replacement: $0)] } ?? [] : [])
  }
}

extension PathSyntax.Step {
  /// The step's range; the whole path's range for a step without one.
  func place(in range: SourceRange) -> SourceRange {
    self.range.upperBound > self.range.lowerBound ? self.range : range
  }

  /// Whether it is `.length`, which may follow a string.
  var isLength: Bool { kind == .name("length") }
}

extension PropertyType {
  /// Whether the property leads to other objects or to several structs.
  var leadsElsewhere: Bool {
    switch self {
    case .link, .list, .linkingObjects, .embeddedList: true
    default: false
    }
  }

  /// Whether the property is a string or a collection of strings.
  fileprivate var isOfTexts: Bool {
    switch self {
    case .scalar(.string), .array(.string), .set(.string), .dictionary(.string): true
    default: false
    }
  }

  /// The entity that a stored link leads to; nil for other properties, including inverses.
  var target: String? {
    switch self {
    case .link(let entity), .list(let entity): entity
    default: nil
    }
  }
}

extension StoredEntity {
  /// Whether the entity has a property with a name, so that a path may begin with it.
  func hasProperty(_ name: String) -> Bool { entity.property(named: name) != nil }
}

extension PathSyntax.Step {
  /// The option of a sort key that is misspelt here: the bracket of `SORT(name[numric])` is read as an index.
  fileprivate var meantOption: String? {
    guard case .index(let index) = kind, case .path(let path) = index.kind, path.steps.count == 1,
      case .name(let word)? = path.steps.first?.kind
    else { return nil }
    return SortOptions.nearest(to: word)
  }
}
