internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Lists of structs in the SET of an UPDATE, which are set as a whole.
extension AssignmentBinder {
  /// Binds the assignment of a list of structs. Returns nil if the path is not such a list, and an empty list after an
  /// error.
  mutating func structs(of syntax: AssignmentSyntax) -> [CompiledAssignments.Assignment]? {
    guard let names = syntax.path.plainNames else { return nil }
    let path = names.joined(separator: ".")
    if let list = entity.structLists.first(where: { path.hasPrefix($0.path + ".") }) {
      binder.report(
        .typeMismatch, "'\(path)' is in every struct of '\(list.path)', which is set as a whole", syntax.range,
        notes: ["as in 'SET \(list.path) = [{\"\(path.dropFirst(list.path.utf8.count + 1))\": …}, …]'"])
      return []
    }
    guard let list = entity.structLists.first(where: { $0.path == path }) else { return nil }
    switch syntax.value.kind {
    case .list(let elements) where elements.isEmpty: return assignments(.list([]), to: list, syntax)
    case .literal(let value): return assignments(value, to: list, syntax)
    default:
      binder.report(
        .typeMismatch, "'\(path)' is a list of '\(list.structure)', which this is not", syntax.value.range,
        notes: ["write its structs as objects in JSON, as in [{\"\(list.fields.first?.name ?? "name")\": …}, …]"])
      return []
    }
  }

  private mutating func assignments(
    _ value: Value, to list: StructList, _ syntax: AssignmentSyntax
  ) -> [CompiledAssignments.Assignment] {
    let values: [(column: Int, value: Value)]
    do throws(StructList.Fault) {
      values = try list.columns(of: value, in: entity.columns.map(\.column))
    } catch {
      report(error, of: list, syntax.value.range)
      return []
    }
    var assignments: [CompiledAssignments.Assignment] = []
    for (column, value) in values {
      let stored = entity.columns[column]
      guard let kept = stored.converted(value) else {
        var place = JSONPath()
        if case .list(let elements) = value,
          let element = elements.firstIndex(where: { stored.converted(.list([$0])) == nil })
        {
          place = place.element(element).property(String(stored.path.dropFirst(list.path.count + 1)))
        }
        binder.report(
          .typeMismatch, "'\(list.path)\(place)' is of type \(stored.scalarType.rawValue), which this is not",
          place.range(in: binder.source, from: syntax.value.range))
        continue
      }
      if stored.scalarType == .decimal, reportsLostDigits(of: value, stored, in: list, syntax) { continue }
      assignments.append(
        CompiledAssignments.Assignment(
          column: column, parts: [.constant(kept)], presence: presence(around: list.path), syntax: syntax))
    }
    return assignments
  }

  private mutating func reportsLostDigits(
    of value: Value, _ column: StoredColumn, in list: StructList, _ syntax: AssignmentSyntax
  ) -> Bool {
    guard case .list(let elements) = value,
      JSONPath().numberBeyondDecimals(in: binder.source, from: syntax.value.range) != nil
    else { return false }
    let name = String(column.path.dropFirst(list.path.count + 1))
    return elements.indices.contains {
      if case .double = elements[$0] {
        reportsLostDigits(at: JSONPath().element($0).property(name), of: list.path, syntax)
      } else {
        false
      }
    }
  }

  private mutating func report(_ fault: StructList.Fault, of list: StructList, _ whole: SourceRange) {
    let place = fault.element.map {
      JSONPath().element($0).property(String(fault.path.dropFirst(list.path.count + 1)))
    }
    let range = place?.range(in: binder.source, from: whole) ?? whole
    switch fault.reason {
    case .notAList, .notAStruct: binder.report(.typeMismatch, fault.message, range)
    case .missingValue:
      binder.report(.missingValue, "'\(list.path)\(place ?? JSONPath())' needs a value", range)
    case .unknownProperty(let name, let known):
      let meant = Suggestion.nearest(to: name, among: known)
      binder.report(
        .unknownProperty, fault.message, range,
        notes: [(meant.map { "did you mean '\($0)'? " } ?? "") + "it has \(known.prefix(20).joined(separator: ", "))"])
    }
  }
}
