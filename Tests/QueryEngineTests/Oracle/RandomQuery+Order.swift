import PredicateLanguage
import Values

extension RandomQuery {
  /// The same query with `%@`, `%d` and so on for `$0`, and `%K` for `$K0`: its arguments in the order of the text, some
  /// of them twice.
  func inOrder() -> RandomQuery? {
    var scalars = Array(filter.predicateFormat.unicodeScalars)[...]
    var text = String.UnicodeScalarView()
    var ordered: [Value] = []
    while let scalar = scalars.popFirst() {
      text.append(scalar)
      if scalar == "\"" || scalar == "`" {
        // What stands in quotes is no placeholder.
        while let next = scalars.popFirst() {
          text.append(next)
          if next == "\\", let escaped = scalars.popFirst() { text.append(escaped) }
          if next == scalar { break }
        }
      } else if scalar == "$" {
        let isName = scalars.first == "K"
        let digits = scalars.dropFirst(isName ? 1 : 0).prefix { $0.properties.numericType == .decimal }
        // `$t0` is a variable.
        if digits.isEmpty { continue }
        scalars = scalars[digits.endIndex...]
        guard let number = Int(String(String.UnicodeScalarView(digits))), number < arguments.positional.count else {
          return nil
        }
        text.removeLast()
        let placeholder = isName ? "%K" : Self.placeholder(arguments.positional[number], ordered.count)
        text.append(contentsOf: placeholder.unicodeScalars)
        ordered.append(arguments.positional[number])
      }
    }
    guard let read = try? PredicateParser.filter(String(text)) else { return nil }
    return RandomQuery(filter: read, arguments: Arguments(ordered), definitions: definitions)
  }

  private static func placeholder(_ value: Value, _ turn: Int) -> String {
    switch value {
    case .int where turn % 3 == 1: "%d"
    case .int where turn % 3 == 2: "%lld"
    case .double where turn % 2 == 1: "%f"
    default: "%@"
    }
  }
}
