/// A function that predicates may call, for help and suggestions.
public struct PredicateFunction: Hashable, Sendable {
  /// Its canonical name, such as `abs` or `modulus:by:`; any letter case is accepted.
  public let name: String
  /// The number of arguments; nil for one or more.
  public let arity: Int?

  /// All functions, grouped by kind.
  public static let all: [PredicateFunction] = FunctionTable.all

  /// The form of a call: `modulus:by:(a, b)`.
  public var call: String {
    switch arity {
    case 0: "\(name)()"
    case 1: "\(name)(a)"
    case 2: "\(name)(a, b)"
    default: "\(name)(a, …)"
    }
  }

  /// A list of all functions, for an unknown name without a similar one.
  package static let listed =
    "the functions are \(all.map(\.name).joined(separator: ", ")), and TERNARY(condition, a, b)"
}
