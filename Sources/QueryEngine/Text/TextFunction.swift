/// The functions that make texts of texts.
enum TextFunction {
  case uppercase, lowercase, firstLetter

  /// nil of a function that makes something else.
  init?(_ function: ScalarFunction) {
    switch function {
    case .uppercase: self = .uppercase
    case .lowercase: self = .lowercase
    case .firstLetter: self = .firstLetter
    default: return nil
    }
  }

  /// What it makes of a text of any script.
  func of(_ text: String) -> String {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    case .firstLetter: text.first.map { String($0) } ?? ""
    }
  }
}

extension BoundExpression {
  /// The column of texts that it is with a function applied; nil of others.
  var changedColumn: (function: TextFunction, column: Int)? {
    guard case .call(let function, let operands) = self, operands.count == 1, let column = operands[0].column,
      let function = TextFunction(function)
    else { return nil }
    return (function, column)
  }
}
