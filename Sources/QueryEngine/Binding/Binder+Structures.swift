internal import PredicateLanguage
internal import Schema
internal import Storage

/// Whole structs: how they are selected and identified, and what a comparison uses of them.
extension Binder {
  /// Binds a column of a SELECT: a single value, or the elements of a path or SUBQUERY as a list. Structs include all
  /// their properties. Returns nil after an error.
  mutating func shown(_ syntax: ExpressionSyntax) -> BoundExpression? {
    switch whole(syntax) {
    case .single(let value)?: return assembled(value)
    case .many(let collection)?:
      if syntax.endsInName, let value = collection.asValue { return value }
      return .reduced(.list, assembled(collection))
    case nil: return nil
    }
  }

  /// The struct at the end of a path or SUBQUERY. Returns nil, without a report, for anything else.
  func structure(_ syntax: ExpressionSyntax) -> BoundStructure? {
    switch syntax.kind {
    case .path, .subquery: break
    default: return nil
    }
    var trial = self
    guard case .single(let value)? = trial.whole(syntax), case .assembled(let structure) = trial.assembled(value) else {
      return nil
    }
    return structure
  }

  /// Replaces the positions of structs in a list by the whole structs; other collections stay as they are.
  mutating func assembled(_ collection: BoundCollection) -> BoundCollection {
    guard let owner = owner(of: collection) else {
      return collection.innermost { inner in
        guard case .each(let base, let level, let value) = inner else { return inner }
        return .each(base, level: level, assembled(value))
      }
    }
    let level = depth
    depth += 1
    let part = BoundPart(owner: owner, place: .index(.element(level: level, .structure)))
    return collection.innermost {
      .each($0, level: level, part.assembled(owner.origin.entity(or: entity)))
    }
  }

  /// Replaces the position of a struct in a list by the whole struct; other values stay as they are.
  func assembled(_ value: BoundExpression) -> BoundExpression {
    part(value).map { $0.assembled($0.owner.origin.entity(or: entity)) } ?? value
  }

  /// The owner of the list whose structs are the elements of a collection; nil if they are not structs.
  func owner(of collection: BoundCollection) -> BoundPart.Owner? { collection.owner(root: entity) }

  /// The struct that an item of a list is, also of a list filtered by SUBQUERY; nil for other expressions.
  func part(_ value: BoundExpression) -> BoundPart? {
    guard case .item(let collection, let place) = value, let owner = owner(of: collection) else { return nil }
    if case .positions = collection { return BoundPart(owner: owner, place: place) }
    return BoundPart(owner: owner, place: .index(value))
  }

  /// Replaces a struct by the value that states whether the struct exists, since comparisons can test only that.
  /// Returns nil after reporting a struct that always exists.
  mutating func identified(
    _ content: BoundOperand.Content, _ text: @autoclosure () -> String, _ range: SourceRange
  ) -> BoundOperand.Content? {
    switch content {
    case .single(.assembled(let structure)):
      if let presence = structure.presence { return .single(presence) }
      report(
        .typeMismatch, "'\(text())' is a struct that is always there", range,
        notes: ["write one of its properties after a dot"])
      return nil
    case .many(let collection):
      return .many(
        collection.innermost { inner in
          guard case .each(let base, let level, .assembled(let structure)) = inner, let presence = structure.presence
          else { return inner }
          return .each(base, level: level, presence)
        })
    case .single: return content
    }
  }
}

extension BoundCollection {
  /// Whether the elements are structs, one for each element of another collection.
  var isOfStructures: Bool { isOfEach && elementType == .structure }

  /// The whole value of a collection's column: includes the keys of a dictionary, and can be a group key.
  fileprivate var asValue: BoundExpression? {
    switch self {
    case .column(let column, _): .column(column, .list)
    case .property(let object, let column, _): .property(object, column, .list)
    case .keys, .list, .chosen, .distinct, .joined, .propertyKeys, .sources, .positions, .each, .flattened, .computed,
      .among:
      nil
    }
  }
}

extension ExpressionSyntax {
  /// Whether the expression is a path, or a SUBQUERY followed by a path, whose last step is a name.
  var endsInName: Bool {
    let last =
      switch kind {
      case .path(let path): path.steps.last
      case .subquery(_, _, _, let tail): tail.steps.last
      default: PathSyntax.Step?.none
      }
    return if case .name? = last?.kind { true } else { false }
  }
}
