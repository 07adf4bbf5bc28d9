internal import PredicateLanguage
internal import Schema
internal import Storage

/// Whole structs: how they are shown, distinguished and compared.
extension Binder {
  /// What a column of rows shows: one value, or the elements that a path or SUBQUERY leads to as a list; structs with all
  /// that is in them. nil after an error.
  mutating func shown(_ syntax: ExpressionSyntax) -> BoundExpression? {
    switch whole(syntax) {
    case .single(let value)?: return assembled(value)
    case .many(let collection)?:
      if syntax.endsInName, let value = collection.asValue { return value }
      return .reduced(.list, assembled(collection))
    case nil: return nil
    }
  }

  /// The struct that a path or SUBQUERY leads to; nil for other expressions, without a report.
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

  /// The structs of a list as such, not by their places; other collections as they are.
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

  /// The same for one struct.
  func assembled(_ value: BoundExpression) -> BoundExpression {
    part(value).map { $0.assembled($0.owner.origin.entity(or: entity)) } ?? value
  }

  /// The owner of the list whose structs a collection has; nil if its elements are no structs.
  func owner(of collection: BoundCollection) -> BoundPart.Owner? { collection.owner(root: entity) }

  /// The struct of a list that an expression is: an item of it, or of those chosen from it.
  func part(_ value: BoundExpression) -> BoundPart? {
    guard case .item(let collection, let place) = value, let owner = owner(of: collection) else { return nil }
    if case .positions = collection { return BoundPart(owner: owner, place: place) }
    return BoundPart(owner: owner, place: .index(value))
  }

  /// The value of a path in a comparison. A struct can only be compared with nil. nil after reporting a struct that is
  /// never nil.
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
  /// Whether its elements are structs, one of each of many.
  var isOfStructures: Bool { isOfEach && elementType == .structure }

  /// The whole value of a column: a dictionary with its keys, and what may be the key of a group.
  fileprivate var asValue: BoundExpression? {
    switch self {
    case .column(let column, _): .column(column, .list)
    case .property(let object, let column, _): .property(object, column, .list)
    default: nil
    }
  }
}

extension ExpressionSyntax {
  /// Whether it is a path, or a SUBQUERY with one after it, whose last step is a name.
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
