import PredicateLanguage
import Values

/// Makes some of the names in a tree arguments: `$K0` for a name, or for several with dots between them.
struct NamesGiven: SyntaxRewriter {
  var random: OracleRandom
  var arguments: Arguments

  mutating func rewrite(_ path: PathSyntax) -> PathSyntax {
    let path = rewriteChildren(of: path)
    var steps: [PathSyntax.Step] = []
    var rest = path.steps[...]
    // After `@links` an entity is named and not a property.
    var isBackward = false
    while let step = rest.popFirst() {
      if case .operation("links") = step.kind { isBackward = true }
      guard case .name(var name) = step.kind, !isBackward, random.once(in: 3) else {
        if case .name = step.kind {} else if case .operation("links") = step.kind {} else { isBackward = false }
        steps.append(step)
        continue
      }
      while random.once(in: 2), case .name(let next)? = rest.first?.kind {
        name += "." + next
        rest.removeFirst()
      }
      arguments.positional.append(.string(name))
      steps.append(PathSyntax.Step(.placeholder(.positional(arguments.positional.count - 1))))
    }
    return PathSyntax(variable: path.variable, steps: steps)
  }
}

extension QueryMaker {
  /// The same filter with some of its names as arguments.
  mutating func withNamesGiven(_ filter: FilterSyntax) -> FilterSyntax {
    var names = NamesGiven(random: random, arguments: arguments)
    let given = names.rewrite(filter)
    (random, arguments) = (names.random, names.arguments)
    return given
  }
}
