import ObjectStoreCore

/// A prompt of the user's own, with signs for what changes.
enum PromptText {
  /// The signs, as the help lists them.
  static let signs = [("%s", "the store"), ("%e", "the entity of .use"), ("%t", "* in a transaction"), ("%%", "%")]

  /// The text with its signs replaced.
  static func filled(_ text: String, _ session: Session) -> String {
    var filled = ""
    var isSign = false
    for character in text {
      if isSign {
        isSign = false
        switch character {
        case "s": filled += storeName(session)
        case "e": filled += session.defaultEntity ?? ""
        case "t": filled += session.statements.isInTransaction ? "*" : ""
        case "%": filled += "%"
        default: filled += "%\(character)"
        }
      } else if character == "%" {
        isSign = true
      } else {
        filled.append(character)
      }
    }
    return Screen.harmless(isSign ? filled + "%" : filled)
  }

  /// The last part of the store's path.
  static func storeName(_ session: Session) -> String {
    session.storePath.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "memory"
  }
}
