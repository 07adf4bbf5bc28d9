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
    /// The elements of what each of many objects has, which is a list or a dictionary.
    case ofEach(CollectionKind, (OracleScope) -> [Value]?)
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
      let read: (OracleScope) -> Value = { $0.variables[variable]?.value ?? .null }
      if case .object(let entity) = item.type, !item.path.isEmpty {
        place = .structure(OraclePlace(entity: entity, path: item.path, owner: .one(read)))
      } else {
        place = .single(item.type, read)
      }
    }
    return try resolve(path.steps[...], from: place, scope)
  }

  func resolve(
    _ steps: ArraySlice<PathSyntax.Step>, from start: OraclePath, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath {
    var place = start
    var steps = try withNames(steps)[...]
    while let step = steps.popFirst() {
      if step.kind == .name("length"), let lengths = lengths(place) {
        place = lengths
        continue
      }
      if let next = try linked(step, &steps, place, scope) {
        place = next
        continue
      }
      switch (step.kind, place) {
      case (.operation("keys"), .many(_, .dictionary(let fields), _)):
        place = .many(.string, .chosen) { fields($0)?.map { .string($0.name) } }
      case (.operation("keys"), .many(_, .ofEach(.dictionary, let all), _)):
        place = .many(.string, .chosen) { all($0)?.flatMap { Self.fields(of: $0).map { .string($0.name) } } }
      case (.operation("values"), .many(let type, .ofEach(.dictionary, _), let read)):
        place = .many(type, .chosen, read)
      case (.operation("values"), .many(let type, .dictionary(let fields), let read)):
        place = .many(type, .chosen) {
          mistake == .valuesAreKeys ? fields($0)?.map { .string($0.name) } : read($0)
        }
      case (.operation("distinctUnionOfObjects"), .many(let type, _, let read)):
        place = .many(type, .chosen) { scope in read(scope).map { distinct($0) } }
      case (.operation(let name), .many(let type, _, let read)):
        guard let result = try OracleAggregates.type(name, [type]) else { throw OracleError("no aggregate \(name)") }
        place = .single(result) { aggregate(name, read($0) ?? [], type: result) }
      case (.size, .many(_, _, let read)): place = .single(.int) { .int(Int64((read($0) ?? []).count)) }
      case (_, .many(let type, .array, let read)):
        let item = try item(step, of: .array, scope)
        place = .single(type) { scope in read(scope).map { item(.list($0), scope) } ?? .null }
      case (_, .many(let type, .dictionary(let fields), _)):
        let item = try item(step, of: .dictionary, scope)
        place = .single(type) { scope in fields(scope).map { item(.embedded($0), scope) } ?? .null }
      case (_, .many(let type, .ofEach(let kind, let all), _)):
        // One of each, nil where there is none.
        let item = try item(step, of: kind, scope)
        place = .many(type, .through) { scope in
          let all = all(scope)
          return all?.map { item(linkMistake == .itemsAreOfTheFirst ? all?.first ?? $0 : $0, scope) }
        }
      default: throw OracleError("the path leads nowhere")
      }
    }
    return place
  }

  /// The steps with the names that are given as arguments in their places.
  private func withNames(_ steps: ArraySlice<PathSyntax.Step>) throws(OracleError) -> [PathSyntax.Step] {
    var result: [PathSyntax.Step] = []
    for step in steps {
      guard case .placeholder(let placeholder) = step.kind else {
        result.append(step)
        continue
      }
      guard case .string(let names) = argument(placeholder) else { throw OracleError("no name") }
      result += names.split(separator: ".").prefix(mistake == .nameGivenEndsAtItsDot ? 1 : .max).map {
        PathSyntax.Step(.name(String($0)))
      }
    }
    return result
  }

  /// Whether a path leads to a collection that the object itself has, or that which a variable stands for: its last step
  /// is a name, and none before it leads to another object.
  func isOwn(_ expression: ExpressionSyntax, _ scope: OracleScope) -> Bool {
    guard case .path(let path) = expression.kind else { return false }
    guard let steps = try? withNames(path.steps[...]), case .name? = steps.last?.kind else { return false }
    return (1..<max(1, steps.count)).allSatisfy { count in
      let before = try? resolve(PathSyntax(variable: path.variable, steps: Array(steps[..<count])), scope)
      switch before {
      case .structure(let place)?: return !place.isObject
      case .single?, .many?: return false
      // `@links` alone leads nowhere.
      case nil: return true
      }
    }
  }

  /// Whether a path begins with an element that is nil.
  func isOfNothing(_ expression: ExpressionSyntax, _ scope: OracleScope) -> Bool {
    guard case .path(let path) = expression.kind, let name = path.variable else { return false }
    return scope.variables[name]?.value.isNull ?? true
  }

  /// How long a text is, or each of many; nil where there is none.
  private func lengths(_ place: OraclePath) -> OraclePath? {
    switch place {
    case .single(.string, let read): .single(.int) { OracleArithmetic.call("length", [read($0)]) }
    case .many(.string, _, let read):
      .many(.int, .through) { read($0)?.map { OracleArithmetic.call("length", [$0]) } }
    case .single, .many, .structure: nil
    }
  }

  /// What a list has at a place, or a dictionary under a key.
  private func item(
    _ step: PathSyntax.Step, of kind: CollectionKind, _ scope: OracleScope
  ) throws(OracleError) -> (Value, OracleScope) -> Value {
    switch (step.kind, kind) {
    case (.first, .array): return { collection, _ in Self.elements(of: collection)?.first ?? .null }
    case (.last, .array): return { collection, _ in Self.elements(of: collection)?.last ?? .null }
    case (.index(let index), .array):
      guard try type(of: index, scope).isIntOrNull else { throw OracleError("an index is a whole number") }
      return { collection, scope in
        guard case .int(let given) = value(index, scope), let values = Self.elements(of: collection) else {
          return .null
        }
        let number = mistake == .indexCountsFromOne ? given &- 1 : given
        return number >= 0 && number < Int64(values.count) ? values[Int(number)] : .null
      }
    case (.index(let key), .dictionary):
      guard try type(of: key, scope).isTextOrNull else { throw OracleError("a key is a text") }
      return { collection, scope in
        guard case .string(let wanted) = value(key, scope) else { return .null }
        return Self.fields(of: collection).first { Array($0.name.utf8) == Array(wanted.utf8) }?.value ?? .null
      }
    default: throw OracleError("the path leads nowhere")
    }
  }

  static func elements(of value: Value) -> [Value]? {
    switch value {
    case .list(let elements): elements
    case .embedded(let fields): fields.map(\.value)
    default: nil
    }
  }

  private static func fields(of value: Value) -> [EmbeddedField] {
    if case .embedded(let fields) = value { fields } else { [] }
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
    let (element, kind, read) = try elements(path, scope)
    let chosen: (OracleScope) -> [Value]? = { outer in
      read(outer)?.enumerated().filter { place, value in
        var inner = outer
        let first = mistake == .variableIsFirstElement && place > 0
        let known = inner.variables[variable]
        if linkMistake != .shadowedNameIsTheOuter || known?.type != element.type || known?.path != element.path {
          inner.variables[variable] = element
          inner.variables[variable]?.value = first ? read(outer)?[0] ?? .null : value
        }
        if linkMistake == .bareIsInnermost, case .object(let reference) = value, reference.entity == entity.name {
          inner.object = world.objects[reference.entity]?[reference.number.rawValue] ?? inner.object
        }
        return holds(predicate, inner)
      }.map(\.element)
    }
    // What is chosen from a list stands in its order.
    var found = OraclePath.many(element.type, kind.isArray ? .array : .chosen, chosen)
    if case .object(let entity) = element.type, !element.path.isEmpty {
      found = .structure(OraclePlace(entity: entity, path: element.path, owner: .many(chosen)))
    }
    return try resolve(tail.steps[...], from: found, scope)
  }

  /// What a SUBQUERY looks through: what its variable stands for, still without a value, and the elements. Of the structs
  /// that many objects have those are the objects.
  func elements(
    _ path: PathSyntax, _ scope: OracleScope
  ) throws(OracleError) -> (element: OracleItem, kind: OraclePath.Many, read: (OracleScope) -> [Value]?) {
    switch try resolve(path, scope) {
    case .many(let type, let kind, let read): return (OracleItem(value: .null, type: type), kind, read)
    case .structure(let place):
      guard let objects = owners(of: place) else { break }
      return (OracleItem(value: .null, type: .object(place.entity), path: place.path), .chosen, objects)
    default: break
    }
    throw OracleError("no collection")
  }
}

extension OraclePath.Many {
  var isArray: Bool { if case .array = self { true } else { false } }
  var isThrough: Bool { if case .through = self { true } else { false } }
}
