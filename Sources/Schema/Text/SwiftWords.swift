/// The Swift words that schema text must know: names that need backticks, and modifiers before declarations.
enum SwiftWords {
  /// Words that are property or type names only in backticks.
  static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Modifiers that have no effect here.
  static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "nonisolated", "mutating",
    "nonmutating", "override", "required", "convenience", "static", "class", "lazy", "weak", "unowned", "indirect",
    "borrowing", "consuming", "isolated", "distributed", "optional", "dynamic",
  ]

  /// Words that begin a declaration which is passed over.
  static let otherDeclarations: Set<String> = [
    "func", "init", "deinit", "subscript", "typealias", "associatedtype", "enum", "extension", "protocol", "actor",
    "class", "case", "macro", "operator", "precedencegroup", "import", "prefix", "infix", "postfix",
  ]

  /// `name`, in backticks if Swift requires them.
  static func spelled(_ name: String) -> String { isPlainName(name) ? name : "`\(name)`" }

  /// Whether `name` is valid without backticks.
  static func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !reserved.contains(name) else { return false }
    return !(first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9")) && isName(name)
  }

  /// Whether `name` consists only of letters, digits and `_`.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte >= 0x80 || byte == UInt8(ascii: "_") || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
          || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
      }
  }
}
