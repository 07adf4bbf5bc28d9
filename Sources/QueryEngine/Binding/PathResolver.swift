internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage

/// Looks paths up in an entity, with errors that name what was meant.
struct PathResolver {
  let entity: StoredEntity
  let schema: Schema

  /// What a path of names leads to. `range` is the whole path's, for steps that have none.
  func resolve(_ path: PathSyntax, range: SourceRange) throws(Diagnostic) -> PathTarget {
    let (target, rest) = try follow(path, range: range)
    guard let step = rest.first else { return target }
    throw Diagnostic(
      code: .typeMismatch, message: "'\(path)' is computed and no property", range: step.place(in: range))
  }

  /// What the names of a path lead to, and the steps after it that say what is done with it.
  func follow(
    _ path: PathSyntax, range: SourceRange
  ) throws(Diagnostic) -> (target: PathTarget, rest: ArraySlice<PathSyntax.Step>) {
    if let variable = path.variable {
      throw Diagnostic(
        code: .unknownVariable, message: "'$\(variable)' is the element of no SUBQUERY around it", range: range)
    }
    var structure = entity.entity
    var names: [String] = []
    var reached: Property?
    var rest = path.steps[...]
    while let step = rest.first, case .name(let name) = step.kind {
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
      if let refusal = refusal(of: property, range: place) { throw refusal }
      names.append(name)
      reached = property
    }
    guard let reached else {
      guard let step = rest.first else { return (.object, rest) }
      if case .operation("type") = step.kind, rest.count == 1 { return (.entityName, []) }
      throw misplaced(step, range: step.place(in: range))
    }
    let full = names.joined(separator: ".")
    let target = try target(reached, full, range: range)
    switch target {
    case .collection: break
    default: if let step = rest.first { throw misplaced(step, after: reached, range: step.place(in: range)) }
    }
    return (target, rest)
  }

  private func target(_ property: Property, _ path: String, range: SourceRange) throws(Diagnostic) -> PathTarget {
    switch property.type {
    case .scalar: if let column = entity.column(at: path) { return .column(column) }
    case .array, .set, .dictionary: if let column = entity.column(at: path) { return .collection(column) }
    default:
      let columns = entity.columns.indices.filter { entity.columns[$0].path.hasPrefix(path + ".") }
      return .structure(columns: columns, presence: property.isOptional ? entity.column(at: path) : nil)
    }
    throw Diagnostic(
      code: .unknownProperty, message: "the file has no column for '\(path)' of \(entity.name)", range: range)
  }

  /// An operator or index where there is no collection.
  private func misplaced(_ step: PathSyntax.Step, after property: Property? = nil, range: SourceRange) -> Diagnostic {
    let what = property.map { "'\($0.name)' is a single value" } ?? "an object is a single value"
    switch step.kind {
    case .operation("links"):
      return Diagnostic(code: .unsupported, message: "backlinks are not supported yet", range: range)
    case .operation(let name):
      return Diagnostic(
        code: .typeMismatch, message: "\(what), so it has no '@\(name)'", range: range,
        notes: property == nil ? ["'@\(name)' stands after the path of a collection, or in SELECT for all objects"] : []
      )
    default:
      return Diagnostic(code: .typeMismatch, message: "\(what) and has no elements", range: range)
    }
  }

  private func refusal(of property: Property, range: SourceRange) -> Diagnostic? {
    let what: String
    switch property.type {
    case .scalar, .embedded, .array, .set, .dictionary: return nil
    case .embeddedList: what = "a list of structs; those are"
    case .link, .list, .linkingObjects: what = "a link; links are"
    }
    return Diagnostic(
      code: .unsupported, message: "'\(property.name)' is \(what) not supported in queries yet", range: range)
  }

  /// What other languages call the number of elements, or ask of it.
  private static let countingNames: Set<String> = ["count", "length", "size", "isempty"]

  private func notAStructure(
    _ property: Property, at path: String, _ name: String, range: SourceRange
  ) -> Diagnostic {
    var notes =
      Self.countingNames.contains(name.lowercased()) ? ["how many elements there are is \(path).@count"] : []
    let type: String
    switch property.type {
    case .scalar(let scalar):
      type = scalar.rawValue
      if !notes.isEmpty { notes = scalar == .string ? ["how long a text is, is length(\(path))"] : [] }
    case .array(let element): type = CollectionKind.array.name(of: element)
    case .set(let element): type = CollectionKind.set.name(of: element)
    case .dictionary(let element):
      type = CollectionKind.dictionary.name(of: element)
      notes += ["the value of a key is \(path)[\"\(name)\"]"]
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
    // A leaf of an embedded struct is often written without the struct's name.
    let leaves = entity.columns.map(\.path)
    let meant =
      (prefix.isEmpty ? leaves.first { $0.lowercased().hasSuffix("." + name.lowercased()) } : nil)
      ?? Suggestion.nearest(to: name, among: names)
      ?? (prefix.isEmpty ? Suggestion.nearest(to: name, among: ["TRUE", "FALSE", "nil", "TRUEPREDICATE"]) : nil)
    if let meant { notes = ["did you mean '\(meant)'? " + listing] }
    // A name that came as an argument does not stand in the text.
    let isWritten = range.upperBound - range.lowerBound == name.utf8.count
    return Diagnostic(
      code: .unknownProperty, message: "\(structure.name) has no property '\(name)'", range: range, notes: notes,
      fixes: isWritten ? meant.map { [Fix(message: "write '\($0)'", range: range, replacement: $0)] } ?? [] : [])
  }
}

extension PathSyntax.Step {
  /// Where it stands; the whole path's place for a step that has none.
  func place(in range: SourceRange) -> SourceRange {
    self.range.upperBound > self.range.lowerBound ? self.range : range
  }
}
