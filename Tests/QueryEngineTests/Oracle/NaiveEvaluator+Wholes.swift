import PredicateLanguage
import Schema
import Values

/// Structs with all that is in them, and many values as a list: what people are shown, and what is told apart.
extension NaiveEvaluator {
  func whole(_ expression: ExpressionSyntax, _ scope: OracleScope) -> Value {
    switch source(expression, scope) {
    case .structure(let place)? where !place.isObject: return whole(place, scope)
    case .many(_, .dictionary(let fields), _)?: return fields(scope).map { .embedded($0) } ?? .null
    case .many(_, _, let read)?: return read(scope).map { .list($0.map(world.shown)) } ?? .null
    default: return world.shown(value(expression, scope))
    }
  }

  /// Whether it comes to one struct.
  func isStructure(_ expression: ExpressionSyntax, _ scope: OracleScope) -> Bool {
    switch source(expression, scope) {
    case .structure(let place)?: if case .many = place.owner { false } else { !place.isObject }
    case .single(.object(let entity), _)?: OracleWorld.isStructEntity(entity)
    default: false
    }
  }

  /// One struct, or a list of that of each object; nil where what they are in is.
  private func whole(_ place: OraclePlace, _ scope: OracleScope) -> Value {
    switch place.owner {
    case .root: world.structure(at: place.path, of: place.entity) { scope.object.values[$0] ?? .null }
    case .one(let object): whole(place, of: object(scope))
    case .many(let objects): objects(scope).map { .list($0.map { whole(place, of: $0) }) } ?? .null
    }
  }

  private func whole(_ place: OraclePlace, of object: Value) -> Value {
    if object.isNull { return .null }
    return world.structure(at: place.path, of: place.entity) { world.value($0, of: object) }
  }
}
