package import Diagnostics
package import PredicateLanguage
package import Schema
package import Storage

/// What a path of names leads to. It does not know how the path was written.
package enum PathTarget: Hashable, Sendable {
  /// A single value, by the position of its column.
  case column(Int)
  /// A collection of single values, by the position of its column.
  case collection(Int)
  /// An embedded struct: its leaf columns, and the column that says whether it is there when it is optional.
  case structure(columns: [Int], presence: Int?)
  /// The object itself.
  case object
  /// `@type`: the name of the entity.
  case entityName
}

<<<<<<< HEAD
/// Looks paths up in an entity, with errors that name what was meant.
struct PathResolver {
  let entity: StoredEntity
  let schema: Schema

  /// What a path leads to. `range` is the whole path's, for steps that have none.
  func resolve(_ path: PathSyntax, range: SourceRange) throws(Diagnostic) -> PathTarget {
    if let variable = path.variable {
      throw Diagnostic(
        code: .unknownVariable, message: "'$\(variable)' is the element of no SUBQUERY around it", range: range)
    }
    var structure = entity.entity
    var names: [String] = []
    var reached: Property?
    for step in path.steps {
      let place = step.range.upperBound > step.range.lowerBound ? step.range : range
      guard case .name(let name) = step.kind else {
        return try operation(step, isFirst: names.isEmpty, isLast: path.steps.count == 1, after: reached, range: place)
      }
      if let reached {
        guard case .embedded(let type) = reached.type, let inner = schema.structure(named: type) else {
          throw notAStructure(reached, name, range: place)
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
    guard let reached else { return .object }
    let full = names.joined(separator: ".")
    switch reached.type {
    case .scalar:
      if let column = entity.column(at: full) { return .column(column) }
    default:
      let columns = entity.columns.indices.filter { entity.columns[$0].path.hasPrefix(full + ".") }
      return .structure(columns: columns, presence: reached.isOptional ? entity.column(at: full) : nil)
    }
    throw Diagnostic(
      code: .unknownProperty, message: "the file has no column for '\(full)' of \(entity.name)", range: range)
  }

  private func operation(
    _ step: PathSyntax.Step, isFirst: Bool, isLast: Bool, after property: Property?, range: SourceRange
  ) throws(Diagnostic) -> PathTarget {
    switch step.kind {
    case .operation("type") where isFirst && isLast: return .entityName
    case .operation("links"):
      throw Diagnostic(code: .unsupported, message: "backlinks are not supported yet", range: range)
    case .operation(let name):
      if let property, case .scalar = property.type {
        throw Diagnostic(
          code: .typeMismatch, message: "'\(property.name)' is a single value, so it has no '@\(name)'",
          range: range)
      }
      throw Diagnostic(code: .unsupported, message: "'@\(name)' is not supported yet", range: range)
    default:
      if let property, case .scalar = property.type {
        throw Diagnostic(
          code: .typeMismatch, message: "'\(property.name)' is a single value and has no elements", range: range)
      }
      throw Diagnostic(code: .unsupported, message: "elements of collections are not supported yet", range: range)
    }
  }

  private func refusal(of property: Property, range: SourceRange) -> Diagnostic? {
    let what: String
    switch property.type {
    case .scalar, .embedded: return nil
    case .array, .set, .dictionary, .embeddedList: what = "a collection; collections are"
    case .link, .list, .linkingObjects: what = "a link; links are"
    }
    return Diagnostic(
      code: .unsupported, message: "'\(property.name)' is \(what) not supported in queries yet", range: range)
  }

  private func notAStructure(_ property: Property, _ name: String, range: SourceRange) -> Diagnostic {
    var type = "a struct"
    if case .scalar(let scalar) = property.type { type = scalar.rawValue }
    return Diagnostic(
      code: .unknownProperty, message: "'\(property.name)' is \(type), so it has no property '\(name)'",
      range: range)
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
      (prefix.isEmpty ? leaves.first { $0.hasSuffix("." + name) } : nil) ?? Suggestion.nearest(to: name, among: names)
    if let meant { notes = ["did you mean '\(meant)'? " + listing] }
    return Diagnostic(
      code: .unknownProperty, message: "\(structure.name) has no property '\(name)'", range: range, notes: notes)
  }
}

=======
>>>>>>> c0f2b1a (Binder: collections, quantifiers, SUBQUERY, aggregates and index expressions as bound trees)
/// The columns that a path leads to: one for a single value, several for an embedded struct, all for `SELF`.
package func resolve(
  _ path: PathSyntax, range: SourceRange = SourceRange(0, 0), source: String = "", entity: StoredEntity, schema: Schema
) throws(DiagnosticError) -> [Int] {
  do throws(Diagnostic) {
    switch try PathResolver(entity: entity, schema: schema).resolve(path, range: range) {
    case .column(let column), .collection(let column): return [column]
    case .structure(let columns, let presence): return (presence.map { [$0] } ?? []) + columns
    case .object: return Array(entity.columns.indices)
    case .entityName:
      throw Diagnostic(code: .typeMismatch, message: "'@type' is not a property", range: range)
    }
  } catch {
    throw DiagnosticError(source: source, error)
  }
}
