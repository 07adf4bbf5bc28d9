/// A function that predicates may call, for help and suggestions.
public struct PredicateFunction: Hashable, Sendable {
  /// Its canonical name, such as `abs` or `modulus:by:`; any letter case is accepted.
  public let name: String
  /// The number of arguments.
  public let arity: ClosedRange<Int>
  /// The name after `@` of a function that makes one value of many: `avg` for `average(a, b)`, as in `ratings.@avg`.
  public let collectionOperator: String?
  /// Whether it makes one value of many: `max(a, b)`, `max(ratings)`.
  public var isAggregate: Bool { collectionOperator != nil }

  /// What it is called in other languages, for suggestions.
  let namesElsewhere: [String]

  init(
    name: String, arity: ClosedRange<Int>, collectionOperator: String? = nil, namesElsewhere: [String] = []
  ) {
    self.name = name
    self.arity = arity
    self.collectionOperator = collectionOperator
    self.namesElsewhere = namesElsewhere
  }

  /// All functions, grouped by kind.
  public static let all: [PredicateFunction] = FunctionTable.all

  /// The form of a call: `modulus:by:(a, b)`.
  public var call: String {
    let arguments =
      Self.parameters[name]
      ?? Array(["a", "b", "c", "d"].prefix(arity.lowerBound)) + (arity.upperBound == .max ? ["…"] : [])
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// The arguments of functions whose arguments are of several kinds.
  private static let parameters = [
    "bucket": ["time", "'day'"], "round": ["a", "places"], "substring": ["a", "start", "length"],
    "replace": ["a", "from", "to"],
  ]

  /// A number of arguments in words: `one argument or more`.
  package static func description(ofArity arity: ClosedRange<Int>) -> String {
    let words = ["no argument", "one argument", "two arguments", "three arguments", "four arguments"]
    let least = words.indices.contains(arity.lowerBound) ? words[arity.lowerBound] : "\(arity.lowerBound) arguments"
    if arity.upperBound == .max { return "\(least) or more" }
    if arity.count == 1 { return least }
    let most = words.indices.contains(arity.upperBound) ? words[arity.upperBound] : "\(arity.upperBound) arguments"
    return "\(least.split(separator: " ").first ?? "") or \(most)"
  }

  /// A list of all functions, for an unknown name without a similar one.
  package static let listed =
    "the functions are \(all.map(\.name).joined(separator: ", ")), and TERNARY(condition, a, b)"
}
