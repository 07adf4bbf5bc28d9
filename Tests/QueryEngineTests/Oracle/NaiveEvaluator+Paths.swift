import PredicateLanguage
import Schema
import Values

/// What a path leads to, and how to read it.
enum OraclePath {
  /// One value.
  case single(OracleType, (OracleScope) -> Value)
  /// The elements of a collection; nil when there is none.
  case many(OracleType, Many, (OracleScope) -> [Value]?)
  /// An embedded struct, or the object itself.
  case structure(OraclePlace)

  enum Many {
    case array, set
    /// The values, and how to read them with their keys.
    case dictionary((OracleScope) -> [EmbeddedField]?)
    /// What is chosen out of others, or flattened out of several.
    case chosen
    /// One single value of each of many objects: no collection itself.
    case through
  }
}

/// Paths, step by step.
extension NaiveEvaluator {
  func resolve(_ path: PathSyntax, _ scope: OracleScope) throws(OracleError) -> OraclePath {
    var place = OraclePath.structure(OraclePlace(entity: entity.name, owner: .root))
    if let variable = path.variable {
      guard let item = scope.variables[variable] else { throw OracleError("no variable \(variable)") }
      place = .single(item.type) { $0.variables[variable]?.value ?? .null }
    }
    return try resolve(path.steps[...], from: place, scope)
  }

  func resolve(
    _ steps: ArraySlice<PathSyntax.Step>, from start: OraclePath, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath {
    var place = start
    var steps = steps
    while let step = steps.popFirst() {
      if let next = try linked(step, &steps, place, scope) {
        place = next
        continue
      }
      switch (step.kind, place) {
      case (.operation("keys"), .many(_, .dictionary(let fields), _)):
        place = .many(.string, .chosen) { fields($0)?.map { .string($0.name) } }
      case (.operation("values"), .many(let type, .dictionary(let fields), let read)):
        place = .many(type, .chosen) {
          mistake == .valuesAreKeys ? fields($0)?.map { .string($0.name) } : read($0)
        }
      case (.operation("distinctUnionOfObjects"), .many(let type, _, let read)):
        place = .many(type, .chosen) { scope in read(scope).map { distinct($0) } }
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
      case (.index(let key), .many(let type, .dictionary(let fields), _)):
        guard try self.type(of: key, scope).isTextOrNull else { throw OracleError("a key is a text") }
        place = .single(type) { scope in
          guard case .string(let wanted) = value(key, scope) else { return .null }
          let found = fields(scope)?.first { Array($0.name.utf8) == Array(wanted.utf8) }
          return found?.value ?? .null
        }
      default: throw OracleError("the path leads nowhere")
      }
    }
    return place
  }

  /// Each value once, nil left out.
  func distinct(_ values: [Value]) -> [Value] {
    var kept: [Value] = []
    for value in values where !value.isNull || linkMistake == .distinctKeepsNil {
      if !kept.contains(where: { OracleValues.same($0, value) }) { kept.append(value) }
    }
    return kept
  }

  /// The elements for which the predicate holds, then what follows.
  func subquery(
    _ path: PathSyntax, _ variable: String, _ predicate: PredicateSyntax, _ tail: PathSyntax, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath {
    guard case .many(let type, let kind, let read) = try resolve(path, scope) else {
      throw OracleError("no collection")
    }
    // What is chosen from a list stands in its order.
    let chosen = OraclePath.many(type, kind.isArray ? .array : .chosen) { outer in
      read(outer)?.enumerated().filter { place, element in
        var inner = outer
        let first = mistake == .variableIsFirstElement && place > 0
        if linkMistake != .shadowedNameIsTheOuter || inner.variables[variable]?.type != type {
          inner.variables[variable] = OracleItem(value: first ? read(outer)?[0] ?? .null : element, type: type)
        }
        if linkMistake == .bareIsInnermost, case .object(let reference) = element, reference.entity == entity.name {
          inner.object = world.objects[reference.entity]?[reference.number.rawValue] ?? inner.object
        }
        return holds(predicate, inner)
      }.map(\.element)
    }
    return try resolve(tail.steps[...], from: chosen, scope)
  }
}

extension OraclePath.Many {
  var isArray: Bool { if case .array = self { true } else { false } }
  var isThrough: Bool { if case .through = self { true } else { false } }
}
