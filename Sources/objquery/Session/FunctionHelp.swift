import ObjectStoreCore
internal import PredicateLanguage

/// The functions of the language in a few lines, from the table that the parser reads them by: none can be forgotten.
enum FunctionHelp {
  /// - Parameter indent: The indentation of lines after the first.
  static func text(indent: Int) -> String {
    let single = lines(of: PredicateFunction.all.filter { $0.arity == 1...1 }.map(\.name), headed: "of one value")
    let double = lines(of: PredicateFunction.all.filter { $0.arity == 2...2 }.map(\.call), headed: "of two")
    let many = lines(of: PredicateFunction.all.filter { $0.isAggregate }.map(\.name), headed: "of one or more")
    let others =
      PredicateFunction.all.filter { ![1...1, 2...2].contains($0.arity) && !$0.isAggregate }.map(\.call) + [
        "TERNARY(felt == nil, 0, felt)"
      ]
    return (single + double + many + lines(of: others, headed: "besides"))
      .joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// A heading and its items, wrapped over several lines between items.
  private static func lines(of items: [String], headed heading: String) -> [String] {
    items.reduce(into: [heading + ":"]) { lines, item in
      if let last = lines.last, last.count + 2 + item.count <= 100 {
        lines[lines.count - 1] = last + (last == heading + ":" ? " " : ", ") + item
      } else {
        lines[lines.count - 1] += ","
        lines.append("  " + item)
      }
    }
  }
}
