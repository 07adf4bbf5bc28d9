import PredicateLanguage
import Schema
import Values

/// Whose property a path asks for: an object's, or that of a struct in it.
struct OraclePlace {
  enum Owner {
    /// The object that is asked about.
    case root
    case one((OracleScope) -> Value)
    case many((OracleScope) -> [Value]?)
  }

  var entity: String
  /// The struct; empty for the object itself.
  var path = ""
  var owner: Owner

  /// The object itself, and not a struct in it.
  var isObject: Bool { path.isEmpty }
}

/// Paths through objects.
extension NaiveEvaluator {
  /// Mistakes about links that can be planted.
  enum LinkMistake: CaseIterable {
    case nilLinkIsAnElement, nilAfterAHopIsSkipped, onlyTheFirstHop, duplicatesAreOne, inverseForgetsItself
    case linksOfOnePropertyOnly, bareIsInnermost, shadowedNameIsTheOuter, distinctKeepsNil, keyOfNothingIsEqual
    case aggregateCountsNilAsZero, objectsAreEqual, nilIsAskedOfTheWhole, nilLinkIsNoNil
    case structForgetsItsTexts, structsAreTheFirst, itemsAreOfTheFirst, nilStructIsNoElement
  }

  /// A step from an object or a struct, or an aggregate with a path; nil for any other step. More steps are taken from
  /// `rest` where they belong to it.
  func linked(
    _ step: PathSyntax.Step, _ rest: inout ArraySlice<PathSyntax.Step>, _ place: OraclePath, _ scope: OracleScope
  ) throws(OracleError) -> OraclePath? {
    if case .operation(let name) = step.kind, place.isManyWithProperties, !rest.isEmpty,
      ["sum", "avg", "min", "max", "median", "mode", "stddev", "distinctUnionOfObjects"].contains(name)
        || name.hasPrefix("percentile(")
    {
      // What stands behind it is asked of each element first.
      let inner = rest.prefix { step in
        switch step.kind {
        case .name, .operation("type"), .operation("links"), .operation("keys"), .operation("values"),
          .index, .first, .last:
          true
        default: false
        }
      }
      if inner.isEmpty { return nil }
      rest = rest.dropFirst(inner.count)
      return try resolve([step], from: try resolve(inner, from: place, scope), scope)
    }
    guard let owner = place.asPlace else { return nil }
    if !owner.isObject, let objects = owners(of: owner) {
      switch step.kind {
      case .operation("count"), .size: return .single(.int) { .int(Int64((objects($0) ?? []).count)) }
      default: break
      }
    }
    switch step.kind {
    case .name(let name): return try property(name, of: owner)
    case .operation("type") where owner.isObject && !OracleWorld.isStructEntity(owner.entity):
      let name = Value.string(owner.entity)
      switch owner.owner {
      case .root: return .single(.string) { _ in name }
      case .one(let object): return .single(.string) { object($0).isNull ? .null : name }
      case .many(let objects): return .many(.string, .through) { objects($0)?.map { $0.isNull ? .null : name } }
      }
    case .operation("links") where owner.isObject && !OracleWorld.isStructEntity(owner.entity):
      return try backward(&rest, owner)
    default: return nil
    }
  }

  func property(_ name: String, of place: OraclePlace) throws(OracleError) -> OraclePath {
    let path = place.isObject ? name : place.path + "." + name
    let columns = world.columns[place.entity] ?? [:]
    switch columns[path]?.kind {
    case .scalar(let type)?: return single(path, OracleType(type), place)
    case .link(let target)?: return single(path, .object(target), place)
    case .links(let target)?: return elements(path, .object(target), .array, place)
    case .structs?:
      return elements(path, .object(OracleWorld.structEntity(place.entity, path)), .array, place)
    case .parts?, .presences?: throw OracleError("\(path) is in each struct of a list")
    case .collection(.array, let type)?: return elements(path, OracleType(type), .array, place)
    case .collection(.set, let type)?: return elements(path, OracleType(type), .set, place)
    case .collection(.dictionary, let type)?:
      let fields: (OracleScope) -> [EmbeddedField]? = { scope in
        if case .embedded(let fields)? = value(path, of: place, scope) { return fields }
        return nil
      }
      return elements(path, OracleType(type), .dictionary(fields), place)
    case .presence?: return .structure(OraclePlace(entity: place.entity, path: path, owner: place.owner))
    case nil:
      if place.isObject, case .linkingObjects(let source, let link)? = inverse(name, of: place.entity) {
        return sources(place, [(source, link)], .object(source))
      }
      guard columns.keys.contains(where: { $0.hasPrefix(path + ".") }) else { throw OracleError("no property \(path)") }
      return .structure(OraclePlace(entity: place.entity, path: path, owner: place.owner))
    }
  }

  private func inverse(_ name: String, of entity: String) -> PropertyType? {
    world.schema.entity(named: entity)?.property(named: name)?.type
  }

  /// What stands in a column of the one object.
  func value(_ path: String, of place: OraclePlace, _ scope: OracleScope) -> Value? {
    switch place.owner {
    case .root: scope.object.values[path] ?? .null
    case .one(let object): world.value(path, of: object(scope))
    case .many: nil
    }
  }

  /// The many objects that each have a struct, which may be nil.
  func owners(of place: OraclePlace) -> ((OracleScope) -> [Value]?)? {
    guard case .many(let objects) = place.owner else { return nil }
    guard linkMistake == .nilStructIsNoElement, world.columns[place.entity]?[place.path] != nil else { return objects }
    return { objects($0)?.filter { !world.value(place.path, of: $0).isNull } }
  }

  private func single(_ path: String, _ type: OracleType, _ place: OraclePlace) -> OraclePath {
    guard case .many(let objects) = place.owner else {
      return .single(type) { scope in
        if linkMistake == .structForgetsItsTexts, OracleWorld.isStructEntity(place.entity), type == .string {
          return .null
        }
        if linkMistake == .nilLinkIsNoNil, case .one(let object) = place.owner, object(scope).isNull, type == .int {
          return .int(0)
        }
        return value(path, of: place, scope) ?? .null
      }
    }
    // One value for each object, nil for a link that leads nowhere.
    return .many(type, .through) { scope in
      let found = objects(scope)?.filter { linkMistake != .nilAfterAHopIsSkipped || !$0.isNull }
      return found?.map { world.value(path, of: $0) }
    }
  }

  private func elements(
    _ path: String, _ type: OracleType, _ kind: OraclePath.Many, _ place: OraclePlace
  ) -> OraclePath {
    guard case .many(let objects) = place.owner else {
      return .many(type, kind) { scope in
        let found = value(path, of: place, scope) ?? .null
        if linkMistake == .nilLinkIsAnElement, found.isNull, type.isObject { return [.null] }
        if linkMistake == .structsAreTheFirst, case .object(let entity) = type, OracleWorld.isStructEntity(entity),
          let structs = Self.elements(of: found), let first = structs.first
        {
          return structs.map { _ in first }
        }
        return distinctByMistake(Self.elements(of: found))
      }
    }
    let each: OraclePath.Many
    switch kind {
    case .array: each = .ofEach(.array) { objects($0)?.map { world.value(path, of: $0) } }
    case .dictionary: each = .ofEach(.dictionary) { objects($0)?.map { world.value(path, of: $0) } }
    default: each = .chosen
    }
    // The elements of all of them.
    return .many(type, each) { scope in
      guard let found = objects(scope) else { return nil }
      let lists = found.map { Self.elements(of: world.value(path, of: $0)) ?? nilElement }
      return distinctByMistake((linkMistake == .onlyTheFirstHop ? lists.prefix(1) : lists[...]).flatMap { $0 })
    }
  }

  private var nilElement: [Value] { linkMistake == .nilLinkIsAnElement ? [.null] : [] }

  private func distinctByMistake(_ elements: [Value]?) -> [Value]? {
    linkMistake == .duplicatesAreOne ? elements.map { distinct($0) } : elements
  }

  // MARK: Backlinks

  /// `@links.Entity.path`, `@links.@count`
  private func backward(
    _ rest: inout ArraySlice<PathSyntax.Step>, _ place: OraclePlace
  ) throws(OracleError) -> OraclePath {
    guard let next = rest.popFirst() else { throw OracleError("whose links") }
    if case .operation("count") = next.kind {
      var links = world.links(to: place.entity)
      if linkMistake == .linksOfOnePropertyOnly { links = Array(links.prefix(1)) }
      guard case .many(_, _, let read) = sources(place, links, .object(place.entity)) else { throw OracleError("none") }
      return .single(.int) { .int(Int64((read($0) ?? []).count)) }
    }
    guard case .name(let entity) = next.kind, let columns = world.columns[entity] else {
      throw OracleError("no entity")
    }
    var path = ""
    while case .name(let name)? = rest.first?.kind {
      rest = rest.dropFirst()
      path += (path.isEmpty ? "" : ".") + name
      guard let kind = columns[path]?.kind, kind != .presence else { continue }
      guard kind.target == place.entity else { throw OracleError("no link to \(place.entity)") }
      return sources(place, [(entity, path)], .object(entity))
    }
    throw OracleError("no link")
  }

  private func sources(
    _ place: OraclePlace, _ links: [(entity: String, path: String)], _ type: OracleType
  ) -> OraclePath {
    .many(type, .chosen) { scope in
      let targets: [Value]
      switch place.owner {
      case .root: targets = [OracleWorld.object(place.entity, scope.object.number)]
      case .one(let object):
        // Nothing links to what is not there.
        if object(scope).isNull { return nil }
        targets = [object(scope)]
      case .many(let objects):
        guard let found = objects(scope) else { return nil }
        targets = found
      }
      return targets.flatMap { target in
        links.flatMap { link in
          world.sources(link.entity, link.path, of: target)
            .filter { linkMistake != .inverseForgetsItself || $0 != target }
        }
      }
    }
  }

  // MARK: Objects by what tells them apart

  /// The item, or if it is an object against another kind of value, its unique property.
  func keyed(_ item: OracleItem, against other: OracleType) -> OracleItem {
    guard case .object(let entity) = item.type, !other.isObject, other != .null, let key = world.key(of: entity),
      case .scalar(let type) = key.kind
    else { return item }
    return OracleItem(value: world.value(key.path, of: item.value), type: OracleType(type))
  }

  /// The type as which an object compares with a value.
  func keyType(_ entity: String) throws(OracleError) -> OracleType {
    guard let key = world.key(of: entity), case .scalar(let type) = key.kind else {
      throw OracleError("nothing tells the objects of \(entity) apart")
    }
    return OracleType(type)
  }
}

extension OraclePath {
  /// Whether it is many objects or structs, of which a path may be asked.
  fileprivate var isManyWithProperties: Bool {
    switch self {
    case .many(.object, _, _): return true
    case .structure(let place): if case .many = place.owner { return true }
    default: break
    }
    return false
  }

  /// Where it leads to objects or structs: the place from which the path goes on.
  fileprivate var asPlace: OraclePlace? {
    switch self {
    case .structure(let place): place
    case .single(.object(let entity), let read): OraclePlace(entity: entity, owner: .one(read))
    case .many(.object(let entity), _, let read): OraclePlace(entity: entity, owner: .many(read))
    default: nil
    }
  }
}
