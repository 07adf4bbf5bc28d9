/// A function that predicates may call: what help and suggestions are made of.
public struct PredicateFunction: Hashable, Sendable {
  /// Its canonical name, such as `abs` or `modulus:by:`; it is read in any letter case.
  public let name: String
  /// How many arguments it takes; nil for one or more.
  public let arity: Int?

  /// All of them, those of a kind together.
  public static let all: [PredicateFunction] = FunctionTable.all

  /// How a call of it looks: `modulus:by:(a, b)`.
  public var call: String {
    switch arity {
    case 0: "\(name)()"
    case 1: "\(name)(a)"
    case 2: "\(name)(a, b)"
    default: "\(name)(a, …)"
    }
  }

  /// Names them all: what is left to say where no name is near to one that does not exist.
  package static let listed =
    "the functions are \(all.map(\.name).joined(separator: ", ")), and TERNARY(condition, a, b)"
}
