import PredicateLanguage
import Schema
import Values

/// What a path leads to, and how to read it.
enum OraclePath {
  /// One value.
  case single(OracleType, (OracleScope) -> Value)
  /// The elements of a collection; nil when there is none.
  case many(OracleType, Many, (OracleScope) -> [Value]?)
  /// An embedded struct by its path, or the object itself by none.
  case structure(String)

  enum Many: Equatable {
    case array, set
    /// The values, with the column that has the keys too.
    case dictionary(String)
    /// What is chosen out of another.
    case chosen
  }
}

/// Paths, step by step.
extension NaiveEvaluator {
  func resolve(_ path: PathSyntax, _ scope: OracleScope) throws(OracleError) -> OraclePath {
    var place = OraclePath.structure("")
    if let variable = path.variable {
      guard let item = scope.variables[variable] else { throw OracleError("no variable \(variable)") }
      place = .single(item.type) { $0.variables[variable]?.value ?? .null }
    }
    return try resolve(path.steps, from: place, scope)
  }

  private func resolve(
    _ steps: [PathSyntax.Step], from start: OraclePath, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath {
    var place = start
    for step in steps {
      switch (step.kind, place) {
      case (.name(let name), .structure(let outer)): place = try property(name, of: outer)
      case (.placeholder(let placeholder), .structure(let outer)):
        guard case .string(let names) = argument(placeholder) else { throw OracleError("no name") }
        var inner = outer
        for name in mistake == .namesGivenAreNotSplit ? [names[...]] : names.split(separator: ".") {
          place = try property(String(name), of: inner)
          if case .structure(let next) = place { inner = next }
        }
      case (.operation("type"), .structure("")):
        let name = entity.name
        place = .single(.string) { _ in .string(name) }
      case (.operation("keys"), .many(_, .dictionary(let name), _)):
        place = .many(.string, .chosen) { Self.fields(name, $0)?.map { .string($0.name) } }
      case (.operation("values"), .many(let type, .dictionary(let name), let read)):
        place = .many(type, .chosen) {
          mistake == .valuesAreKeys ? Self.fields(name, $0)?.map { .string($0.name) } : read($0)
        }
      case (.operation("distinctUnionOfObjects"), .many(let type, _, let read)):
        place = .many(type, .chosen) { scope in read(scope).map { Self.distinct($0) } }
      case (.operation(let name), .many(let type, _, let read)):
        guard let result = try OracleAggregates.type(name, [type]) else { throw OracleError("no aggregate \(name)") }
        place = .single(result) { aggregate(name, read($0) ?? [], isInteger: result == .int) }
      case (.size, .many(_, _, let read)): place = .single(.int) { .int(Int64((read($0) ?? []).count)) }
      case (.first, .many(let type, .array, let read)): place = .single(type) { read($0)?.first ?? .null }
      case (.last, .many(let type, .array, let read)): place = .single(type) { read($0)?.last ?? .null }
      case (.index(let index), .many(let type, .array, let read)):
        guard try self.type(of: index, scope).isIntOrNull else { throw OracleError("an index is a whole number") }
        place = .single(type) { scope in
          guard case .int(let given) = value(index, scope), let values = read(scope) else { return .null }
          let number = mistake == .indexCountsFromOne ? given &- 1 : given
          return number >= 0 && number < Int64(values.count) ? values[Int(number)] : .null
        }
      case (.index(let key), .many(let type, .dictionary(let name), _)):
        guard try self.type(of: key, scope).isTextOrNull else { throw OracleError("a key is a text") }
        place = .single(type) { scope in
          guard case .string(let wanted) = value(key, scope) else { return .null }
          let found = Self.fields(name, scope)?.first { Array($0.name.utf8) == Array(wanted.utf8) }
          return found?.value ?? .null
        }
      default: throw OracleError("the path leads nowhere")
      }
    }
    return place
  }

  private func property(_ name: String, of outer: String) throws(OracleError) -> OraclePath {
    let path = outer.isEmpty ? name : outer + "." + name
    switch columns[path]?.kind {
    case .scalar(let type)?: return .single(OracleType(type)) { $0.object.values[path] ?? .null }
    case .collection(let kind, let type)?:
      let read: (OracleScope) -> [Value]? = { scope in
        switch scope.object.values[path] {
        case .list(let elements)?: elements
        case .embedded(let fields)?: fields.map(\.value)
        default: nil
        }
      }
      switch kind {
      case .array: return .many(OracleType(type), .array, read)
      case .set: return .many(OracleType(type), .set, read)
      case .dictionary: return .many(OracleType(type), .dictionary(path), read)
      }
    case .presence?: return .structure(path)
    case .link?, .links?: throw OracleError("\(path) is a link")
    case nil:
      guard columns.keys.contains(where: { $0.hasPrefix(path + ".") }) else { throw OracleError("no property \(path)") }
      return .structure(path)
    }
  }

  private static func fields(_ path: String, _ scope: OracleScope) -> [EmbeddedField]? {
    if case .embedded(let fields)? = scope.object.values[path] { return fields }
    return nil
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var kept: [Value] = []
    for value in values where !kept.contains(where: { OracleValues.same($0, value) }) { kept.append(value) }
    return kept
  }

  /// The elements for which the predicate holds, then what follows.
  func subquery(
    _ path: PathSyntax, _ variable: String, _ predicate: PredicateSyntax, _ tail: PathSyntax, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath {
    guard case .many(let type, _, let read) = try resolve(path, scope) else { throw OracleError("no collection") }
    let chosen = OraclePath.many(type, .chosen) { outer in
      read(outer)?.enumerated().filter { place, element in
        var inner = outer
        let first = mistake == .variableIsFirstElement && place > 0
        inner.variables[variable] = OracleItem(value: first ? read(outer)?[0] ?? .null : element, type: type)
        return holds(predicate, inner)
      }.map(\.element)
    }
    return try resolve(tail.steps, from: chosen, scope)
  }
}
