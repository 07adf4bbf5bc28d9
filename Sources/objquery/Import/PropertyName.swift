/// Converts names in the data to property names that are valid in Swift and the query language.
enum PropertyName {
  /// The dotted path for a name in the data: `Root Mean Square` becomes `RootMeanSquare`.
  static func path(_ name: String) -> [String] {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.allSatisfy(isIdentifier) { return parts }
    return [identifier(name)]
  }

  /// The path with each component converted separately, as for fields of a JSON object: `at.x y` becomes `at.xY`.
  static func nestedPath(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).map { identifier(String($0)) }.joined(separator: ".")
  }

  /// `name` if it is valid, otherwise its words joined, each but the first capitalized.
  static func identifier(_ name: String) -> String {
    if isIdentifier(name) { return name }
    var result = ""
    var startsWord = false
    for scalar in name.unicodeScalars {
      if isLetter(scalar) || scalar.properties.numericType == .decimal && scalar.isASCII {
        if startsWord, !result.isEmpty {
          result += scalar.properties.uppercaseMapping
        } else {
          result.unicodeScalars.append(scalar)
        }
        startsWord = false
      } else {
        startsWord = true
      }
    }
    if result.isEmpty { return "unnamed" }
    if let first = result.unicodeScalars.first, !isLetter(first) { result = "_" + result }
    return result
  }

  /// The type name for a struct embedded in a property: `location` is a `Location`.
  static func type(_ property: String) -> String {
    guard let first = property.unicodeScalars.first else { return "Value" }
    let rest = String(property.unicodeScalars.dropFirst().map(Character.init))
    let capital = first.properties.uppercaseMapping
    return capital == String(first) && first == "_" ? "Value" + rest : capital + rest
  }

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isLetter(first) else { return false }
    return name.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDContinue)
  }
}
