import PredicateLanguage
import Schema
import Values

/// Lists of structs: a leaf of each, of one, or of those that a SUBQUERY chooses.
extension QueryMaker {
  /// A leaf of each struct of a list, or of each that is chosen.
  mutating func ofStructs(depth: Int) -> Operand? {
    guard let list = lists.randomElement(using: &random), let leaf = list.leaves.randomElement(using: &random) else {
      return nil
    }
    guard depth > 0, random.once(in: 2), breadth * 5 <= 4000, variables.count < 8 else { return operand(leaf) }
    let chosen = chosen(list, depth: depth)
    return Operand(
      expression: followed(chosen, leaf, of: list.column), type: type(of: leaf), samples: samples[leaf.path] ?? [])
  }

  /// `SUBQUERY(marks, $m, …)`: each leaf of the element is a variable.
  private mutating func chosen(_ list: (column: Column, leaves: [Column]), depth: Int) -> ExpressionSyntax {
    let name = "m\(variables.count)"
    let element = ExpressionSyntax(.path(PathSyntax(variable: name, steps: [])))
    let outer = (variables, breadth)
    variables += list.leaves.map { leaf in
      Operand(
        expression: followed(element, leaf, of: list.column), type: type(of: leaf), samples: samples[leaf.path] ?? [])
    }
    breadth *= 5
    let predicate = predicate(depth: depth - 1)
    (variables, breadth) = outer
    guard case .path(let path) = self.path(list.column).kind else { return element }
    return ExpressionSyntax(.subquery(path, variable: name, predicate, tail: PathSyntax(steps: [])))
  }

  /// The leaf of one struct, where an operand is that of each.
  mutating func ofItem(_ many: Operand) -> Operand? {
    for list in lists {
      guard let leaf = list.leaves.first(where: { path($0) == many.expression }) else { continue }
      var operand = many
      operand.expression = followed(item(of: path(list.column)), leaf, of: list.column)
      return operand
    }
    return nil
  }

  mutating func item(of list: ExpressionSyntax) -> ExpressionSyntax {
    switch random.below(5) {
    case 0: followed(list, PathSyntax.Step(.first))
    case 1: followed(list, PathSyntax.Step(.last))
    default: followed(list, PathSyntax.Step(.index(literal(.int(Int64(random.below(4)))))))
    }
  }

  private func followed(_ start: ExpressionSyntax, _ leaf: Column, of list: Column) -> ExpressionSyntax {
    leaf.path.dropFirst(list.path.count + 1).split(separator: ".").reduce(start) {
      followed($0, PathSyntax.Step(.name(String($1))))
    }
  }

  private func type(of leaf: Column) -> ScalarType {
    if case .parts(let type, _) = leaf.kind { type } else { .int }
  }

  /// A struct as a whole: in the object, or one of a list.
  mutating func structure() -> ExpressionSyntax? {
    var paths: [ExpressionSyntax] = []
    for property in entity.properties {
      if case .embedded = property.type { paths.append(ExpressionSyntax(.path(PathSyntax(property.name)))) }
    }
    for list in lists {
      let item = item(of: path(list.column))
      paths.append(item)
      if list.leaves.contains(where: { $0.path.hasPrefix(list.column.path + ".within.") }) {
        paths.append(followed(item, PathSyntax.Step(.name("within"))))
      }
    }
    return paths.randomElement(using: &random)
  }

  /// Many structs, or many values.
  mutating func many() -> ExpressionSyntax? {
    guard let list = lists.randomElement(using: &random), !random.once(in: 3) else {
      return source(depth: 1)?.expression
    }
    guard list.leaves.contains(where: { $0.path.hasPrefix(list.column.path + ".within.") }), random.once(in: 2) else {
      return path(list.column)
    }
    return followed(path(list.column), PathSyntax.Step(.name("within")))
  }
}
