/// A function that predicates may call: what help and suggestions are made of.
public struct PredicateFunction: Hashable, Sendable {
  /// Its canonical name, such as `abs` or `modulus:by:`; it is read in any letter case.
  public let name: String
  /// How many arguments it takes.
  public let arity: ClosedRange<Int>
  /// Whether it makes one value of many: `max(a, b)`, `max(ratings)`.
  public let isAggregate: Bool

  init(name: String, arity: ClosedRange<Int>, isAggregate: Bool = false) {
    self.name = name
    self.arity = arity
    self.isAggregate = isAggregate
  }

  /// All of them, those of a kind together.
  public static let all: [PredicateFunction] = FunctionTable.all

  /// How a call of it looks: `modulus:by:(a, b)`.
  public var call: String {
    let arguments = ["a", "b", "c", "d"].prefix(arity.lowerBound) + (arity.upperBound == .max ? ["…"] : [])
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// A number of arguments in words: `one argument or more`.
  package static func description(ofArity arity: ClosedRange<Int>) -> String {
    let words = ["no argument", "one argument", "two arguments", "three arguments", "four arguments"]
    let least = words.indices.contains(arity.lowerBound) ? words[arity.lowerBound] : "\(arity.lowerBound) arguments"
    return arity.upperBound == .max ? "\(least) or more" : least
  }

  /// Names them all: what is left to say where no name is near to one that does not exist.
  package static let listed =
    "the functions are \(all.map(\.name).joined(separator: ", ")), and TERNARY(condition, a, b)"
}
